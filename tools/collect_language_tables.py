#!/usr/bin/env python3
"""Collects the tables that language data is compiled from (zhiwen language compile).

In     Debian's packages unicode-data, libopencc-data, opencc (which reads the latter) and
       python3-jieba; the wheels of tools/language/wheels.txt; each file pinned by its SHA-256
Out    FOLDER/*.tsv, the same bytes on every machine (src/text/language/language_tables.h)
Fails  an input that is missing or of another version, naming it

Usage  tools/collect_language_tables.py FOLDER
"""

import os
import sys

from language import inputs, jieba_tables, reading_tables, shape_tables, wording_tables

# Each module has write(folder), which writes its tables, and PACKAGES, the rows
# (name, version, licence, use) of the packages it reads.
PARTS = [jieba_tables, reading_tables, shape_tables, wording_tables]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: collect_language_tables.py FOLDER")
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    packages = set()
    try:
        for part in PARTS:
            part.write(folder)
            packages.update(part.PACKAGES)
        inputs.write_table(folder, "packages", sorted(packages))
    except inputs.InputError as error:
        sys.exit(f"collect_language_tables: {error}")


if __name__ == "__main__":
    main()
