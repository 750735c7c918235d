"""What is common to the parts: a corpus is deduplicated and its removals are judged by the
referee's own measure."""

from __future__ import annotations

import corpora
import join
import referee
from program import Outcome
from verdicts import Verdict, figure, zero

HIGH, LOW = 0.85, 0.70  # a residual pair is at least HIGH, a wrong removal below LOW


def by_id(records: list[corpora.Record]) -> dict[str, str]:
    """Returns id → the units of its text."""
    return {r["id"]: referee.units(r["text"]) for r in records}


def similarity(a: str, b: str) -> float:
    """Resemblance of two unit sequences; 1 for equal ones, however short."""
    return 1.0 if a == b else referee.resemblance(referee.shingles(a), referee.shingles(b))


def wrong_removals(units: dict[str, str], keeper: dict[str, str]) -> list[tuple[str, str, float]]:
    """Returns the removals whose keeper resembles them less than LOW by the referee's units."""
    judged = ((d, k, round(similarity(units[d], units[k]), 4)) for d, k in keeper.items())
    return [row for row in judged if row[2] < LOW]


def judge(part: str, records: list[corpora.Record], outcome: Outcome) -> list[Verdict]:
    """Residual pairs and wrong removals of a corpus, against the exact join of the referee's
    units."""
    units = by_id(records)
    pairs = join.exact_pairs(units, HIGH)
    residual = [
        (a, b, round(s, 4))
        for (a, b), s in pairs.items()
        if a not in outcome.keeper and b not in outcome.keeper
    ]
    wrong = wrong_removals(units, outcome.keeper)
    return [
        figure(part, "documents / removed", f"{len(records)} / {len(outcome.keeper)}"),
        zero(
            part,
            f"residual pairs >= {HIGH} among the kept (of {len(pairs)})",
            len(residual),
            str(residual[:3]),
        ),
        zero(part, f"wrong removals (< {LOW})", len(wrong), str(wrong[:3])),
    ]
