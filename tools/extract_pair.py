#!/usr/bin/env python3
"""Writes the two texts of one removal of a dedup run to files, to be compared.

  tools/extract_pair.py OUTPUT_FOLDER PAIR_FOLDER

Of the near-duplicates in removed.jsonl.zst it takes the one with the least resemblance, the most to
see, among those short enough for a screen. Writes PAIR_FOLDER/removed.txt and kept.txt. Inputs are
read from where the run read them.
"""

import functools
import json
import pathlib
import subprocess
import sys


SCREEN_CHARACTERS = 300


@functools.cache
def read_lines(path):
    """Lines of a JSON Lines file, compressed or not."""
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        data = path.read_bytes()
    return data.splitlines()


def text_of(source):
    lines = [line for line in read_lines(pathlib.Path(source["file"])) if line.strip()]
    return json.loads(lines[source["record"] - 1])["text"]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    output, pair = map(pathlib.Path, sys.argv[1:])
    removals = [json.loads(line) for line in read_lines(output / "removed.jsonl.zst")]
    near = sorted((r for r in removals if r["reason"] == "near"), key=lambda r: r["resemblance"])
    if not near:
        print("no near-duplicate was removed", file=sys.stderr)
        return 1
    texts = [(text_of(r["source"]), text_of(r["kept_source"])) for r in near]
    short = (i for i, (removed, _) in enumerate(texts) if len(removed) <= SCREEN_CHARACTERS)
    chosen = next(short, 0)
    pair.mkdir(parents=True, exist_ok=True)
    for name, text in zip(("removed.txt", "kept.txt"), texts[chosen]):
        (pair / name).write_text(text, encoding="utf-8")
    print(f"{near[chosen]['id']} was removed for {near[chosen]['kept_id']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
