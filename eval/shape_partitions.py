#!/usr/bin/env python3
"""Partitions of characters into look-alikes beside that of the channel shape: the typos of SIGHAN
each neutralises, and the words it makes equal (docs/decisions/009-shape-classes.md).

  build/venv-language/bin/python eval/shape_partitions.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "eval"), str(ROOT / "tools")]

import corpora  # noqa: E402
from language import shape_tables  # noqa: E402

Partition = Callable[[str], Any]  # character → what those of its class have in common


def partitions(shapes: Any) -> dict[str, Partition]:
    """Returns name → partition, that of the channel last."""
    corners, cangjie, rest = shapes.corners, shapes.cangjie, shapes.rest
    families = Counter(
        rest(c) for c, count in shapes.frequency.items() if count > 0 and rest(c) != c
    )

    def last_rest(c: str) -> str:
        while rest(c) != c:
            c = rest(c)
        return c

    def stem(c: str) -> str:
        return c if families[c] >= shape_tables.MIN_FAMILY else rest(c)

    stands = dict(shapes.classes())
    return {
        "none (folded)": lambda c: c,
        "Cangjie equal": lambda c: cangjie.get(c, c),
        "four-corner code, five digits": lambda c: corners.get(c, c),
        "four-corner code, four digits": lambda c: corners.get(c, c)[:4],
        "Cangjie without its first letter": lambda c: cangjie.get(c, c)[1:] or c,
        "rest without the radical, once": rest,
        "the same, as long as there is one": last_rest,
        "the stem: the rest of what is no rest of three characters": stem,
        "the stem, with four corners and Cangjie outline (shape)": lambda c: stands.get(c, c),
    }


def typos(data: Path, fold: Callable[[str], str]) -> list[tuple[str, str]]:
    """Returns the typos of SIGHAN, wrong and right character, folded."""
    edits = (edit for row in corpora.load(data, "pairs_sighan_typos") for edit in row["edits"])
    return [(fold(wrong), fold(right)) for _, wrong, right in edits if wrong != right]


def price(words: list[tuple[str, int]], partition: Partition) -> tuple[float, float]:
    """Returns the share of words that are equal to another one, and of the uses of words those of
    all but the most frequent one of each group."""
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    memo: dict[str, Any] = {}
    for word, count in words:
        for c in word:
            if c not in memo:
                memo[c] = partition(c)
        groups[tuple(memo[c] for c in word)].append(count)
    merged = sum(len(counts) for counts in groups.values() if len(counts) > 1)
    lost = sum(sum(counts) - max(counts) for counts in groups.values())
    return merged / len(words), lost / sum(count for _, count in words)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with pairs_sighan_typos")
    options = parser.parse_args()
    shapes = shape_tables.Shapes()
    wrong_right = typos(options.data, shapes.fold)
    words: Counter[str] = Counter()
    for word, count in shapes.words.items():
        if len(word) > 1 and shape_tables.is_han(word):
            words[shapes.fold(word)] += count
    print(f"{len(wrong_right)} typos, {len(words)} words\n")
    print("| classes | neutralised | words | weighted |\n|---|---|---|---|")
    for name, partition in partitions(shapes).items():
        hits = sum(partition(a) == partition(b) for a, b in wrong_right) / len(wrong_right)
        equal, weighted = price(list(words.items()), partition)
        print(f"| {name} | {hits:.3f} | {equal:.3f} | {weighted:.4f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
