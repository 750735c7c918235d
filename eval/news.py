"""News and academic texts against the exhaustive truth_natdup_news, and against the scorer beside
the data."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import corpora
import invariance
from judged import HIGH, LOW
from program import Outcome, Program
from verdicts import Verdict, figure, holds, skipped, zero

PART = "news and academic"
TEMPLATE_PARTNERS = 100  # a text with as many relatives of resemblance >= 0.3 is of a template

Truth = dict[frozenset[str], float]


def check(program: Program, data: Path, scorer: Path | None) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    if not all(corpora.has(data, n) for n in (*corpora.NEWS_CORPORA, "truth_natdup_news")):
        yield skipped(PART, "residual pairs and wrong removals", "the corpora are not in --data")
        return
    records = corpora.load(data, *corpora.NEWS_CORPORA)
    rows = corpora.load(data, "truth_natdup_news")
    truth = {frozenset((r["id_a"], r["id_b"])): r["sim"]["j5"] for r in rows}
    corpora.say(f"  {PART}: {len(records)} documents")
    outcome = program.dedup("news", records)
    residual, wrong = _against_truth(truth, outcome)
    yield figure(PART, "documents / removed", f"{len(records)} / {len(outcome.keeper)}")
    yield zero(PART, f"residual pairs, j5 >= {HIGH}", len(residual), str(residual[:3]))
    yield zero(PART, f"wrong removals, j5 < {LOW}", len(wrong), str(wrong[:3]))
    yield _scorer_agrees(data, scorer, outcome, len(residual), len(wrong))
    yield from _templates(truth, outcome)
    yield from _hard_negatives(data, outcome)
    yield from invariance.check("news", program, records, outcome)


def _against_truth(truth: Truth, outcome: Outcome) -> tuple[list[list[str]], list[list[str]]]:
    """Returns residual pairs and wrong removals by the truth's own j5 (a pair not listed is below
    0.3)."""
    residual = [
        sorted(p) for p, j5 in truth.items() if j5 >= HIGH and not p & outcome.keeper.keys()
    ]
    wrong = [[d, k] for d, k in outcome.keeper.items() if truth.get(frozenset((d, k)), 0.0) < LOW]
    return residual, wrong


def _scorer_agrees(
    data: Path, scorer: Path | None, outcome: Outcome, residual: int, wrong: int
) -> Verdict:
    """Runs the scorer that lies beside the data, when it does."""
    scorer = scorer or data.parent / "scorers" / "dedup_score.py"
    name = "dedup_score.py agrees"
    if not scorer.exists():
        return skipped(PART, name, f"{scorer} is not there")
    truth = corpora.locate(data, "truth_natdup_news")
    command = [sys.executable, str(scorer), str(truth), str(outcome.folder / "removed.jsonl.zst")]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    same = (found["residual"], found["wrong"], found["removed"]) == (
        residual,
        wrong,
        len(outcome.keeper),
    )
    return holds(PART, name, same, f"it says residual {found['residual']}, wrong {found['wrong']}")


def _templates(truth: Truth, outcome: Outcome) -> Iterator[Verdict]:
    """Daily bulletins of one template: alike, but different events; unverified tools make one
    group of them."""
    relatives = Counter(i for pair in truth for i in pair if truth[pair] >= 0.3)
    bulletins = {i for i, count in relatives.items() if count >= TEMPLATE_PARTNERS}
    removed = [i for i in bulletins if i in outcome.keeper]
    near = {i for pair, j5 in truth.items() if j5 >= LOW for i in pair}
    sizes = Counter(outcome.keeper[i] for i in removed)
    largest = max(sizes.values(), default=0) + 1
    yield figure(PART, "bulletins of one template", len(bulletins))
    yield zero(
        PART,
        "bulletins removed without a near-duplicate",
        sum(i not in near for i in removed),
        str(removed[:3]),
    )
    yield figure(PART, "bulletins removed", len(removed))
    yield Verdict(PART, "largest cluster of bulletins", largest, "<= 10", largest <= 10)


def _hard_negatives(data: Path, outcome: Outcome) -> Iterator[Verdict]:
    """Same headline, different text."""
    if not corpora.has(data, "pairs_hard_negative_news"):
        yield skipped(PART, "hard negatives removed for each other", "not in --data")
        return
    pairs = [(r["id_a"], r["id_b"]) for r in corpora.load(data, "pairs_hard_negative_news")]
    merged = [
        p for p in pairs if outcome.keeper.get(p[0]) == p[1] or outcome.keeper.get(p[1]) == p[0]
    ]
    yield zero(
        PART,
        f"hard negatives removed for each other (of {len(pairs)})",
        len(merged),
        str(merged[:3]),
    )
