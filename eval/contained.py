"""Parts of texts: crops, halves and concatenations in mode contained, items of a test set inside
pages. Every part is cut by a seed, so that everybody judges the same."""

from __future__ import annotations

import random
from collections.abc import Iterator

import corpora
import referee
from program import Outcome, Program
from verdicts import Verdict, at_least, zero

THRESHOLD = 0.8  # the default of every mode
LEAST_FOUND = 0.95
LEAST_UNITS = 60  # of a text that parts are cut from: a crop must have 20 shingles
ITEM = 30  # characters of a planted test item
ITEMS = 200
ROUNDING = 1e-9


def check(program: Program, records: list[corpora.Record], origin: str) -> Iterator[Verdict]:
    """Yields the verdicts for parts of `records`."""
    rng = random.Random(7)
    whole = [
        {"id": r["id"], "text": r["text"]}
        for r in records
        if len(referee.units(r["text"])) >= LEAST_UNITS
    ]
    # Parts of texts that are there twice would have two originals to go for.
    twice = program.dedup("contained-originals", whole, "--mode", "contained").keeper
    whole = [r for r in whole if r["id"] not in twice]
    part = f"parts of {origin}"
    for name, pieces in {
        "crops": [(r["id"], _crop(r["text"], rng)) for r in whole],
        "halves": [(r["id"], half) for r in whole for half in _halves(r["text"])],
        "concatenations": list(_joined(whole, rng)),
    }.items():
        made = [
            {"id": f"{name}-{number}", "text": text} for number, (_, text) in enumerate(pieces)
        ]
        corpora.say(f"  {part}: {len(made)} {name}")
        all_records = whole + made
        outcome = program.dedup(f"contained-{name}", all_records, "--mode", "contained")
        pairs = [(of, record["id"]) for (of, _), record in zip(pieces, made, strict=True)]
        found = sum(outcome.together(a, b) for a, b in pairs)
        yield at_least(part, f"{name} found", found / len(pairs), LEAST_FOUND, f"of {len(pairs)}")
        wrong = _wrong(all_records, outcome)
        yield zero(part, f"{name}: wrong removals", len(wrong), str(wrong[:3]))
    yield from _decontaminated(program, whole, part, rng)


def _crop(text: str, rng: random.Random) -> str:
    length = round(len(text) * rng.uniform(0.5, 0.9))
    begin = rng.randrange(len(text) - length + 1)
    return text[begin : begin + length]


def _halves(text: str) -> tuple[str, str]:
    middle = len(text) // 2
    return text[:middle], text[middle:]


def _joined(whole: list[corpora.Record], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Two texts as one; no text is in two of them, or it might go for the other one."""
    order = rng.sample(whole, len(whole))
    for first, second in zip(order[::2], order[1::2], strict=False):
        yield first["id"], first["text"] + "\n" + second["text"]


def _wrong(records: list[corpora.Record], outcome: Outcome) -> list[tuple[str, str]]:
    """Removals whose shingles are not for the most part in their keeper."""
    texts = {r["id"]: r["text"] for r in records}
    wrong = []
    for removed, kept in outcome.keeper.items():
        small, large = (referee.units(texts[i]) for i in (removed, kept))
        of_small, of_large = referee.shingles(small), referee.shingles(large)
        share = len(of_small & of_large) / len(of_small) if of_small else float(small == large)
        if share < THRESHOLD - ROUNDING:
            wrong.append((removed, kept))
    return wrong


def _decontaminated(
    program: Program, whole: list[corpora.Record], part: str, rng: random.Random
) -> Iterator[Verdict]:
    """Items of a test set, each put into one page; the pages must go, and no others."""
    pages = [dict(r) for r in whole]
    alphabet = [chr(c) for c in range(0x4E00, 0x9F00)]
    planted = rng.sample(range(len(pages)), min(ITEMS, len(pages) // 2))
    items = []
    for place in planted:
        item = "".join(rng.choices(alphabet, k=ITEM))
        text = pages[place]["text"]
        at = rng.randrange(len(text) + 1)
        pages[place]["text"] = text[:at] + "\n" + item + "\n" + text[at:]
        items.append({"id": f"item-{place}", "text": item})
    references = program.write("decontamination-items", items)
    outcome = program.dedup(
        "decontamination",
        pages,
        *("--mode", "exact", "--against", str(references), "--against-rule", "contains"),
    )
    against = {i for i, kept in outcome.keeper.items() if kept.startswith("item-")}
    wanted = {pages[place]["id"] for place in planted}
    yield at_least(
        part,
        f"pages with a planted item of {ITEM} characters found",
        len(against & wanted) / len(wanted),
        1.0,
        f"of {len(wanted)}",
    )
    wrong = sorted(against - wanted)
    yield zero(part, "pages without an item removed", len(wrong), str(wrong[:3]))
