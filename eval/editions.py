"""Editions and versions: novels and poems in several editions, pages in several versions.

The referee's measure is the units' resemblance after traditional → simplified. The truth files of
the novels
and poems are built otherwise (character shingles after OpenCC's phrase conversion; poems: shingles
of three);
their pairs are shown as recall, the units' exact pairs decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import corpora
from judged import HIGH, by_id, judge, similarity
from program import Outcome, Program
from verdicts import Verdict, at_least, figure, skipped, zero

VERSIONS = ("pairs_ver_cppzh", "pairs_ver_docs", "pairs_ver_translation_xitu", "pairs_cntw_cpp")


def check(program: Program, data: Path) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    for part, corpus, truth, measure in (
        ("classics", "classics_chapters", "truth_classics_pairs", "j5"),
        ("poems", "short_poems", "truth_poem_pairs", "j3"),
    ):
        if not (corpora.has(data, corpus) and corpora.has(data, truth)):
            yield skipped(part, "editions", f"{corpus} or {truth} is not in --data")
            continue
        records = corpora.load(data, corpus)
        corpora.say(f"  {part}: {len(records)} documents")
        outcome = program.dedup(part, records)
        yield from judge(part, records, outcome)
        yield from _listed_pairs(part, records, corpora.load(data, truth), measure, outcome)
    for name in VERSIONS:
        part = "versions " + name.removeprefix("pairs_")
        if not corpora.has(data, name):
            yield skipped(part, "versions", f"{name} is not in --data")
            continue
        yield from _versions(part, program, corpora.load(data, name))


def _listed_pairs(
    part: str,
    records: list[corpora.Record],
    truth: list[corpora.Record],
    measure: str,
    outcome: Outcome,
) -> Iterator[Verdict]:
    """Shares of the listed pairs of which one is removed: all that are high by the truth's
    measure, and those
    that are high by the units too."""
    units = by_id(records)
    listed = [(r["id_a"], r["id_b"]) for r in truth if r["sim"][measure] >= HIGH]
    removed = [p for p in listed if p[0] in outcome.keeper or p[1] in outcome.keeper]
    high = [p for p in listed if similarity(units[p[0]], units[p[1]]) >= HIGH]
    found = sum(a in outcome.keeper or b in outcome.keeper for a, b in high)
    yield figure(
        part,
        f"listed pairs, {measure} >= {HIGH}: one removed",
        len(removed) / max(1, len(listed)),
        f"{len(removed)} of {len(listed)}",
    )
    yield at_least(
        part,
        f"listed pairs, units >= {HIGH} too: one removed",
        found / max(1, len(high)),
        1.0,
        f"{found} of {len(high)}",
    )


def _versions(part: str, program: Program, pairs: list[corpora.Record]) -> Iterator[Verdict]:
    """Both sides of all pairs are one corpus; per label the share of pairs of which one is
    removed."""
    texts: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    for row in pairs:
        for side in (row["a"], row["b"]):
            key = (side["id"], side["text"])
            names.setdefault(key, f"{side['id']}|{len(names)}")
            texts[names[key]] = side["text"]
    records = [{"id": i, "text": t} for i, t in texts.items()]
    corpora.say(f"  {part}: {len(records)} documents")
    outcome = program.dedup(part.replace(" ", "-"), records)
    yield from judge(part, records, outcome)
    shares: dict[str, list[bool]] = defaultdict(list)
    merged_weak = []
    for row in pairs:
        a, b = (names[(row[s]["id"], row[s]["text"])] for s in "ab")
        shares[row["label"]].append(a in outcome.keeper or b in outcome.keeper)
        if (
            row["label"] == "weak"
            and a != b
            and (outcome.keeper.get(a) == b or outcome.keeper.get(b) == a)
        ):
            merged_weak.append((a, b))
    for label, found in sorted(shares.items()):
        yield figure(
            part,
            f"pairs labelled {label}: one removed",
            sum(found) / len(found),
            f"{sum(found)} of {len(found)}",
        )
    yield zero(
        part, "pairs labelled weak, removed for each other", len(merged_weak), str(merged_weak[:2])
    )
