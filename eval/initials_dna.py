#!/usr/bin/env python3
"""Which granule, overlap and digits initials_dna needs: the share of copies, edited or of a
passage, that are more alike than 99 in 100 pairs of other texts, by digit_l1. Prints the tables of
docs/formats/initials_dna.md.

examples:
  python eval/initials_dna.py --zhiwen build/release/bin/zhiwen
  python eval/initials_dna.py --data ../shared/data --pairs 300
Without --data the texts are pieces of the novels in testdata. Everything is seeded.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import corpora

LENGTH = 600  # characters of a text
WIDTHS = {10: 9, 8: 8, 4: 5, 2: 3}
GRANULES = (20, 30, 50, 100, 200)
OVERLAPS = (0.0, 0.5, 0.75, 1.0)
PASSAGE = LENGTH // 3
Pair = tuple[str, str]
Setting = tuple[int, float, int]  # granule, overlap, digits
Settings = list[Setting]


def texts(data: Path | None) -> list[str]:
    """Returns texts of LENGTH characters, no two from one document where there is --data."""
    if data:
        records = corpora.load(data, "news_cctv", "news_rmrb")
        return [r["text"][:LENGTH] for r in records if len(r["text"]) >= LENGTH]
    whole = [r["text"] for r in corpora.read(corpora.DEMO / "novels.jsonl")]
    return [t[i : i + LENGTH] for t in whole for i in range(0, len(t) - LENGTH + 1, LENGTH)]


def edited(text: str, rate: float, rng: random.Random) -> str:
    """Of the characters a share is replaced, left out or followed by another, a third each."""
    out = []
    for c in text:
        kind = rng.randrange(3) if rng.random() < rate else -1
        if kind == 0:
            c = rng.choice(text)
        elif kind == 1:
            c = ""
        elif kind == 2:
            c += rng.choice(text)
        out.append(c)
    return "".join(out)


def with_passage(a: str, b: str, rng: random.Random) -> str:
    """Returns `b` with a third of it replaced by a passage of `a`, each from anywhere."""
    begin, at = rng.randrange(len(a) - PASSAGE), rng.randrange(len(b) - PASSAGE)
    return b[:at] + a[begin : begin + PASSAGE] + b[at + PASSAGE :]


Copy = Callable[[str, str, random.Random], str]
COPIES: dict[str, Copy] = {
    "20 % edited": lambda a, b, rng: edited(a, 0.2, rng),
    "40 % edited": lambda a, b, rng: edited(a, 0.4, rng),
    "a third of it copied": with_passage,
}


def name_of(setting: Setting) -> str:
    """Returns the name of the scheme."""
    return "initials_dna(granule={},overlap={:g},digits={})".format(*setting)


def similarities(zhiwen: Path, texts: Pair, settings: Settings) -> list[float]:
    """Returns how alike two texts are under each setting. Fails: CalledProcessError."""
    schemes = [word for s in settings for word in ("-s", name_of(s))]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("a.txt", "b.txt")]
        for path, text in zip(paths, texts):
            path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [str(zhiwen), "compare", "--json", *schemes, *map(str, paths)],
            check=True,
            capture_output=True,
        )
    return [row["similarity"] for row in json.loads(done.stdout)["similarities"]]


def shares_found(
    zhiwen: Path, data: Path | None, pairs: int, settings: Settings
) -> dict[Setting, list[float]]:
    """Returns, for each setting, the share found of each kind of copies."""
    rng = random.Random(1)
    chosen = rng.sample(texts(data), 2 * pairs)
    others = list(zip(chosen[:pairs], chosen[pairs:]))
    corpora.say(f"  {len(settings)} settings, {pairs} pairs of other texts, as many copies a kind")
    unlike = [similarities(zhiwen, pair, settings) for pair in others]
    bounds = [sorted(column)[-1 - pairs // 100] for column in zip(*unlike)]
    found: dict[Setting, list[float]] = {setting: [] for setting in settings}
    for copy in COPIES.values():
        alike = [similarities(zhiwen, (a, copy(a, b, rng)), settings) for a, b in others]
        for setting, bound, column in zip(settings, bounds, zip(*alike)):
            found[setting].append(sum(s > bound for s in column) / pairs)
    return found


def table(head: str, rows: Iterable[list[str]]) -> None:
    """Prints a table of markdown."""
    cells = head.split("|")
    for row in [cells, ["---"] * len(cells), *rows]:
        print("| " + " | ".join(c.strip() for c in row) + " |")
    print()


def print_tables(found: dict[Setting, list[float]]) -> None:
    """Prints a row a granule and overlap, and in it all digits."""
    print(f"Of digits 10, 8, 4, 2 each, texts of {LENGTH} characters.\n")
    rows = []
    for granule in GRANULES:
        for overlap in OVERLAPS:
            step = max(1, int(granule * (1 - overlap) + 0.5))
            shares = [
                " ".join(f"{found[granule, overlap, d][i]:.2f}" for d in WIDTHS)
                for i in range(len(COPIES))
            ]
            sizes = " ".join(f"{width / step:.2f}" for width in WIDTHS.values())
            rows.append([str(granule), f"{overlap:g}", sizes, *shares])
    table("|".join(["granule", "overlap", "bytes a character", *COPIES]), rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--zhiwen", type=Path, default=Path("build/release/bin/zhiwen"))
    parser.add_argument("--data", type=Path, help="folder with the dev corpora")
    parser.add_argument("--pairs", type=int, default=100)
    options = parser.parse_args()
    settings = [(g, o, d) for g in GRANULES for o in OVERLAPS for d in WIDTHS]
    try:
        found = shares_found(options.zhiwen, options.data, options.pairs, settings)
    except subprocess.CalledProcessError as error:
        print(f"eval: {error.stderr.decode().strip()}", file=sys.stderr)
        return 1
    print_tables(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
