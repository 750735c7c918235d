"""What everybody can check without --data: the demo corpus, generated chains and templates,
invariance."""

from __future__ import annotations

import random
from collections.abc import Iterator

import corpora
import invariance
import referee
from judged import by_id, judge
from program import Program
from verdicts import Verdict, holds, zero


def check(program: Program) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    records = corpora.demo()
    corpora.say(f"  demo: {len(records)} documents")
    outcome = program.dedup("demo", records)
    yield from judge("demo", records, outcome)
    unmade = [
        r["id"]
        for r in records
        if r.get("edition", "").startswith("disguised")
        and not outcome.together(r["id"], _original_of(r["id"]))
    ]
    yield zero("demo", "disguised copies not found", len(unmade), str(unmade[:3]))
    yield from invariance.check("demo", program, records, outcome)
    yield from _chain(program)


def originals() -> list[corpora.Record]:
    """Returns the demo texts that attacks can start from: no disguised copies, long enough for a
    shingle."""
    return [
        r
        for r in corpora.demo()
        if not r.get("edition", "").startswith("disguised") and len(referee.units(r["text"])) >= 20
    ]


def _original_of(identity: str) -> str:
    return identity.rsplit("-", 1)[0]


def _chain(program: Program) -> Iterator[Verdict]:
    """Two hundred texts, each a near-duplicate of the next, the first and the last with nothing in
    common: a rule
    that follows connections makes one group of them; the greedy rule keeps every text that no kept
    one resembles."""
    rng = random.Random(11)
    symbols = "".join(chr(rng.randrange(0x4E00, 0x9FA0)) for _ in range(200 * 20 + 300))
    records = [{"id": f"link-{i:03d}", "text": symbols[i * 20 : i * 20 + 300]} for i in range(200)]
    outcome = program.dedup("chain", records)
    yield from judge("chain of near-duplicates", records, outcome)
    units = by_id(records)
    sizes = [list(outcome.keeper.values()).count(k) + 1 for k in set(outcome.keeper.values())]
    yield holds(
        "chain of near-duplicates",
        "no cluster is longer than a keeper and its neighbours",
        max(sizes) <= 3,
        f"largest {max(sizes)} of {len(units)}",
    )
