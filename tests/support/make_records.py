#!/usr/bin/env python3
"""Writes the same records in every format that `zhiwen dedup` reads; with --leave-out, what a run
that removes those ids has to keep: the oracle of tests/e2e/dedup_formats.sh.

Example: make_records.py all && make_records.py kept --leave-out removed.txt
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from pathlib import Path

RECORDS = 300
SEED = 4
# Code points of common characters; the texts mean nothing.
FIRST, COUNT = 0x4E00, 3000
# What formats have to quote, escape, or leave as it is.
AWKWARD = ['，他说："好"。', 'a, "b"\tc', "第一行\n第二行", "ends in a quote\"", "\\n \\\" ' ;", "é 𠮷 ½"]


def make_records() -> list[dict[str, object]]:
    """Of every six records the fourth copies the first, the fifth edits it, the sixth copies the
    text of the second in another spelling."""
    rng = random.Random(SEED)
    records: list[dict[str, object]] = []
    for number in range(RECORDS):
        kind = number % 6
        text = "".join(chr(FIRST + rng.randrange(COUNT)) for _ in range(60 + number % 40))
        text += AWKWARD[number // 6 % len(AWKWARD)]
        if kind == 3:
            text = str(records[number - 3]["text"])
        elif kind == 4:
            text = str(records[number - 4]["text"])[1:]
        elif kind == 5:
            text = str(records[number - 4]["text"]).replace(chr(FIRST), chr(FIRST) + "、") + "！"
        records.append({"id": f"r{number:04d}", "title": f"题目 {kind}", "text": text,
                        "meta": {"author": {"name": f"作者{number % 3}"}, "kind": kind}})
    return records


def write_separated(path: Path, records: list[dict[str, object]], separator: str, end: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator=end)
        writer.writerow(["id", "title", "text"])
        writer.writerows([record["id"], record["title"], record["text"]] for record in records)


def write_all(folder: Path, records: list[dict[str, object]]) -> None:
    folder.mkdir(parents=True)
    with (folder / "records.jsonl").open("w", encoding="utf-8") as file:
        for record in records:
            # Spellings that nobody may change on the way: spaces, escapes.
            last_digit = int(str(record["id"])[-1])
            ascii_only = last_digit % 5 == 0
            spaces = (", ", " : ") if last_digit % 2 else (",", ":")
            file.write(json.dumps(record, ensure_ascii=ascii_only, separators=spaces) + "\n")
    write_separated(folder / "records.csv", records, ",", "\r\n")
    write_separated(folder / "records.tsv", records, "\t", "\n")
    write_separated(folder / "semicolons.csv", records, ";", "\r\n")
    (folder / "texts").mkdir()
    for record in records:
        (folder / "texts" / f"{record['id']}.txt").write_text(
            str(record["text"]), encoding="utf-8", newline="")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return
    pq.write_table(pa.Table.from_pylist(records), folder / "records.parquet", row_group_size=64,
                   write_page_checksum=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave-out", type=Path, help="ids, one a line")
    options = parser.parse_args()
    records = make_records()
    if options.leave_out:
        gone = set(options.leave_out.read_text().split())
        records = [record for record in records if record["id"] not in gone]
    write_all(options.folder, records)
    return 0


if __name__ == "__main__":
    sys.exit(main())
