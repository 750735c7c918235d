"""Precision, recall, granularity and plagdet of found passages, as PAN defines them: macro averages
over characters of both texts. M. Potthast, B. Stein, A. Barrón-Cedeño, P. Rosso, "An evaluation
framework for plagiarism detection", 2010."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Passage:
    """A place of a suspect and the place of a source that it is from, in characters."""

    suspect: str
    begin: int
    size: int
    source: str
    source_begin: int
    source_size: int

    def overlaps(self, other: Passage) -> bool:
        """Returns whether both places of two passages overlap."""
        return (
            self.begin < other.begin + other.size
            and other.begin < self.begin + self.size
            and self.source_begin < other.source_begin + other.source_size
            and other.source_begin < self.source_begin + self.source_size
        )


@dataclass(frozen=True)
class Figures:
    """Of found passages beside the true ones."""

    cases: int
    found: int
    precision: float
    recall: float
    granularity: float

    @property
    def plagdet(self) -> float:
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return f1 / math.log2(1 + self.granularity)


def covered(begin: int, size: int, others: Iterable[tuple[int, int]]) -> int:
    """Returns how many characters of a place lie in the union of others (begin, size)."""
    at, end, count = begin, begin + size, 0
    for other, length in sorted(others):
        first, last = max(other, at), min(other + length, end)
        if last > first:
            count += last - first
            at = last
    return count


def _share(passage: Passage, others: Sequence[Passage]) -> float:
    both = covered(passage.begin, passage.size, [(o.begin, o.size) for o in others]) + covered(
        passage.source_begin,
        passage.source_size,
        [(o.source_begin, o.source_size) for o in others],
    )
    return both / max(1, passage.size + passage.source_size)


def score(truth: Sequence[Passage], found: Sequence[Passage]) -> Figures:
    """Compares found passages with the true ones."""
    by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for one in found:
        by_pair[(one.suspect, one.source)].append(one)
    recall, hits_of_cases = 0.0, []
    cases_of: dict[Passage, list[Passage]] = defaultdict(list)
    for case in truth:
        hits = [one for one in by_pair[(case.suspect, case.source)] if one.overlaps(case)]
        for one in hits:
            cases_of[one].append(case)
        recall += _share(case, hits)
        if hits:
            hits_of_cases.append(len(hits))
    precision = sum(_share(one, cases_of[one]) for one in found)
    return Figures(
        cases=len(truth),
        found=len(found),
        precision=precision / max(1, len(found)),
        recall=recall / max(1, len(truth)),
        granularity=sum(hits_of_cases) / len(hits_of_cases) if hits_of_cases else 1.0,
    )
