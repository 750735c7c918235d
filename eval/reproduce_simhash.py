"""The worked example and the counts of simhash与重复信息识别(一): six steps over three sentences, 32
bits, their distances; and what it says of 64 bits within 3."""

from __future__ import annotations

import argparse
import hashlib
import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import corpora
from program import fingerprints
from reproduce_keywords import WORK
from reproduce_sdbm import sdbm
from reproduced import Table, percent, slashed, text_of
from verdicts import Verdict, figure, holds, zero

PART = "the example of six steps"
BITS = 32
TEXTS = ("the cat sat on the mat", "the cat sat on a mat", "we all scream for ice cream")
PAIRS = ((0, 1), (0, 2), (1, 2))
DECIMALS = (851459198, 847263864, 984968088)
BINARIES = (
    "00110010110000000011110001111110",
    "00110010100000000011100001111000",
    "00111010101101010110101110011000",
)
DISTANCES = (4, 16, 12)
FEATURES = 15  # of the first sentence
HASHES = ("xxh3", "sdbm", "rs", "js", "pjw", "elf")
STANDINS = 2000  # hashes in place of the unknown one
Hash = Callable[[str], int]


def features(text: str) -> list[str]:
    """Step 3: the distinct shingles of two characters, spaces as they are."""
    return list(dict.fromkeys(text[i : i + 2] for i in range(len(text) - 1)))


def steps(text: str, hash_: Hash, above: int = 0) -> int:
    """Steps 2 to 6: +1 where a hash has the bit, −1 where not; 1 where the sum is above `above`."""
    codes = [hash_(f) for f in features(text)]
    sums = [sum(1 if c >> b & 1 else -1 for c in codes) for b in range(BITS)]
    return sum((s > above) << b for b, s in enumerate(sums))


def distances(codes: list[int]) -> tuple[int, ...]:
    """Returns the Hamming distances of the three pairs."""
    return tuple((codes[a] ^ codes[b]).bit_count() for a, b in PAIRS)


def standin(seed: int) -> Hash:
    """Returns a hash in place of the source's, which it does not name."""
    key = seed.to_bytes(4, "little")

    def hash_(feature: str) -> int:
        digest = hashlib.blake2b(feature.encode(), digest_size=4, key=key).digest()
        return int.from_bytes(digest, "little")

    return hash_


def angle(a: str, b: str) -> float:
    """Returns the expected distance, Charikar's BITS · angle / π."""
    one, other = set(features(a)), set(features(b))
    return BITS * math.acos(len(one & other) / math.sqrt(len(one) * len(other))) / math.pi


def named(hash_: str) -> str:
    """Returns the name of the scheme of the six steps."""
    return f"simhash32(channel=exact,feature=shingle(2),hash={hash_},weight=distinct)"


def check(options: argparse.Namespace, tables: list[Table]) -> Iterator[Verdict]:
    """Yields the verdicts of the example and of the counts; appends their tables."""
    yield from _example(options.zhiwen, tables)
    yield from _counts(tables)


def _example(zhiwen: Path, tables: list[Table]) -> Iterator[Verdict]:
    table = Table("The example of six steps", f"“{TEXTS[0]}”, “{TEXTS[1]}”, “{TEXTS[2]}”, 32 bits.")
    same = [int(b, 2) for b in BINARIES] == list(DECIMALS)
    table.add("binary and decimal codes agree", "yes", "yes" if same else "no", "")
    yield holds(PART, "binary and decimal codes agree", same)
    counted = distances(list(DECIMALS))
    table.add("distances of the printed codes", slashed(DISTANCES), slashed(counted), "")
    yield holds(PART, "distances of the printed codes", counted == DISTANCES, str(counted))
    size = len(features(TEXTS[0]))
    why = f"the distinct ones of {len(TEXTS[0]) - 1}"
    table.add("features of the first sentence", FEATURES, size, why)
    yield holds(PART, "features of the first sentence", size == FEATURES, str(size))
    expected = [angle(TEXTS[a], TEXTS[b]) for a, b in PAIRS]
    why = "none to differ from: 32 · angle / π, what the steps aim at"
    table.add("expected distances", "", slashed(f"{e:.1f}" for e in expected), why)
    yield from _standins(table)
    yield from _program(zhiwen, table)
    tables.append(table)


