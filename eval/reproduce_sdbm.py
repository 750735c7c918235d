"""What SimHash with SDBM, as 语义指纹生成 has it, does with Chinese words: which bits are the same in
almost all texts, and what lies within its distance of 3."""

from __future__ import annotations

import argparse
import itertools
import math
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from program import fingerprints
from reproduce_keywords import WORK
from reproduced import Table, percent
from verdicts import Verdict, figure, holds, skipped, zero

PART = "SimHash over words"
HASHES = ("sdbm", "rs", "js", "pjw", "elf", "xxh3")
WORDS = {  # words that are features
    "all": "least=1,stop_words=none",
    "no stop words": "least=1",
    "two characters and more, no stop words": "least=2",
}
ALL, *_, LONGER = WORDS
TEXTS = 1000
LEAST_CHARACTERS = 100
CONSTANT = 0.98  # of the texts have one value of the bit
DISTANCE = 3
BITS = 64
MASK = (1 << BITS) - 1
LANE = 40  # bits of a counter
ONCE = 16 * 65536


def sdbm(units: list[int], mask: int = MASK) -> int:
    """Returns the hash of bytes, or of UTF-16 code units."""
    value = 0
    for unit in units:
        value = (unit + (value << 6) + (value << 16) - value) & mask
    return value


def utf8(word: str) -> list[int]:
    """Returns the bytes of a word."""
    return list(word.encode())


def utf16(word: str) -> list[int]:
    """Returns the code units of a word."""
    data = word.encode("utf-16-le")
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]


