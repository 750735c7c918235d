"""What channels cost: different words made equal, shingles of running text that stand for others,
and Latin words read as Chinese."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import channel_disguises
import corpora
import demo
from channel_values import Channels
from program import WORK, Program
from verdicts import Verdict, at_least, figure, skipped

DICTIONARY = Path("/usr/lib/python3/dist-packages/jieba/dict.txt")
FREQUENT_WORDS = 20_000  # where there is no --data: the price of these alone
EXAMPLES = 3
LENGTHS = (3, 5, 8)  # of shingles of running text
RUNNING_CORPORA = ("news_rmrb", "acad_fudan", "tech_docs")
RUNNING_BYTES, RUNNING_DEMO_BYTES = 400_000, 250_000  # of each corpus, of testdata
ENGLISH = (("pairs_clough_en", "a"), ("html_en", "gold_text"))
SPELLED_WORDS = 5_000
READ_RIGHT = 0.95  # of the uses of words, spelled as one run

BASE = "folded.v2"  # what the channels beyond folded are made of

# step → the channel with that step alone, and the one before it
STEPS = {
    "folded.v2 over folded.v1": (BASE, "folded.v1"),
    "loose: drop_symbols": ("loose(numbers=no,slang=no)", BASE),
    "loose: numbers": ("loose(drop_symbols=no,slang=no)", BASE),
    "loose: slang": ("loose(drop_symbols=no,numbers=no)", BASE),
}
# channel or step → its count of disguise evidence
UNDONE = {
    "regional": "regional",
    "shape": "recomposed",
    "pinyin": "spelled",
    "initials": "spelled",
    "loose: numbers": "numbers",
    "loose: slang": "slang",
}


@dataclass
class Price:
    """Of words: the shares that are equal to another one, as words and by their uses; the groups
    and pairs of different words that are equal."""

    words: float
    uses: float
    groups: int
    pairs: int
    examples: list[str]


@dataclass
class Running:
    """Of running text: the share of positions whose shingle stands for others, too, by length; and
    what is undone in 10,000 symbols, where nobody disguised anything; none where nothing is."""

    merged: list[float]
    undone: float | None


def _words() -> list[tuple[str, int]]:
    rows = [line.split(" ") for line in DICTIONARY.read_text(encoding="utf-8").splitlines()]
    return sorted(((row[0], int(row[1])) for row in rows), key=lambda row: -row[1])


def check_words(
    channels: Channels, found: dict[str, Price], data: Path | None
) -> Iterator[Verdict]:
    """Different words that a channel makes equal, of the words of jieba's dictionary with two
    characters or more; without --data of the frequent ones. What the channel before makes equal
    already is one word; that is folded.v2 but for folded and exact."""
    part = "different words made equal"
    if not DICTIONARY.exists():
        yield skipped(part, "all channels", f"{DICTIONARY} (apt-get install python3-jieba)")
        return
    rows = [row for row in _words() if len(row[0]) > 1][: None if data else FREQUENT_WORDS]
    words = [word for word, _ in rows]
    corpora.say(f"  price: {len(words)} words")
    compared = {name: (name, BASE) for name in channels.names}
    compared |= {"folded": ("folded", ""), "exact": ("exact", "")}
    compared |= {step: pair for step, pair in STEPS.items() if _known(channels, pair)}
    values: dict[str, list[Any]] = {"": list(words)}
    for channel in dict.fromkeys(c for pair in compared.values() for c in pair if c):
        values |= channels.whole([channel], words)
    for label, (channel, before) in compared.items():
        price = _price(rows, values[channel], values[before])
        found[label] = price
        detail = f"of {len(rows)} words, {price.uses:.4f} of their uses, {price.pairs} pairs"
        yield figure(part, label, price.words, f"{detail} {' '.join(price.examples)}".rstrip())


def _known(channels: Channels, pair: tuple[str, str]) -> bool:
    return all(re.split(r"[(.]", name)[0] in channels.names for name in pair)


def _price(rows: list[tuple[str, int]], values: list[Any], before: list[Any]) -> Price:
    meanings: dict[Any, dict[Any, str]] = defaultdict(dict)  # value → word before it → the word
    for value, apart, (word, _) in zip(values, before, rows):
        if value is not None:
            meanings[value].setdefault(apart, word)
    groups = [list(group.values()) for group in meanings.values() if len(group) > 1]
    merged = [value is not None and len(meanings[value]) > 1 for value in values]
    uses = sum(count for _, count in rows)
    return Price(
        words=sum(merged) / len(rows),
        uses=sum(count for (_, count), m in zip(rows, merged) if m) / uses,
        groups=len(groups),
        pairs=sum(len(group) * (len(group) - 1) // 2 for group in groups),
        examples=["=".join(group[:3]) for group in groups[:EXAMPLES]],
    )


def _running_text(binary: Path, data: Path | None) -> Path:
    """Returns a file of texts of which none is another edition of another one: what two editions
    write otherwise is no false merge."""
    if data is None:
        sources, size = {"testdata": demo.originals()}, RUNNING_DEMO_BYTES
    else:
        sources, size = {c: corpora.load(data, c) for c in RUNNING_CORPORA}, RUNNING_BYTES
    texts = []
    for name, records in sources.items():
        taken, left = [], size
        for record in records:
            if left > 0:
                taken.append({"id": record["id"], "text": record["text"]})
                left -= len(record["text"].encode())
        outcome = Program(binary).dedup(f"channels-{name}", taken, "--threshold", "0.5")
        texts += [r["text"] for r in outcome.kept_records()]
    path = WORK / "channels-running.txt"
    path.write_text("\n".join(texts), encoding="utf-8", newline="\n")
    return path


def _windows(
    folded: dict[str, Any], view: dict[str, Any], length: int
) -> Iterator[tuple[int, int]]:
    """Yields for each shingle of a channel what it is there and what folded sees of its bytes."""
    symbols, spans = view["symbols"], view["spans"]
    before, places = folded["symbols"], folded["spans"]
    low = high = 0
    for at in range(len(symbols) - length + 1):
        begin, end = spans[at][0], spans[at + length - 1][1]
        while low < len(places) and places[low][1] <= begin:
            low += 1
        while high < len(places) and places[high][0] < end:
            high += 1
        yield hash(tuple(symbols[at : at + length])), hash(tuple(before[low:high]))


def _merged(folded: dict[str, Any], view: dict[str, Any], length: int) -> float:
    first: dict[int, int] = {}
    several = set()
    shingles = []
    for shingle, meaning in _windows(folded, view, length):
        shingles.append(shingle)
        if first.setdefault(shingle, meaning) != meaning:
            several.add(shingle)
    return sum(s in several for s in shingles) / len(shingles) if shingles else 0.0


def check_running(
    channels: Channels, found: dict[str, Running], data: Path | None
) -> Iterator[Verdict]:
    """The share of the positions of running text whose shingle stands elsewhere in it for what
    folded tells apart, by channel and step."""
    part = "shingles of running text that stand for others"
    absent = [name for name in RUNNING_CORPORA if data is not None and not corpora.has(data, name)]
    if absent:
        yield skipped(part, "all channels", f"{', '.join(absent)} not in --data")
        return
    if "folded" not in channels.names:
        return  # said to be missing where channels are opened
    text = _running_text(channels.binary, data)
    folded = channels.view(BASE, text)
    rows = {name: name for name in channels.names if name not in ("folded", "exact")}
    rows |= {s: c for s, (c, base) in STEPS.items() if base == BASE and "loose" in rows}
    for label, channel in rows.items():
        view = channels.view(channel, text)
        undone = view["disguise"].get(UNDONE.get(label, ""))
        if label == "loose: drop_symbols":
            undone = len(folded["symbols"]) - len(view["symbols"])
        if undone is not None:
            undone *= 10_000 / len(folded["symbols"])
        merged = [_merged(folded, view, length) for length in LENGTHS]
        found[label] = Running(merged, undone)
        shares = ", ".join(f"{k}: {share:.5f}" for k, share in zip(LENGTHS, merged))
        detail = f"of {len(view['symbols'])}, by length {shares}"
        if undone is not None:
            detail += f"; undone {undone:.1f} of 10000"
        yield figure(part, label, merged[0], detail)


def check_latin(
    channels: Channels, found: dict[str, tuple[float, float]], data: Path | None
) -> Iterator[Verdict]:
    """How many words that were spelled as one Latin run are read as their syllables, by their uses,
    and how many English words are read as Chinese."""
    part = "Latin runs"
    try:
        readings = channel_disguises.readings()
    except channel_disguises.Unavailable as absent:
        yield skipped(part, "all channels", f"needs {absent}")
        return
    if not DICTIONARY.exists():
        yield skipped(part, "all channels", f"{DICTIONARY} (apt-get install python3-jieba)")
        return
    rows = [row for row in _words() if all(c in readings for c in row[0])][:SPELLED_WORDS]
    syllables = [[readings[c] for c in word] for word, _ in rows]
    apart = [" ".join(word) for word in syllables]
    origin, english = _english(data)
    for channel in ("pinyin", "initials"):
        if channel not in channels.names:
            continue  # said to be missing where channels are opened
        runs = ["".join(s[:1] if channel == "initials" else s for s in w) for w in syllables]
        meant = channels.whole([channel], apart)[channel]
        read = channels.whole([channel], runs)[channel]
        right = sum(n for (_, n), a, b in zip(rows, meant, read) if a == b is not None)
        share = right / sum(n for _, n in rows)
        values = channels.whole([channel], english)[channel]
        taken = sum(n for n, value in zip(english.values(), values) if value is not None)
        found[channel] = share, taken / sum(english.values())
        yield at_least(part, f"{channel}: runs read as they were spelled", share, READ_RIGHT)
        detail = f"of {sum(english.values())} of {origin}"
        yield figure(part, f"{channel}: English words read", found[channel][1], detail)


def _english(data: Path | None) -> tuple[str, Counter[str]]:
    """Returns where it is from, and word → occurrences."""
    origin = "testdata"
    if data is not None and all(corpora.has(data, name) for name, _ in ENGLISH):
        origin = " and ".join(name for name, _ in ENGLISH)
        values = [r[field] for name, field in ENGLISH for r in corpora.load(data, name)]
        texts = [value["text"] if isinstance(value, dict) else value for value in values]
    else:
        texts = [r["text"] for r in corpora.demo() if r["id"].startswith("own-en")]
    return origin, Counter(word for text in texts for word in re.findall("[a-z]+", text.lower()))