def _standins(table: Table) -> Iterator[Verdict]:
    drawn = []
    nearest = changed = 0
    for seed in range(STANDINS):
        hash_ = standin(seed)
        codes = [steps(t, hash_) for t in TEXTS]
        drawn.append(distances(codes))
        nearest += drawn[-1][0] < min(drawn[-1][1:])
        if seed < 100:  # 大于1, word for word
            changed += sum((c ^ steps(t, hash_, 1)).bit_count() for c, t in zip(codes, TEXTS))
    columns = [sorted(d[at] for d in drawn) for at in range(len(PAIRS))]
    means = slashed(f"{sum(c) / len(c):.1f}" for c in columns)
    why = "the source does not name its hash, so that its codes cannot be made again"
    table.add(f"distances, mean of {STANDINS:,} stand-in hashes", slashed(DISTANCES), means, why)
    ends = [(c[STANDINS // 100], c[-1 - STANDINS // 100]) for c in columns]
    spans = slashed(f"{low}…{high}" for low, high in ends)
    inside = all(low <= d <= high for d, (low, high) in zip(DISTANCES, ends))
    table.add("98 of 100 of them are in", slashed(DISTANCES), spans, "")
    yield holds(PART, "printed distances are those of a good hash", inside, spans)
    share = nearest / STANDINS
    table.add("the first two are the nearest", "yes", percent(share), "of the hashes")
    yield figure(PART, "the first two are the nearest, share of hashes", share)
    bits = changed / 100 / len(TEXTS)
    table.add("bits that 大于1 in step 6 would change", "", f"{bits:.1f} of 32", "read as > 0")
    yield figure(PART, "bits of a code that 大于1 would change", bits)


def _program(zhiwen: Path, table: Table) -> Iterator[Verdict]:
    path = WORK / "example.jsonl"
    corpora.write(path, ({"id": str(i), "text": t} for i, t in enumerate(TEXTS)))
    found = fingerprints(zhiwen, [named(h) for h in HASHES], [path])
    codes = {h: [int(v[str(i)], 16) for i in range(len(TEXTS))] for h, v in zip(HASHES, found)}
    whys = {"xxh3": "the default", "pjw": "mixes next to nothing", "elf": "as pjw"}
    for hash_, of in codes.items():
        what = f"distances, `hash={hash_}`"
        table.add(what, slashed(DISTANCES), slashed(distances(of)), whys.get(hash_, ""))
    near = distances(codes["xxh3"])
    yield holds(PART, "the first two are the nearest, xxh3", near[0] < min(near[1:]), str(near))
    # a symbol is four bytes, little-endian (docs/formats/simhash.md)
    mask = (1 << BITS) - 1
    slow = [
        steps(t, lambda f: sdbm(list(f.encode("utf-32-le")), mask)) for t in TEXTS
    ]
    unlike = sum(a != b for a, b in zip(codes["sdbm"], slow))
    yield zero(PART, "codes of the program that differ from the six steps", unlike, str(slow))


def _counts(tables: list[Table]) -> Iterator[Verdict]:
    table = Table("64 bits within 3")
    counts = [math.comb(64, d) for d in range(4)]
    near = sum(counts)
    why = " + ".join(map(text_of, counts)) + "; the source rounds"
    table.add("codes within 3 of a code: look-ups, or entries a text", "四万多", near, why)
    yield holds(PART, "四万多 codes within 3 bits", 40_000 < near < 50_000, str(near))
    stored = 2**34
    why = f"10亿 is 2³⁰: of that many texts a table gives {2 ** (30 - 16):,}"
    table.add("2³⁴ codes", "差不多10亿", stored, why)
    a_table = 2 ** (34 - 16)
    table.add("candidates a table", "262,144", a_table, "of 2³⁴ codes, as printed")
    yield holds(PART, "262,144 candidates a table", a_table == 262_144)
    table.add("candidates a look-up", "", 4 * a_table, "of four tables; the source counts one")
    for width, blocks in ((64, 4), (32, 4)):
        missed = sum(not _meets(flips, width // blocks, blocks) for flips in _flips(width))
        what = f"codes of {width} bits within 3 that share none of {blocks} blocks"
        table.add(what, 0, missed, "every one of them tried")
        yield zero(PART, what, missed)
    tables.append(table)


def _flips(width: int) -> Iterator[int]:
    for count in range(4):
        for bits in itertools.combinations(range(width), count):
            yield sum(1 << b for b in bits)


def _meets(flips: int, size: int, blocks: int) -> bool:
    return any(flips >> size * b & ((1 << size) - 1) == 0 for b in range(blocks))
