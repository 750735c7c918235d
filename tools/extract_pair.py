#!/usr/bin/env python3
"""Writes the two texts of one removal of a dedup run to files, to be compared.

  tools/extract_pair.py OUTPUT_FOLDER PAIR_FOLDER

Of the near-duplicates in removed.jsonl.zst it takes the one with the least resemblance: the most to
see. Writes PAIR_FOLDER/removed.txt and kept.txt. Inputs are read from where the run read them.
"""

import json
import pathlib
import subprocess
import sys


def read_lines(path):
    """Lines of a JSON Lines file, compressed or not."""
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        data = path.read_bytes()
    return data.splitlines()


def text_of(source):
    lines = [line for line in read_lines(pathlib.Path(source["file"])) if line.strip()]
    return json.loads(lines[source["record"]])["text"]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    output, pair = map(pathlib.Path, sys.argv[1:])
    removals = [json.loads(line) for line in read_lines(output / "removed.jsonl.zst")]
    near = [r for r in removals if r["reason"] == "near"]
    if not near:
        print("no near-duplicate was removed", file=sys.stderr)
        return 1
    chosen = min(near, key=lambda r: r["resemblance"])
    pair.mkdir(parents=True, exist_ok=True)
    (pair / "removed.txt").write_text(text_of(chosen["source"]), encoding="utf-8")
    (pair / "kept.txt").write_text(text_of(chosen["kept_source"]), encoding="utf-8")
    print(f"{chosen['id']} was removed for {chosen['kept_id']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
