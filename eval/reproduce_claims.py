"""What 文辉, 网站文章如何能自动判定是抄袭 (2016), says of single fingerprints: MD5, MinHash, SimHash and
the first letters of pinyin."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, median

import channel_disguises
import corpora
from initials_dna import edited
from program import fingerprints, similarities
from reproduce_keywords import WORK
from reproduced import Table, percent, slashed
from verdicts import Verdict, at_least, figure, holds, skipped

PART = "single fingerprints"
DNA = "initials_dna"
SIZES = {10: (8, 9), 8: (8, 8), 4: (5, 5), 2: (3, 3)}  # digits → bytes: the source, ours
PERMUTATIONS = 128
MINHASH = f"minhash(permutations={PERMUTATIONS})"
LENGTHS = (50, 200, 600)
GRANULES = (20, 50, 200)
Values = list[dict[str, str]]


def check(zhiwen: Path, chosen: list[str], table: Table) -> Iterator[Verdict]:
    """Yields the verdicts of the claims; appends a row of each."""
    rng = random.Random(6)
    half = len(chosen) // 2
    originals, others = chosen[:half], chosen[half:]
    less = [without_one(t, rng) for t in originals]
    yield from _avalanche(originals, less, table)
    yield from _minhash(zhiwen, originals, rng, table)
    yield from _length(zhiwen, originals, rng, table)
    yield from _dna_sizes(zhiwen, table)
    yield from _homophones(zhiwen, originals, others, table)
    yield from _one_missing(zhiwen, originals, less, others, table)
    yield from _granules(zhiwen, originals, rng, table)


def without_one(text: str, rng: random.Random) -> str:
    """少一个字: the text without one of its characters."""
    at = rng.randrange(len(text))
    return text[:at] + text[at + 1 :]


def _values(zhiwen: Path, schemes: list[str], texts: list[str]) -> Values:
    path = WORK / "claims.jsonl"
    corpora.write(path, ({"id": str(i), "text": t} for i, t in enumerate(texts)))
    return fingerprints(zhiwen, schemes, [path])


def _bits(a: str, b: str) -> int:
    return (int(a, 16) ^ int(b, 16)).bit_count()


def _avalanche(originals: list[str], less: list[str], table: Table) -> Iterator[Verdict]:
    codes = [[hashlib.md5(t.encode()).hexdigest() for t in texts] for texts in (originals, less)]
    mean = fmean(_bits(a, b) for a, b in zip(*codes)) / 128
    what = "MD5: bits that one missing character changes"
    table.add(what, "雪崩效应", percent(mean), "half of them: nothing is left to compare")
    yield holds(PART, "one character changes half of the bits of MD5", abs(mean - 0.5) < 0.05)


def _minhash(
    zhiwen: Path, originals: list[str], rng: random.Random, table: Table
) -> Iterator[Verdict]:
    errors, expected = [], []
    for rate in (0.01, 0.03, 0.1):
        for text in originals:
            found = similarities(zhiwen, (MINHASH, "shingles"), text, edited(text, rate, rng))
            estimate, truth = found
            errors.append(estimate - truth)
            expected.append(truth * (1 - truth) / PERMUTATIONS)
    error = math.sqrt(fmean(e * e for e in errors))
    bound = math.sqrt(fmean(expected))
    what = f"MinHash of {PERMUTATIONS} estimates the resemblance: mean, root mean square of errors"
    why = f"chance alone: {bound:.3f}; one permutation errs less than many"
    table.add(what, "P = Jaccard", f"{fmean(errors):+.3f}, {error:.3f}", why)
    yield holds(PART, "MinHash errs no more than chance lets it", error <= 1.3 * bound)
    yield holds(PART, "MinHash errs to neither side", abs(fmean(errors)) <= 3 * bound / 10)


def _length(
    zhiwen: Path, originals: list[str], rng: random.Random, table: Table
) -> Iterator[Verdict]:
    distances = []
    for length in LENGTHS:
        whole = [t[:length] for t in originals]
        less = [without_one(t, rng) for t in whole]
        (found,) = _values(zhiwen, ["simhash64"], whole + less)
        pairs = ((str(i), str(i + len(whole))) for i in range(len(whole)))
        distances.append(median(_bits(found[a], found[b]) for a, b in pairs))
    what = "SimHash-64: bits that one missing character changes, "
    what += "texts of " + slashed(LENGTHS) + " characters"
    table.add(what, "比较适用于长文本", slashed(f"{d:g}" for d in distances), "median of pairs")
    yield holds(PART, "SimHash: the longer the text, the less a character changes",
                distances == sorted(distances, reverse=True), str(distances))


def _dna_sizes(zhiwen: Path, table: Table) -> Iterator[Verdict]:
    schemes = [f"{DNA}(digits={digits},granule=20,overlap=0)" for digits in SIZES]
    found = _values(zhiwen, schemes, ["春眠不觉晓处处闻啼鸟夜来风雨声花落知多少"])
    sizes = [len(v["0"][0]) // 2 for v in found]
    source = slashed(s for s, _ in SIZES.values())
    why = "20 decimal digits: 10²⁰ is more than 2⁶⁴"
    table.add("bytes of 20 digits in [0,9] / [0,7] / [0,3] / [0,1]", source, slashed(sizes), why)
    yield holds(PART, "bytes of digits", sizes == [ours for _, ours in SIZES.values()], str(sizes))


def _homophones(
    zhiwen: Path, originals: list[str], others: list[str], table: Table
) -> Iterator[Verdict]:
    what = "pinyin initials: similarity after homophones for a fifth of the characters"
    try:
        disguise = channel_disguises.make("homophones", None)
        copies = [
            channel_disguises.apply(disguise, "homophones", str(i), t)
            for i, t in enumerate(originals)
        ]
    except channel_disguises.Unavailable as absent:
        yield skipped(PART, what, f"needs {absent}")
        return
    schemes = (DNA, "shingles")
    alike = [similarities(zhiwen, schemes, a, b) for a, b in zip(originals, copies)]
    apart = [similarities(zhiwen, schemes, a, b)[0] for a, b in zip(originals, others)]
    dna, shingles = (fmean(column) for column in zip(*alike))
    why = f"characters of several readings; shingles {shingles:.3f}, other texts {fmean(apart):.3f}"
    table.add(what, "可以解决同音字替代问题", f"{dna:.4f}", why)
    least = min(row[0] for row in alike)
    yield at_least(PART, "pinyin initials after homophones, mean", dna, 0.95)
    yield holds(PART, "each is more alike than any other texts", least > max(apart),
                f"{least:.3f}, other texts up to {max(apart):.3f}")


def _one_missing(
    zhiwen: Path, originals: list[str], less: list[str], others: list[str], table: Table
) -> Iterator[Verdict]:
    (values,) = _values(zhiwen, [DNA], originals + less)
    ids = [(str(i), str(i + len(originals))) for i in range(len(originals))]
    equal = fmean(len(set(values[a]) & set(values[b])) / len(set(values[a])) for a, b in ids)
    alike = [similarities(zhiwen, (DNA,), a, b)[0] for a, b in zip(originals, less)]
    apart = [similarities(zhiwen, (DNA,), a, b)[0] for a, b in zip(originals, others)]
    what = "pinyin initials, one character missing: granules that stay equal; similarity by L1"
    why = f"granules behind it shift; other texts are up to {max(apart):.3f} alike"
    table.add(what, "少一个字的情况", f"{percent(equal)}; {fmean(alike):.3f}", why)
    told = fmean(s > max(apart) for s in alike)
    yield at_least(PART, "one character missing: told from other texts", told, 0.99)


def _granules(
    zhiwen: Path, originals: list[str], rng: random.Random, table: Table
) -> Iterator[Verdict]:
    schemes = [f"{DNA}(granule={granule},overlap=1)" for granule in GRANULES]
    copies = [edited(t, 0.01, rng) for t in originals]
    found = _values(zhiwen, schemes, originals + copies)
    shares = []
    for values in found:
        pairs = ((values[str(i)], values[str(i + len(originals))]) for i in range(len(originals)))
        shares.append(fmean(len(set(a) & set(b)) / len(set(a)) for a, b in pairs))
    what = "pinyin initials, 1 % edited: granules of " + slashed(GRANULES) + " that stay equal"
    why = "tolerance of a large one is in the distance: docs/formats/initials_dna.md"
    table.add(what, "大粒度容错性高，但是匹配率低", slashed(map(percent, shares)), why)
    yield holds(PART, "the larger the granule, the fewer stay equal",
                shares == sorted(shares, reverse=True), str(shares))
    yield figure(PART, f"granules of {GRANULES[0]} that stay equal, 1 % edited", shares[0])
