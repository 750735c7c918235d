"""What each channel finds again after a disguise, and what it costs: recovery of shingles, typos
neutralised, different words made equal.

Recovery is the share of the distinct 3-shingles of an original's symbols that its disguised copy
still has, the mean over the documents.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import channel_disguises
import corpora
import demo
import disguises
import verdicts
from program import WORK, ProgramFailed
from verdicts import Verdict, at_least, figure, skipped

TARGET = 0.95
DOCUMENTS = 60  # of each kind of disguise
LEAST_CHARACTERS = 100
FREQUENT_WORDS = 40_000  # where there is no --data: the price of these alone
VARIANTS = ("pinyin(reading=phrase)",)  # shown beside the channels' defaults
WORDS = (Path("/usr/lib/python3/dist-packages/jieba/dict.txt"),)

# disguise → the channels of which one at least must reach the target, and the target. Those that
# are missing have none: nothing cheap undoes them.
SEEN_THROUGH = {
    "homophones": (("pinyin",), TARGET),
    "traditional characters": (("folded",), TARGET),
    "split characters": (("shape",), TARGET),
    "spelled in Latin": (("pinyin",), TARGET),
    "first letters": (("initials",), TARGET),
    "look-alike letters": (("folded",), TARGET),
    "inserted symbols": (("loose",), TARGET),
    "numbers written otherwise": (("loose",), TARGET),
    "zero width": (("folded",), TARGET),
    "full width": (("folded",), TARGET),
    "fullwidth (dev)": (("folded",), TARGET),
    "zero_width (dev)": (("folded",), TARGET),
    "punct_noise (dev)": (("folded",), TARGET),
    "space_noise (dev)": (("folded",), TARGET),
    "trad_s2tw (dev)": (("regional",), 0.97),
}

Copies = list[tuple[corpora.Record, corpora.Record]]  # (original, copy)


@dataclass
class Findings:
    """Tables: row → channel → figure."""

    channels: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)  # channel → why it cannot be opened
    recovery: dict[str, dict[str, float]] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)
    typos: dict[str, float] = field(default_factory=dict)
    price: dict[str, dict[str, float]] = field(default_factory=dict)


class Channels:
    """The channels of the program, and their values of many texts."""

    def __init__(self, binary: Path) -> None:
        self.binary = binary
        self.missing: dict[str, str] = {}
        known = self._known()
        variants = [name for name in VARIANTS if name.split("(")[0] in known]
        self.names = [name for name in (*known, *variants) if self._opens(name)]

    def _run(self, scheme: str, documents: Path) -> subprocess.CompletedProcess[bytes]:
        command = [str(self.binary), "fingerprint", "--quiet", "-s", scheme, str(documents)]
        return subprocess.run(command, capture_output=True, check=False)

    def _known(self) -> list[str]:
        """Short names, those of the schemes' channel parameter."""
        done = subprocess.run(
            [str(self.binary), "schemes", "--json"], capture_output=True, check=True
        )
        types = [
            p["type"]
            for scheme in json.loads(done.stdout)
            for p in scheme["parameters"]
            if p["name"] == "channel"
        ]
        return [name.split(".v")[0] for name in types[0].split(" | ")]

    def _opens(self, name: str) -> bool:
        one = WORK / "channels-one.jsonl"
        corpora.write(one, [{"id": "1", "text": "一"}])
        done = self._run(f"exact(channel={name})", one)
        if done.returncode == 0:
            return True
        self.missing[name] = done.stderr.decode(errors="replace").strip()
        return False

    def values(self, scheme: str, records: Iterable[corpora.Record]) -> Iterator[Any]:
        """Yields the value of the scheme for each record, in order. Fails: ProgramFailed."""
        documents = WORK / "channels.jsonl"
        corpora.write(documents, records)
        done = self._run(scheme, documents)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()[-400:]
            raise ProgramFailed(f"zhiwen fingerprint -s '{scheme}': {message}")
        for line in done.stdout.splitlines():
            yield json.loads(line)["value"]

    def recovery(self, channel: str, copies: Copies) -> float:
        """Returns the mean share of the originals' shingles that are in the copies."""
        scheme = f"shingles(channel={channel},feature=shingle(k=3))"
        pairs = (record for pair in copies for record in pair)
        values = self.values(scheme, pairs)
        shares = []
        for original, copy in zip(values, values):
            if original:
                shares.append(len(set(original) & set(copy or ())) / len(original))
        return sum(shares) / len(shares) if shares else 0.0

    def whole(self, channel: str, texts: Iterable[str]) -> list[str | None]:
        """Returns a value for each text, equal where the channel sees the same symbols."""
        records = ({"id": str(i), "text": text} for i, text in enumerate(texts))
        return list(self.values(f"exact(channel={channel})", records))


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
                    copies.append(_pair(original, text))
                if len(copies) == count:
                    break
            yield name, copies or "no text is changed by it"
        except channel_disguises.Unavailable as missing:
            yield name, f"needs {missing}"


