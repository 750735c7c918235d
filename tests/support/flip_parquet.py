#!/usr/bin/env python3
"""Writes a Parquet file with one bit flipped to standard output.

  flip_parquet.py FILE ROW_GROUP COLUMN >FLIPPED

COLUMN: its name, whose values are damaged in the middle; empty for the first that is neither text
nor id, which is damaged near its end.
"""

import sys

import pyarrow.parquet as pq


def main():
    path, number, name = sys.argv[1:]
    group = pq.read_metadata(path).row_group(int(number))
    columns = [group.column(i) for i in range(group.num_columns)]
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if name:
        column = next(c for c in columns if c.path_in_schema == name)
        place = column.data_page_offset + column.total_compressed_size // 2
    else:
        column = next(c for c in columns if c.path_in_schema not in ("text", "id"))
        start = column.dictionary_page_offset or column.data_page_offset
        place = start + column.total_compressed_size - 2
    data[place] ^= 16
    sys.stdout.buffer.write(data)


main()
