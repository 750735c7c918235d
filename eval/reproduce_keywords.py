"""What is claimed of eight keywords with counts (语义指纹, 文本信息指纹提取): precision above 98 %, recall
about 30 %. Every pair of documents with one value is looked up in a truth that lists all pairs of
the corpus that share text: with --data the news and papers, without it the demo texts."""

from __future__ import annotations

import argparse
import bisect
import itertools
import zlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import corpora
import join
import referee
from program import fingerprints, run
from reproduced import Table, percent, slashed
from verdicts import Verdict, at_least, figure, holds, skipped

WORK = corpora.ROOT / "build" / "eval" / "reproductions"
PART = "eight keywords with counts"
PRECISION = 0.98  # 准确度在98%以上
RECALL = 0.30  # 查全率在30%左右
KEYWORDS = 8
COUNTS = (2, 4, 6, 8, 12, 16, 32)
ONCE = 16 * 65536  # the weight of a term that occurs once, without idf and tags
LONG = 300  # characters; daily bulletins, one formula with other numbers, are shorter
LENGTHS = (0, 50, 100, 200, LONG, 500, 1000)
COPIES = ("dup", "near", "contained")
VERSIONS = {
    "pairs_ver_docs": "technical documents",
    "pairs_ver_cppzh": "a reference, translated again",
    "pairs_ver_translation_xitu": "translations, draft and final",
}
VERSION_PAIRS = 200  # of each label
# resemblance from, to; the last one is that of equal texts
BUCKETS = ((0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01))
LIST = f"keywords(channel=exact,form=list,n={max(COUNTS)},df=none,tags=no)"
STEPS = f"keywords(n={KEYWORDS},hash=md5)"
METADATA = "metadata"
LITERAL = "metadata(channel=exact)"
FREQUENT_WORDS = slice(2 * 160, 2 * 192)  # of the hexadecimal value
MISSING = "0" * 64
Values = dict[str, Hashable]


@dataclass(frozen=True)
class Truth:
    """Pairs of a corpus that share text: the label and the resemblance of each."""

    pairs: dict[frozenset[str], tuple[str, float]]
    lengths: dict[str, int]

    def label(self, pair: frozenset[str]) -> str:
        """Returns the label of a pair, "" where it shares no text."""
        return self.pairs.get(pair, ("", 0.0))[0]

    def shorter(self, pair: frozenset[str]) -> int:
        """Returns the characters of the shorter of two documents."""
        return min(self.lengths[i] for i in pair)


@dataclass(frozen=True)
class Judged:
    """The pairs of one value, by label ("" for those without shared text), and the recall of each
    label and resemblance."""

    equal: Counter[str]
    recall: dict[str, float]
    by_resemblance: list[float | None]

    def precision(self, *labels: str) -> float:
        """Returns the share of equal pairs that have one of the labels."""
        return sum(self.equal[label] for label in labels) / max(1, self.equal.total())


def judge(values: Values, truth: Truth, least: int = 0) -> Judged:
    """Judges the pairs of texts of at least so many characters that have one value."""
    equal: Counter[str] = Counter()
    for pair in equal_pairs(values):
        if truth.shorter(pair) >= least:
            equal[truth.label(pair)] += 1
    return Judged(equal, *_recall(values, truth))


def equal_pairs(values: Values) -> Iterator[frozenset[str]]:
    """Yields the pairs of documents that have one value."""
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for identity, value in values.items():
        groups[value].append(identity)
    for ids in groups.values():
        yield from map(frozenset, itertools.combinations(ids, 2))


def _recall(values: Values, truth: Truth) -> tuple[dict[str, float], list[float | None]]:
    by_label: dict[str, list[bool]] = defaultdict(list)
    by_bucket: list[list[bool]] = [[] for _ in BUCKETS]
    for pair, (label, resemblance) in truth.pairs.items():
        a, b = pair
        found = a in values and b in values and values[a] == values[b]
        by_label[label].append(found)
        by_label["copies"] += [found] if label in COPIES else []
        for bucket, (low, high) in zip(by_bucket, BUCKETS):
            bucket += [found] if low <= resemblance < high else []
    return (
        {label: sum(found) / len(found) for label, found in by_label.items() if found},
        [sum(found) / len(found) if found else None for found in by_bucket],
    )


