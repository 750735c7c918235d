"""What each channel finds again after a disguise, and what it costs: recovery of shingles, typos
neutralised, different words made equal.

Recovery is the share of the distinct 3-shingles of an original's symbols that its disguised copy
still has, the mean over the documents.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import channel_disguises
import channel_price
import corpora
import demo
import disguises
from channel_price import Price, Running
from channel_values import Channels, Copies
from program import add_forms, add_inputs
from tables import markdown_table
from verdicts import Verdict, at_least, figure, missing, skipped

TARGET = 0.95
DOCUMENTS = 60  # of each kind of disguise; a third of them without --data
LEAST_CHARACTERS = 100
DEV = "(dev)"  # ends the names of the attacks of the dev set

# disguise → the channel that must see through it, and the share it must find. Those that are not
# here have none: nothing cheap undoes them.
SEEN_THROUGH = {
    "homophones": ("pinyin", TARGET),
    "traditional characters": ("folded", TARGET),
    "split characters": ("shape", TARGET),
    "spelled in Latin": ("pinyin", TARGET),
    "first letters": ("initials", TARGET),
    "look-alike letters": ("folded", TARGET),
    "inserted symbols": ("loose", TARGET),
    "numbers written otherwise": ("loose", TARGET),
    "火星文": ("loose", 0.92),  # the list of loose has most of the disguise's characters, not all
    "zero width": ("folded", TARGET),
    "full width": ("folded", TARGET),
    "fullwidth (dev)": ("folded", TARGET),
    "zero_width (dev)": ("folded", TARGET),
    "punct_noise (dev)": ("folded", TARGET),
    "space_noise (dev)": ("folded", TARGET),
    "trad_s2tw (dev)": ("regional", 0.97),
}
# disguise → a channel, the same one without the step that is for it, and what that step must add
STEPS = {
    "trad_s2tw (dev)": ("regional", "folded", 0.01),
    "split characters": ("shape", "folded", 0.2),
    "inserted symbols": ("loose", "loose(drop_symbols=no)", 0.2),
    "numbers written otherwise": ("loose", "loose(numbers=no)", 0.02),
    "火星文": ("loose", "loose(slang=no)", 0.05),
}


@dataclass
class Findings:
    """Tables: row → channel → figure."""

    channels: list[str] = field(default_factory=list)
    recovery: dict[str, dict[str, float]] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)
    steps: dict[str, tuple[float, float]] = field(default_factory=dict)
    typos: dict[str, float] = field(default_factory=dict)
    price: dict[str, Price] = field(default_factory=dict)
    running: dict[str, Running] = field(default_factory=dict)
    latin: dict[str, tuple[float, float]] = field(default_factory=dict)


def sample(records: list[corpora.Record], count: int) -> list[corpora.Record]:
    """Returns at most `count` records, chosen by the hash of their ids."""
    long_enough = [r for r in records if len(r["text"]) >= LEAST_CHARACTERS]
    return sorted(long_enough, key=lambda r: zlib.crc32(r["id"].encode()))[:count]


def disguised(
    originals: list[corpora.Record], data: Path | None, count: int
) -> Iterator[tuple[str, Copies | str]]:
    """Yields each kind of disguise with its copies, or with why there are none."""
    for name in channel_disguises.DISGUISES:
        try:
            disguise = channel_disguises.make(name, data)
            copies: Copies = []
            for original in sample(originals, len(originals)):
                text = channel_disguises.apply(disguise, name, original["id"], original["text"])
                if text != original["text"]:
                    copies.append((original["text"], text))
                if len(copies) == count:
                    break
            yield name, copies or "no text is changed by it"
        except channel_disguises.Unavailable as absent:
            yield name, f"needs {absent}"


def dev_attacks(data: Path, sources: dict[str, corpora.Record]) -> Iterator[tuple[str, Copies]]:
    """Yields the dev set's whole-document attacks with their originals."""
    for kind, rows in disguises.attacked(data).items():
        chosen = sample(rows, DOCUMENTS)
        yield f"{kind} {DEV}", [(sources[r["src_id"]]["text"], r["text"]) for r in chosen]


