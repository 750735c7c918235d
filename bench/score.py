"""Recall and precision of removals against the exact pairs of bench/truth.py."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

Pair = tuple[str, str]


@dataclass(frozen=True)
class Score:
    """What a tool's removals are worth.

    recall       share of the true pairs (resemblance ≥ threshold) of which at least one document
    is removed
    precision    share of the removed documents that have a true partner among the kept
    unjustified  removed documents without any true partner
    largest      documents in the largest group: the kept one and all that were removed for it
    """

    removed: int
    recall: float
    precision: float
    unjustified: int
    largest: int


def read_pairs(path: Path) -> list[Pair]:
    """Returns the true pairs."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [(row[0], row[1]) for row in rows]


def score(pairs: list[Pair], keeper: dict[str, str]) -> Score:
    """Scores `keeper`: removed id → id of the document named as kept."""
    partners: dict[str, list[str]] = defaultdict(list)
    for a, b in pairs:
        partners[a].append(b)
        partners[b].append(a)
    found = sum(a in keeper or b in keeper for a, b in pairs)
    justified = sum(any(p not in keeper for p in partners.get(d, ())) for d in keeper)
    sizes: dict[str, int] = defaultdict(int)
    for kept in keeper.values():
        sizes[kept] += 1
    return Score(
        len(keeper),
        found / len(pairs) if pairs else 1.0,
        justified / len(keeper) if keeper else 1.0,
        sum(d not in partners for d in keeper),
        max(sizes.values(), default=0) + 1,
    )