def dev_truth(data: Path) -> tuple[list[Path], Truth]:
    """Returns the news and papers and all pairs of them that share text."""
    files = [corpora.locate(data, name) for name in corpora.NEWS_CORPORA]
    lengths = {r["id"]: len(r["text"]) for file in files for r in corpora.read(file)}
    rows = corpora.load(data, "truth_natdup_news")
    pairs = {frozenset((r["id_a"], r["id_b"])): (r["label"], r["sim"]["j5"]) for r in rows}
    return files, Truth(pairs, lengths)


def demo_truth() -> tuple[list[Path], Truth]:
    """Returns the demo texts and all pairs of them of resemblance 0.3 and more."""
    records = corpora.demo()
    units = {r["id"]: referee.units(r["text"]) for r in records}
    pairs = {}
    for pair, resemblance in join.exact_pairs(units, BUCKETS[0][0]).items():
        label = "dup" if resemblance >= 0.9 else "near" if resemblance >= 0.5 else "partial"
        pairs[frozenset(pair)] = (label, resemblance)
    path = WORK / "demo.jsonl"
    corpora.write(path, records)
    return [path], Truth(pairs, {r["id"]: len(r["text"]) for r in records})


def counted(value: list[dict[str, Any]], n: int) -> tuple[tuple[str, int], ...]:
    """Returns the most frequent words with their counts."""
    return tuple((t["term"], t["weight"] // ONCE) for t in value[:n])


def _forms(
    zhiwen: Path, files: list[Path], table: Table
) -> tuple[dict[str, Values], dict[int, Values]]:
    """Returns the values of every form of eight keywords, and of other numbers with counts."""
    df = WORK / "df.zwt"
    run(zhiwen, "terms", "build", *files, "-o", df, "--overwrite", "-q")
    schemes = (LIST, STEPS, METADATA, LITERAL)
    lists, steps, metadata, literal = fingerprints(zhiwen, schemes, files, "--df", df)
    table.about = f"{len(lists):,} documents."
    sizes = sorted({len(v) // 2 for v in metadata.values()})
    table.add("bytes of all eight parts", "如256字节", slashed(sizes), "")
    words = {
        i: tuple(sorted(word for word, _ in counted(v, KEYWORDS))) for i, v in lists.items()
    }
    forms: dict[str, Values] = {
        "most frequent words with counts (`metadata`, bytes 160–191)": _part(metadata),
        "the same on the channel exact": _part(literal),
        "without counts, on exact": dict(words),
        "heaviest words by TF·IDF, MD5 (`keywords`)": dict(steps),
    }
    return forms, {n: {i: counted(v, n) for i, v in lists.items()} for n in COUNTS}


def _part(metadata: dict[str, str]) -> Values:
    parts = {i: value[FREQUENT_WORDS] for i, value in metadata.items()}
    return {i: part for i, part in parts.items() if part != MISSING}


def check(options: argparse.Namespace, tables: list[Table]) -> Iterator[Verdict]:
    """Yields the verdicts of the claim; appends its tables."""
    data: Path | None = options.data
    WORK.mkdir(parents=True, exist_ok=True)
    files, truth = dev_truth(data) if data else demo_truth()
    corpora.say(f"  {PART}: {len(truth.lengths)} documents")
    claim = Table("Eight keywords with their counts")
    forms, by_count = _forms(options.zhiwen, files, claim)
    first, literal = itertools.islice(forms.values(), 2)
    judged = {name: judge(values, truth) for name, values in forms.items()}
    yield holds(
        PART,
        "`metadata` and words counted by hand make one partition",
        _partition(literal) == _partition(by_count[KEYWORDS]),
    )
    yield from _claim(next(iter(judged.values())), judge(first, truth, LONG), claim, data)
    tables += [claim, _labels(judged, forms, truth), _resemblances(judged, truth)]
    tables += [_lengths(first, truth), _numbers(by_count, truth)]
    if data:
        yield from _versions(options.zhiwen, data, tables)
    else:
        yield skipped(PART, "versions of pages", "they need --data")


def _partition(values: Values) -> set[frozenset[str]]:
    groups: dict[Hashable, set[str]] = defaultdict(set)
    for identity, value in values.items():
        groups[value].add(identity)
    return {frozenset(ids) for ids in groups.values() if len(ids) > 1}


def _claim(
    all_texts: Judged, long_texts: Judged, table: Table, data: Path | None
) -> Iterator[Verdict]:
    """The two figures of the source beside ours."""
    sharing = all_texts.precision(*COPIES, "partial")
    long_copies = long_texts.precision(*COPIES)
    source = "> 98 %"
    pairs = f"{all_texts.equal.total():,} equal pairs"
    table.add(
        "precision: equal pairs that share text",
        source,
        percent(sharing),
        f"{pairs}, of which {all_texts.equal['']} share no text",
    )
    table.add(
        "precision: equal pairs that are copies",
        source,
        percent(all_texts.precision(*COPIES)),
        "not copies: items of a series, of one formula and a few other words",
    )
    table.add(
        f"the same, texts of {LONG} characters and more",
        source,
        percent(long_copies),
        f"{long_texts.equal.total():,} equal pairs: such items are shorter",
    )
    why = {
        "copies": "all of the following: it depends on how many of the copies are whole",
        "dup": "resemblance of 0.9 and more",
        "near": "0.5 to 0.9: an edit of one of the eight words, or of their number, is enough",
        "contained": "one text within another, which counts more words",
    }
    for label, reason in why.items():
        if label in all_texts.recall:
            name = "copies" if label == "copies" else f"copies that are {label}"
            table.add(f"recall of {name}", "≈ 30 %", percent(all_texts.recall[label]), reason)
    if data is None:
        yield figure(PART, "equal pairs that share text", sharing)
        yield skipped(PART, "precision of 98 %", "short poems are no test of it: --data")
        return
    yield at_least(PART, "equal pairs that share text", sharing, PRECISION)
    yield figure(PART, "equal pairs that are copies", all_texts.precision(*COPIES))
    yield at_least(PART, "equal pairs of long texts that are copies", long_copies, PRECISION)
    for label in why:
        yield figure(PART, f"recall, {label}", all_texts.recall[label])
    below, above = all_texts.recall["near"], all_texts.recall["dup"]
    detail = "the source does not say which copies"
    yield holds(PART, "recall of 30 % is between near and dup", below < RECALL < above, detail)


def _labels(judged: dict[str, Judged], forms: dict[str, Values], truth: Truth) -> Table:
    """A row a form: what pairs of one value are."""
    head = ["eight words", "equal pairs", *COPIES, "partial", "no shared text", "precision"]
    table = Table("What pairs of one value are", head=head)
    totals = Counter(label for label, _ in truth.pairs.values())
    for name, found in judged.items():
        shared = found.precision(*COPIES, "partial")
        counts = [found.equal[label] for label in (*COPIES, "partial", "")]
        table.add(name, found.equal.total(), *counts, percent(shared))
    listed = [totals[label] for label in (*COPIES, "partial")]
    table.add("all pairs that share text", "", *listed, "", "")
    return table


def _resemblances(judged: dict[str, Judged], truth: Truth) -> Table:
    """A row a form: recall by resemblance."""
    names = [f"{low} to {high}" if high < 1 else f"{low} and more" for low, high in BUCKETS]
    table = Table("Recall by the resemblance of the two texts", head=["eight words", *names])
    for name, found in judged.items():
        table.add(name, *("" if r is None else percent(r) for r in found.by_resemblance))
    sizes = [sum(low <= r < high for _, r in truth.pairs.values()) for low, high in BUCKETS]
    table.add("pairs", *sizes)
    return table


def _lengths(values: Values, truth: Truth) -> Table:
    """A column a length of the shorter text of equal pairs."""
    names = [f"{low} to {high}" for low, high in itertools.pairwise(LENGTHS)]
    table = Table(
        "Equal pairs by the characters of the shorter text",
        head=["eight words with counts", *names, f"{LENGTHS[-1]} and more"],
    )
    by_length: list[Counter[str]] = [Counter() for _ in LENGTHS]
    for pair in equal_pairs(values):
        at = bisect.bisect_right(LENGTHS, truth.shorter(pair)) - 1
        by_length[at][truth.label(pair)] += 1
    table.add("equal pairs", *(c.total() for c in by_length))
    wanted = {"that share text": (*COPIES, "partial"), "that are copies": COPIES}
    for name, labels in wanted.items():
        counts = (sum(c[label] for label in labels) for c in by_length)
        shares = (n / c.total() if c else None for n, c in zip(counts, by_length))
        table.add(name, *("" if share is None else percent(share) for share in shares))
    return table


def _numbers(by_count: dict[int, Values], truth: Truth) -> Table:
    """A row a number of words."""
    head = ["words with counts", "equal pairs", "share text", "copies"]
    head += [f"copies, {LONG} characters and more", "recall, dup", "recall, near"]
    table = Table("How many words it takes", head=head)
    for n, values in by_count.items():
        found, long_texts = judge(values, truth), judge(values, truth, LONG)
        shares = [found.precision(*COPIES, "partial"), found.precision(*COPIES)]
        shares += [long_texts.precision(*COPIES)]
        shares += [found.recall.get(label, 0.0) for label in ("dup", "near")]
        table.add(n, found.equal.total(), *map(percent, shares))
    return table


def _versions(zhiwen: Path, data: Path, tables: list[Table]) -> Iterator[Verdict]:
    """Recall of versions of one page, by what they still share; of all, by how many each are."""
    labels = (*COPIES, "partial")
    head = ["eight words with counts", *labels, "all of them"]
    table = Table("Recall of versions of one page", head=head)
    for name, title in VERSIONS.items():
        by_label: dict[str, list[corpora.Record]] = {label: [] for label in labels}
        for row in corpora.load(data, name):
            by_label.get(row["label"], []).append(row)
        found = _found(zhiwen, name, by_label)
        total = sum(map(len, by_label.values()))
        recall = sum(len(by_label[n]) * fmean(f) for n, f in found.items() if f) / total
        cells = (f"{percent(fmean(f))} of {len(f)}" if f else "" for f in found.values())
        table.add(title, *cells, percent(recall))
        yield figure(PART, f"recall, {title}", recall)
    tables.append(table)


def _found(
    zhiwen: Path, name: str, by_label: dict[str, list[corpora.Record]]
) -> dict[str, list[bool]]:
    """Returns of each label which of some pairs have one value."""
    chosen = {
        label: sorted(rows, key=lambda r: zlib.crc32(r["pair_id"].encode()))[:VERSION_PAIRS]
        for label, rows in by_label.items()
    }
    path = WORK / f"{name}.jsonl"
    texts = [
        {"id": f"{label} {at} {side}", "text": row[side]["text"]}
        for label, rows in chosen.items()
        for at, row in enumerate(rows)
        for side in "ab"
    ]
    corpora.write(path, texts)
    values = _part(fingerprints(zhiwen, (METADATA,), [path])[0])
    found: dict[str, list[bool]] = {}
    for label, rows in chosen.items():
        sides = ([values.get(f"{label} {at} {s}") for s in "ab"] for at in range(len(rows)))
        found[label] = [a == b and a is not None for a, b in sides]
    return found