def dev_attacks(data: Path, sources: dict[str, corpora.Record]) -> Iterator[tuple[str, Copies]]:
    """Yields the dev set's whole-document attacks with their originals."""
    by_kind: dict[str, list[corpora.Record]] = defaultdict(list)
    for row in corpora.load(data, "whole_doc_attacks"):
        by_kind[row["attack"]].append(row)
    for kind, rows in sorted(by_kind.items()):
        yield f"{kind} (dev)", [
            _pair(sources[r["src_id"]], r["text"]) for r in sample(rows, DOCUMENTS)
        ]


def _unrelated(kinds: list[tuple[str, Copies | str]]) -> Copies:
    """Returns the originals of a kind, each with the next one as its copy: what chance finds."""
    originals = next([a for a, _ in copies] for _, copies in kinds if not isinstance(copies, str))
    return list(zip(originals, originals[1:] + originals[:1]))


def _pair(original: corpora.Record, text: str) -> tuple[corpora.Record, corpora.Record]:
    return {"id": "o", "text": original["text"]}, {"id": "c", "text": text}


def check_recovery(
    channels: Channels, found: Findings, data: Path | None
) -> Iterator[Verdict]:
    """The recovery table."""
    part = "recovery of 3-shingles"
    kinds: list[tuple[str, Copies | str]] = []
    if data is not None and corpora.has(data, "whole_doc_attacks"):
        sources = disguises.source_texts(data)
        kinds += disguised(list(sources.values()), data, DOCUMENTS)
        kinds += dev_attacks(data, sources)
    else:
        kinds += disguised(demo.originals(), data, DOCUMENTS // 3)
        yield skipped(part, "the dev set's attacks", "they need --data")
    kinds.append(("another text", _unrelated(kinds)))
    for name, copies in kinds:
        if isinstance(copies, str):
            yield skipped(part, name, copies)
            continue
        corpora.say(f"  {name}, {len(copies)} copies")
        row = {channel: channels.recovery(channel, copies) for channel in channels.names}
        found.recovery[name] = row
        found.documents[name] = len(copies)
        yield _judge(part, name, row)


def _judge(part: str, name: str, row: dict[str, float]) -> Verdict:
    wanted, target = SEEN_THROUGH.get(name, ((), 0.0))
    able = [c for c in row if not wanted or c.split("(")[0] in wanted]
    if not able:
        return skipped(part, name, f"needs {', '.join(wanted)}")
    best = max(able, key=lambda channel: row[channel])
    if not wanted:
        return figure(part, name, row[best], f"on {best}")
    return at_least(part, name, row[best], target, f"on {best}")


def check_typos(channels: Channels, found: Findings, data: Path | None) -> Iterator[Verdict]:
    """Share of the SIGHAN typos that a channel does not see, each alone in its sentence."""
    part = "typos neutralised (SIGHAN)"
    if not corpora.has(data, "pairs_sighan_typos"):
        yield skipped(part, "all channels", "pairs_sighan_typos is not in --data")
        return
    assert data is not None
    sentences = []
    for row in corpora.load(data, "pairs_sighan_typos"):
        for at, wrong, right in row["edits"]:
            if row["right"][at] == right != wrong:
                sentences += [row["right"], row["right"][:at] + wrong + row["right"][at + 1 :]]
    corpora.say(f"  typos: {len(sentences) // 2}")
    equal: dict[str, list[bool]] = {}
    for channel in channels.names:
        values = channels.whole(channel, sentences)
        equal[channel] = [a == b for a, b in zip(values[::2], values[1::2])]
    if {"pinyin", "shape"} <= equal.keys():
        equal["pinyin or shape"] = [a or b for a, b in zip(equal["pinyin"], equal["shape"])]
    for name, hits in equal.items():
        found.typos[name] = sum(hits) / len(hits)
        yield figure(part, name, found.typos[name], f"of {len(hits)}")


def check_price(channels: Channels, found: Findings, most: int | None) -> Iterator[Verdict]:
    """Different words that a channel makes equal, of the `most` frequent words of jieba's
    dictionary with two characters or more. What folded makes equal already is one word for
    the others."""
    part = "different words made equal"
    path = next((p for p in WORDS if p.exists()), None)
    if path is None:
        yield skipped(part, "all channels", f"{WORDS[0]} (apt-get install python3-jieba)")
        return
    rows = [line.split(" ") for line in path.read_text(encoding="utf-8").splitlines()]
    rows = sorted((row for row in rows if len(row[0]) > 1), key=lambda row: -int(row[1]))[:most]
    words, counts = [row[0] for row in rows], [int(row[1]) for row in rows]
    corpora.say(f"  price: {len(words)} words")
    folded = channels.whole("folded", words)
    for channel in channels.names:
        values = folded if channel == "folded" else channels.whole(channel, words)
        apart = words if channel in ("folded", "exact") else folded
        meanings = defaultdict(set)
        for value, word in zip(values, apart):
            meanings[value].add(word)
        merged = [value is not None and len(meanings[value]) > 1 for value in values]
        by_count = sum(merged) / len(merged)
        by_use = sum(c for c, m in zip(counts, merged) if m) / sum(counts)
        found.price[channel] = {"words": by_count, "occurrences": by_use}
        yield figure(part, channel, by_count, f"of {len(words)} words, {by_use:.4f} of their uses")


def check(binary: Path, data: Path | None, found: Findings) -> Iterator[Verdict]:
    """Yields the verdicts; fills the tables."""
    channels = Channels(binary)
    found.channels, found.missing = channels.names, channels.missing
    for name, why in channels.missing.items():
        yield skipped("channels", name, why)
    yield from check_recovery(channels, found, data)
    yield from check_typos(channels, found, data)
    yield from check_price(channels, found, None if data else FREQUENT_WORDS)


def markdown(found: Findings) -> str:
    """Returns the tables for docs/channels.md."""
    lines = _table(
        ["disguise", "texts", *found.channels],
        [
            [name, str(found.documents[name]), *_figures(row, found.channels)]
            for name, row in found.recovery.items()
        ],
    )
    if found.typos:
        lines += ["", *_table(list(found.typos), [_figures(found.typos, list(found.typos))])]
    if found.price:
        rows = [
            [channel, f"{row['words']:.2%}", f"{row['occurrences']:.2%}"]
            for channel, row in found.price.items()
        ]
        lines += ["", *_table(["channel", "words", "of their uses"], rows)]
    return "\n".join(lines)


def _figures(row: dict[str, float], channels: list[str]) -> list[str]:
    best = max(row.values())
    texts = [f"{row[c]:.3f}" for c in channels]
    return [f"**{t}**" if row[c] == best else t for t, c in zip(texts, channels)]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of `eval/run.py channels`."""
    parser.add_argument("--zhiwen", type=Path, default=Path("build/release/bin/zhiwen"))
    parser.add_argument("--data", type=Path, help="folder with the dev corpora")
    parser.add_argument("--json", action="store_true", help="one JSON object: tables and checks")
    parser.add_argument("--markdown", action="store_true", help="the tables for docs/channels.md")


def main(options: argparse.Namespace) -> int:
    """Prints what was found. Returns the exit status."""
    found = Findings()
    judged: list[Verdict] = []
    try:
        judged.extend(check(options.zhiwen, options.data, found))
    except (ProgramFailed, FileNotFoundError) as error:
        corpora.say(f"eval: {error}")
        return 1
    if options.json:
        tables = {"tables": vars(found)}
        print(json.dumps(verdicts.as_json(judged) | tables, ensure_ascii=False, indent=1))
    else:
        print(markdown(found) if options.markdown else verdicts.table(judged))
    return 1 if any(v.passed is False for v in judged) else 0
