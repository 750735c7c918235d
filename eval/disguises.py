"""Disguised copies: the share that is found, kind by kind. Each kind is a corpus of its own:
originals and copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import attacks
import corpora
from program import Program
from verdicts import Verdict, at_least, figure, skipped

GENERATED_TARGET = 0.99
# the dev set's kinds that have a target; space_noise also cuts words, trad_s2tw also rewrites
# vocabulary
DEV_TARGETS = {
    "fullwidth": 0.99,
    "zero_width": 0.99,
    "punct_noise": 0.99,
    "space_noise": 0.91,
    "trad_s2tw": 0.93,
}
Copies = list[tuple[str, corpora.Record]]  # (id of the original, the copy)


def check_generated(
    program: Program, originals: list[corpora.Record], origin: str
) -> Iterator[Verdict]:
    """Every attack of attacks.py on the originals."""
    part = f"generated disguises of {origin}"
    for name in attacks.ATTACKS:
        copies = [
            (r["id"], {"id": r["id"] + "/copy", "text": attacks.apply(name, r["id"], r["text"])})
            for r in originals
        ]
        changed = [c for c, r in zip(copies, originals) if c[1]["text"] != r["text"]]
        yield _recall(part, program, name, originals, changed, GENERATED_TARGET)


def check_dev(program: Program, data: Path) -> Iterator[Verdict]:
    """The dev set of whole-document attacks."""
    part = "disguises of the dev set"
    if not corpora.has(data, "whole_doc_attacks"):
        yield skipped(part, "attacks", "whole_doc_attacks is not in --data")
        return
    sources = source_texts(data)
    for kind, rows in attacked(data).items():
        copies = [(row["src_id"], {"id": row["id"], "text": row["text"]}) for row in rows]
        originals = [sources[i] for i in dict.fromkeys(source for source, _ in copies)]
        yield _recall(part, program, kind, originals, copies, DEV_TARGETS.get(kind))


def attacked(data: Path) -> dict[str, list[corpora.Record]]:
    """Returns attack → its documents in the dev set."""
    by_kind: dict[str, list[corpora.Record]] = defaultdict(list)
    for row in corpora.load(data, "whole_doc_attacks"):
        by_kind[row["attack"]].append(row)
    return dict(sorted(by_kind.items()))


def source_texts(data: Path) -> dict[str, corpora.Record]:
    """Returns id → record of the news and academic corpora."""
    return {r["id"]: r for r in corpora.load(data, *corpora.NEWS_CORPORA)}


def dev_originals(data: Path) -> list[corpora.Record]:
    """Returns the originals of the dev set's attacks, for the generators."""
    wanted = {r["src_id"] for r in corpora.load(data, "whole_doc_attacks")}
    return [r for i, r in source_texts(data).items() if i in wanted]


def _recall(
    part: str,
    program: Program,
    name: str,
    originals: list[corpora.Record],
    copies: Copies,
    target: float | None,
) -> Verdict:
    """A copy is found when it or its original is removed with the other as keeper, or both for one
    keeper."""
    if not copies:
        return skipped(part, name, "no original is changed by it")
    corpora.say(f"  {part}: {name}, {len(copies)} copies")
    records = [{"id": r["id"], "text": r["text"]} for r in originals] + [c for _, c in copies]
    outcome = program.dedup("attack-" + name.replace(" ", "-").replace(",", ""), records)
    missed = [c["id"] for source, c in copies if not outcome.together(source, c["id"])]
    recall = 1 - len(missed) / len(copies)
    detail = f"of {len(copies)}" + (f", missed {missed[:2]}" if missed and target else "")
    return (
        figure(part, name, recall, detail)
        if target is None
        else at_least(part, name, recall, target, detail)
    )
