"""English: the same rules where a unit is a word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpora
import referee
from judged import LOW, judge, similarity
from program import Program
from verdicts import Verdict, holds, skipped, zero

MANY_WORDS = 20


def check(program: Program, data: Path) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    yield from _clough(program, data)
    yield from _pages(program, data)


def _clough(program: Program, data: Path) -> Iterator[Verdict]:
    part = "English answers (Clough)"
    if not corpora.has(data, "pairs_clough_en"):
        yield skipped(part, "reused answers", "pairs_clough_en is not in --data")
        return
    pairs = corpora.load(data, "pairs_clough_en")
    texts = {side["id"]: side["text"] for row in pairs for side in (row["a"], row["b"])}
    records = [{"id": i, "text": t} for i, t in texts.items()]
    outcome = program.dedup("clough", records)
    yield from judge(part, records, outcome)
    own = [r for r in pairs if r["label"] in ("weak", "partial")]
    merged = [
        (r["a"]["id"], r["b"]["id"])
        for r in own
        if outcome.keeper.get(r["a"]["id"]) == r["b"]["id"]
        or outcome.keeper.get(r["b"]["id"]) == r["a"]["id"]
    ]
    yield zero(part, "answers of other words removed for each other", len(merged), str(merged[:2]))


def _pages(program: Program, data: Path) -> Iterator[Verdict]:
    part = "English pages, gold texts"
    if not corpora.has(data, "html_en"):
        yield skipped(part, "pages", "html_en is not in --data")
        return
    records = [{"id": r["id"], "text": r["gold_text"]} for r in corpora.load(data, "html_en")]
    outcome = program.dedup("html-en", records)
    yield from judge(part, records, outcome)
    yield _words_are_units(part, program, records)


def _words_are_units(part: str, program: Program, records: list[corpora.Record]) -> Verdict:
    """No English text is one unit: a text and its first half are different texts (unless it
    repeats itself), so
    both must stay; a tool that sees a text as one token, or as none, merges or drops them."""
    halves = []
    for record in records:
        words = record["text"].split()
        half = " ".join(words[: len(words) // 2])
        if (
            len(words) >= MANY_WORDS
            and similarity(referee.units(half), referee.units(record["text"])) < LOW
        ):
            halves.append({"id": record["id"] + "/half", "text": half})
    outcome = program.dedup("html-en-halves", records + halves)
    pairs = [(h["id"], h["id"].removesuffix("/half")) for h in halves]
    merged = [
        p for p in pairs if outcome.keeper.get(p[0]) == p[1] or outcome.keeper.get(p[1]) == p[0]
    ]
    return holds(
        part,
        f"a text and its half stay two texts (of {len(pairs)})",
        not merged,
        str(merged[:2]) if merged else "",
    )