class Summed:
    """SimHash by the steps of the source: every bit of every hash adds or subtracts the weight.
    Hashes are kept with their bits apart, so that a sum is one multiplication."""

    def __init__(self, units: Any) -> None:
        self.units = units
        self.spread: dict[str, int] = {}

    def code(self, terms: list[dict[str, Any]]) -> int:
        """Returns the 64 bits of terms with weights."""
        ones = 0
        for term in terms:
            ones += self._bits(term["term"]) * (term["weight"] // ONCE)
        total = sum(term["weight"] // ONCE for term in terms)
        lane = (1 << LANE) - 1
        # ones − zeros > 0
        return sum((2 * (ones >> LANE * b & lane) > total) << b for b in range(BITS))

    def _bits(self, word: str) -> int:
        if word not in self.spread:
            code = sdbm(self.units(word))
            self.spread[word] = sum((code >> b & 1) << LANE * b for b in range(BITS))
        return self.spread[word]


def constant_bits(codes: list[int], width: int = BITS) -> int:
    """Returns how many bits have one value in almost all texts."""
    ones = [sum(c >> b & 1 for c in codes) / len(codes) for b in range(width)]
    return sum(max(share, 1 - share) >= CONSTANT for share in ones)


def within(codes: dict[str, int], related: set[frozenset[str]]) -> int:
    """Counts the pairs of texts with nothing in common whose codes are near each other."""
    found = 0
    for (a, one), (b, other) in itertools.combinations(codes.items(), 2):
        if (one ^ other).bit_count() <= DISTANCE and frozenset((a, b)) not in related:
            found += 1
    return found


def sample(data: Path | None) -> tuple[list[corpora.Record], set[frozenset[str]]]:
    """Returns texts chosen by the hash of their ids, and which pairs of them share text."""
    records = corpora.load(data, "news_cctv", "news_rmrb") if data else corpora.demo()
    records = [r for r in records if len(r["text"]) >= LEAST_CHARACTERS]
    if data is None:  # its editions and disguised copies are copies of each other
        return records, set()
    records.sort(key=lambda r: zlib.crc32(r["id"].encode()))
    truth = corpora.load(data, "truth_natdup_news")
    return records[:TEXTS], {frozenset((r["id_a"], r["id_b"])) for r in truth}


def named(hash_: str, words: str) -> str:
    """Returns the name of the scheme."""
    return f"simhash64(channel=exact,feature=term({WORDS[words]}),hash={hash_})"


def lists(words: str) -> str:
    """Returns the scheme whose value is the features of the other with their counts."""
    return f"keywords(channel=exact,form=list,n=100000,{WORDS[words]},df=none,tags=no)"


def check(options: argparse.Namespace, tables: list[Table]) -> Iterator[Verdict]:
    """Yields the verdicts of constant bits and of the distance; appends their tables."""
    data: Path | None = options.data
    records, related = sample(data)
    path = WORK / "simhash.jsonl"
    corpora.write(path, records)
    corpora.say(f"  {PART}: {len(records)} texts")
    names = [named(h, words) for words in WORDS for h in HASHES]
    made = fingerprints(options.zhiwen, [*names, *map(lists, WORDS)], [path])
    codes = {n: {i: int(v, 16) for i, v in found.items()} for n, found in zip(names, made)}
    terms = dict(zip(WORDS, made[len(names) :]))
    yield from _constant(codes, terms, records, tables)
    slow = Summed(utf8)
    fast = codes[named("sdbm", ALL)]
    differing = sum(fast[i] != slow.code(of) for i, of in terms[ALL].items())
    yield zero(PART, "SDBM codes that differ from the five steps", differing)
    if data is not None:
        table = Table(
            f"Pairs of texts that share nothing, within {DISTANCE} bits",
            f"Of {math.comb(len(records), 2):,} pairs.",
            head=["hash of a word", *WORDS],
        )
        for h in HASHES:
            table.add(f"`{h}`", *(within(codes[named(h, words)], related) for words in WORDS))
        tables.append(table)
    if data is None:
        yield skipped(PART, "copies within 3 bits", "they need --data")
    else:
        yield from _distances(options.zhiwen, data, tables)


def _constant(
    codes: dict[str, dict[str, int]],
    terms: dict[str, dict[str, Any]],
    records: list[corpora.Record],
    tables: list[Table],
) -> Iterator[Verdict]:
    share = f"{CONSTANT:.0%}".replace("%", " %")
    table = Table(
        f"Bits of SimHash-64 that are the same in {share} of {len(records):,} texts",
        "By the words that are features.",
        head=["hash of a word", *WORDS],
    )
    constant: dict[tuple[str, str], int] = {}
    for h in HASHES:
        for words in WORDS:
            constant[h, words] = constant_bits(list(codes[named(h, words)].values()))
        table.add(f"`{h}` of UTF-8", *(constant[h, words] for words in WORDS))
    wide = Summed(utf16)
    of_wide = [constant_bits([wide.code(of) for of in terms[w].values()]) for w in WORDS]
    table.add("`sdbm` of UTF-16", *of_wide)
    tables.append(table)
    for words in WORDS:
        yield figure(PART, f"constant bits, sdbm, words: {words}", constant["sdbm", words])
    above = constant["sdbm", ALL] > constant["sdbm", LONGER]
    yield holds(PART, "words of one character make bits of SDBM constant", above)
    yield holds(PART, "UTF-16 makes more of them so", of_wide[0] > constant["sdbm", ALL])
    good = sum(constant["xxh3", words] for words in WORDS)
    yield zero(PART, "constant bits, xxh3", good)


def _distances(zhiwen: Path, data: Path, tables: list[Table]) -> Iterator[Verdict]:
    """How many copies are within the distance: the source has it from Manku, for another hash."""
    truth = corpora.load(data, "truth_natdup_news")
    texts = {r["id"]: r for r in corpora.load(data, *corpora.NEWS_CORPORA)}
    rows = [r for r in truth if r["label"] != "partial"]
    partial = sorted(
        (r for r in truth if r["label"] == "partial"),
        key=lambda r: zlib.crc32((r["id_a"] + r["id_b"]).encode()),
    )
    rows += partial[: len(rows)]
    wanted = dict.fromkeys(i for r in rows for i in (r["id_a"], r["id_b"]))
    path = WORK / "copies.jsonl"
    corpora.write(path, (texts[i] for i in wanted))
    schemes = {
        **{f"words, `sdbm`, {words}": named("sdbm", words) for words in WORDS},
        f"words, `xxh3`, {LONGER}": named("xxh3", LONGER),
        "shingles of five symbols (default)": "simhash64",
    }
    found = fingerprints(zhiwen, list(schemes.values()), [path])
    labels = Counter(r["label"] for r in rows)
    head = ["SimHash-64 of", *(f"{label} ({labels[label]})" for label in labels)]
    table = Table(f"Pairs that share text, within {DISTANCE} bits", head=head)
    for name, values in zip(schemes, found):
        near: Counter[str] = Counter()
        for r in rows:
            a, b = (values.get(r[key]) for key in ("id_a", "id_b"))
            if a and b and (int(a, 16) ^ int(b, 16)).bit_count() <= DISTANCE:
                near[r["label"]] += 1
        table.add(name, *(percent(near[label] / labels[label]) for label in labels))
        yield figure(PART, f"dup within {DISTANCE} bits, {name}", near["dup"] / labels["dup"])
    tables.append(table)