def _kinds(data: Path | None) -> list[tuple[str, Copies | str]]:
    """Returns all kinds of copies, and those that have a target but cannot be made."""
    if data is None:
        kinds = list(disguised(demo.originals(), data, DOCUMENTS // 3))
    elif corpora.has(data, "whole_doc_attacks"):
        sources = disguises.source_texts(data)
        kinds = list(disguised(list(sources.values()), data, DOCUMENTS))
        kinds += dev_attacks(data, sources)
    else:
        kinds = list(disguised(demo.originals(), data, DOCUMENTS // 3))
    originals = next([a for a, _ in copies] for _, copies in kinds if not isinstance(copies, str))
    kinds.append(("another text", list(zip(originals, originals[1:] + originals[:1]))))
    named = {name for name, _ in kinds}
    wanted = [name for name in SEEN_THROUGH if data is not None or not name.endswith(DEV)]
    return kinds + [(name, "it is not in --data") for name in wanted if name not in named]


def check_recovery(channels: Channels, found: Findings, data: Path | None) -> Iterator[Verdict]:
    """The recovery table, and what single steps add."""
    part = "recovery of 3-shingles"
    added = []
    if data is None:
        yield skipped(part, "the dev set's attacks", "they need --data")
    for name, copies in _kinds(data):
        step = STEPS.get(name)
        if isinstance(copies, str):
            yield (missing if name in SEEN_THROUGH else skipped)(part, name, copies)
            continue
        corpora.say(f"  {name}, {len(copies)} copies")
        able = list(channels.names)
        if step is not None and step[1].split("(")[0] in able and step[1] not in able:
            able.append(step[1])
        row = channels.recovery(able, copies)
        found.documents[name] = len(copies)
        found.recovery[name] = {channel: row[channel] for channel in channels.names}
        yield _judge(part, name, found.recovery[name])
        if step is not None:
            added.append(_judge_step(name, step, row, found))
    yield from added


def _judge(part: str, name: str, row: dict[str, float]) -> Verdict:
    if name not in SEEN_THROUGH:
        best = max(row, key=lambda channel: row[channel])
        return figure(part, name, row[best], f"on {best}")
    channel, target = SEEN_THROUGH[name]
    if channel not in row:
        return missing(part, name, f"needs {channel}")
    return at_least(part, name, row[channel], target, f"on {channel}")


def _judge_step(
    name: str, step: tuple[str, str, float], row: dict[str, float], found: Findings
) -> Verdict:
    part, label = "what a step adds", f"{name}: {step[0]} over {step[1]}"
    if step[0] not in row or step[1] not in row:
        return missing(part, label, f"needs {step[0]} and {step[1]}")
    found.steps[label] = row[step[1]], row[step[0]]
    return at_least(part, label, row[step[0]] - row[step[1]], step[2])


def check_typos(channels: Channels, found: Findings, data: Path | None) -> Iterator[Verdict]:
    """Share of the SIGHAN typos that a channel does not see, each alone in its sentence."""
    part = "typos neutralised (SIGHAN)"
    if not corpora.has(data, "pairs_sighan_typos"):
        yield skipped(part, "all channels", "pairs_sighan_typos is not in --data")
        return
    assert data is not None
    sentences, edits = [], 0
    for row in corpora.load(data, "pairs_sighan_typos"):
        edits += len(row["edits"])
        for at, wrong, right in row["edits"]:
            if row["right"][at] == right != wrong:
                sentences += [row["right"], row["right"][:at] + wrong + row["right"][at + 1 :]]
    corpora.say(f"  typos: {len(sentences) // 2}")
    seen = channels.whole(channels.names, sentences)
    equal = {
        channel: [a == b for a, b in zip(values[::2], values[1::2])]
        for channel, values in seen.items()
    }
    if {"pinyin", "shape"} <= equal.keys():
        equal["pinyin or shape"] = [a or b for a, b in zip(equal["pinyin"], equal["shape"])]
    for name, hits in equal.items():
        found.typos[name] = sum(hits) / len(hits)
        unchanged = edits - len(hits)
        detail = f"of {len(hits)}; {unchanged} more change nothing"
        yield figure(part, name, found.typos[name], detail)


def check(options: argparse.Namespace, found: Findings) -> Iterator[Verdict]:
    """Yields the verdicts of `eval channels`; fills the tables."""
    data: Path | None = options.data
    channels = Channels(options.zhiwen)
    found.channels = channels.names
    for name, why in channels.missing.items():
        yield missing("channels", name, why)
    yield from check_recovery(channels, found, data)
    yield from check_typos(channels, found, data)
    yield from channel_price.check_words(channels, found.price, data)
    yield from channel_price.check_running(channels, found.running, data)
    yield from channel_price.check_latin(channels, found.latin, data)


def markdown(found: Findings) -> str:
    """Returns the tables for docs/channels.md."""
    tables = [
        markdown_table(
            ["disguise", "texts", *found.channels],
            [
                [name, str(found.documents[name]), *_figures(row, found.channels)]
                for name, row in found.recovery.items()
            ],
        ),
        markdown_table(
            ["disguise: channel", "without the step", "with it"],
            [[name, f"{a:.3f}", f"{b:.3f}"] for name, (a, b) in found.steps.items()],
        ),
    ]
    if found.typos:
        tables.append(markdown_table(list(found.typos), [_figures(found.typos, list(found.typos))]))
    head = ["channel", "words", "of their uses", "groups", "pairs", "the most used"]
    rows = [
        [
            name,
            f"{row.words:.2%}",
            f"{row.uses:.2%}",
            f"{row.groups:,}",
            f"{row.pairs:,}",
            " ".join(row.examples),
        ]
        for name, row in found.price.items()
    ]
    tables.append(markdown_table(head, rows, left=(0, len(head) - 1)))
    head = ["channel", *(f"{k} symbols" for k in channel_price.LENGTHS), "undone"]
    rows = [
        [
            name,
            *(f"{share * 10_000:,.1f}" for share in row.merged),
            "" if row.undone is None else f"{row.undone:.1f}",
        ]
        for name, row in found.running.items()
    ]
    tables.append(markdown_table(head, rows))
    head = ["channel", "runs read as they were spelled", "English words read"]
    rows = [[name, f"{a:.1%}", f"{b:.1%}"] for name, (a, b) in found.latin.items()]
    tables.append(markdown_table(head, rows))
    return "\n\n".join(tables)


def _figures(row: dict[str, float], channels: list[str]) -> list[str]:
    best = max(row.values())
    texts = [f"{row[c]:.3f}" for c in channels]
    return [f"**{t}**" if row[c] == best else t for t, c in zip(texts, channels)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of `eval/run.py channels`."""
    add_inputs(parser, "folder with the dev corpora")
    add_forms(
        parser,
        "the tables for docs/channels.md; checks on stderr",
        "one JSON object: tables and checks",
    )
