"""What 文辉, 网站文章如何能自动判定是抄袭 (2016), asks of a good fingerprint, measured of every scheme:
equal texts have equal fingerprints; the more alike the fingerprints, the more alike the texts; made
and compared at little cost. And what it says of single schemes."""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Any

import corpora
import demo
import referee
import reproduce_claims
from initials_dna import edited, texts, with_passage
from program import ProgramFailed, fingerprints, run, similarities
from reproduce_keywords import WORK
from reproduced import Table, percent
from verdicts import Verdict, figure, skipped, zero

PART = "a good fingerprint"
PAIRS = 60  # of texts, and copies of each kind; a third of them without --data
MORE = (  # beside every family with its defaults
    "exact(channel=folded)",
    "keywords(form=list,n=20)",
    "simhash64(feature=term,weight=tfidf)",
    "vector(weight=tfidf)",
    "winnowing(scope=sentence)",
)
SPEED_BYTES = 4_000_000
OTHER, ONE, LITTLE, MUCH, PASSAGE = "another text", "one character", "5 %", "20 %", "a passage"
Copy = Callable[[str, str, random.Random], str]


COPIES: dict[str, Copy] = {
    ONE: lambda a, b, rng: reproduce_claims.without_one(a, rng),
    "1 %": lambda a, b, rng: edited(a, 0.01, rng),
    LITTLE: lambda a, b, rng: edited(a, 0.05, rng),
    "10 %": lambda a, b, rng: edited(a, 0.1, rng),
    MUCH: lambda a, b, rng: edited(a, 0.2, rng),
    "40 %": lambda a, b, rng: edited(a, 0.4, rng),
    PASSAGE: with_passage,
    OTHER: lambda a, b, rng: b,
}


@dataclass
class Measured:
    """One scheme: kind of copy → similarities; and all of them beside the true resemblances."""

    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    pairs: list[tuple[float, float]] = field(default_factory=list)
    bytes_a_text: float = 0
    speed: float = 0

    def above_others(self, kind: str) -> float:
        """Returns the share of copies that are more alike than any two other texts."""
        bound = max(self.by_kind[OTHER])
        return sum(s > bound for s in self.by_kind[kind]) / len(self.by_kind[kind])

    def correlation(self) -> float:
        """Returns Spearman's rank correlation of similarity and resemblance."""
        return pearson(*(ranks(column) for column in zip(*self.pairs)))


def ranks(values: tuple[float, ...]) -> list[float]:
    """Returns the ranks of values, equal ones the mean of theirs."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            found[i] = (begin + end - 1) / 2
        begin = end
    return found


def pearson(a: list[float], b: list[float]) -> float:
    """Returns the correlation; 0 where one of them is constant."""
    ma, mb = fmean(a), fmean(b)
    spread = sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b)
    return sum((x - ma) * (y - mb) for x, y in zip(a, b)) / spread**0.5 if spread else 0.0


def schemes_of(zhiwen: Path) -> list[tuple[str, str]]:
    """Returns the names of all schemes, each with why it cannot be measured, or nothing."""
    families = json.loads(run(zhiwen, "schemes", "--json"))
    text, df = WORK / "probe.txt", WORK / "probe.zwt"
    text.write_text("今天上海天气晴朗，市民在公园散步。", encoding="utf-8")
    run(zhiwen, "terms", "build", text, "-o", df, "--overwrite", "-q")
    found = []
    for name in sorted([*(f["family"].rpartition(".")[0] for f in families), *MORE]):
        try:  # imatch takes the frequencies that others need not
            fingerprints(zhiwen, (name, "imatch"), [text], "--df", df)
            found.append((name, ""))
        except ProgramFailed as error:
            found.append((name, str(error).rpartition("zhiwen: ")[2]))
    return found


def size_of(value: Any) -> float:
    """Returns the bytes of a value: of words those of UTF-8 and 4 of a weight, of selected shingles
    8 and 4 of a place."""
    if isinstance(value, str):
        return len(value) / 2
    sizes = {"term": lambda v: len(v["term"].encode()) + 4, "hash": lambda v: 12}
    return sum(
        len(v) / 2 if isinstance(v, str) else sizes["term" if "term" in v else "hash"](v)
        for v in value
    )


def check(options: argparse.Namespace, tables: list[Table]) -> Iterator[Verdict]:
    """Yields the verdicts of the properties; appends their tables."""
    data: Path | None = options.data
    zhiwen: Path = options.zhiwen
    names = []
    for name, why in schemes_of(zhiwen):
        if why:
            yield skipped(PART, name, why)
        else:
            names.append(name)
    pairs = PAIRS if data else PAIRS // 3
    chosen = random.Random(4).sample(texts(data), 2 * pairs)
    corpora.say(f"  {PART}: {len(names)} schemes, {pairs} texts and {len(COPIES)} copies of each")
    whole = WORK / "properties.jsonl"
    corpora.write(whole, ({"id": str(i), "text": t} for i, t in enumerate(chosen)))
    df = WORK / "properties.zwt"
    run(zhiwen, "terms", "build", whole, "-o", df, "--overwrite", "-q")
    claims = Table("A good fingerprint")
    tables.append(claims)
    yield from _deterministic(zhiwen, names, whole, df, claims)
    measured = _measure(zhiwen, names, chosen, df)
    _sizes(zhiwen, names, whole, df, measured)
    _speeds(zhiwen, names, df, data, measured)
    yield from _alike(measured, claims)
    tables.append(_table(measured, pairs))
    yield from reproduce_claims.check(zhiwen, chosen, claims)


def _deterministic(
    zhiwen: Path, names: list[str], path: Path, df: Path, claims: Table
) -> Iterator[Verdict]:
    """The values of one text: again, on one thread, without SIMD, and beside other texts."""

    def made(*options: str, simd: str = "") -> list[dict[str, Any]]:
        before = os.environ.get("ZHIWEN_SIMD")
        if simd:
            os.environ["ZHIWEN_SIMD"] = simd
        try:
            return fingerprints(zhiwen, names, [path], "--df", df, *options)
        finally:
            os.environ.pop("ZHIWEN_SIMD", None)
            if before is not None:
                os.environ["ZHIWEN_SIMD"] = before

    first = made()
    others = {"again": made(), "one thread": made("-j1"), "no SIMD": made("-j1", simd="scalar")}
    unlike = [
        f"{name}, {how}"
        for how, other in others.items()
        for name, a, b in zip(names, first, other)
        if a != b
    ]
    same = f"{len(names) - len({u.split(',')[0] for u in unlike})} of {len(names)} schemes"
    why = "again, on one thread, without SIMD"
    claims.add("equal texts have equal fingerprints", "指纹是确定性的", same, why)
    what = "schemes whose values are not those of the text alone"
    yield zero(PART, what, len(unlike), str(unlike))


def _measure(
    zhiwen: Path, names: list[str], chosen: list[str], df: Path
) -> dict[str, Measured]:
    measured = {name: Measured() for name in names}
    rng = random.Random(5)
    half = len(chosen) // 2
    for a, b in zip(chosen[:half], chosen[half:]):
        shingles = referee.shingles(referee.units(a))
        for kind, copy in COPIES.items():
            other = copy(a, b, rng)
            truth = referee.resemblance(shingles, referee.shingles(referee.units(other)))
            rows = similarities(zhiwen, names, a, other, "--df", df)
            for name, similarity in zip(names, rows):
                measured[name].by_kind[kind].append(similarity)
                measured[name].pairs.append((similarity, truth))
        for name, similarity in zip(names, similarities(zhiwen, names, a, a, "--df", df)):
            measured[name].by_kind["equal"].append(similarity)
    return measured


def _sizes(
    zhiwen: Path, names: list[str], path: Path, df: Path, measured: dict[str, Measured]
) -> None:
    for name, values in zip(names, fingerprints(zhiwen, names, [path], "--df", df)):
        measured[name].bytes_a_text = median(size_of(v) for v in values.values())


def _seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _speeds(
    zhiwen: Path, names: list[str], df: Path, data: Path | None, measured: dict[str, Measured]
) -> None:
    """Seconds of CPU of the whole program on one thread, less those on an empty file."""
    source = corpora.load(data, "news_rmrb") if data else demo.originals()
    some, size = [], 0
    for record in source:
        size += len(record["text"].encode())
        some.append({"id": record["id"], "text": record["text"]})
        if size > SPEED_BYTES:
            break
    path, nothing = WORK / "speed.jsonl", WORK / "nothing.jsonl"
    corpora.write(path, some)
    corpora.write(nothing, [{"id": "0", "text": "无"}])
    for name in names:
        command = [str(zhiwen), "fingerprint", "-q", "-j1", "-s", name]
        if needs_frequencies(zhiwen, name):
            command += ["--df", str(df)]
        spent = min(_seconds([*command, str(path)]) for _ in range(2))
        spent -= min(_seconds([*command, str(nothing)]) for _ in range(2))
        measured[name].speed = size / 1e6 / max(spent, 1e-3)


def needs_frequencies(zhiwen: Path, name: str) -> bool:
    """Returns whether the scheme takes document frequencies where there are some."""
    return "tfidf" in name or name.startswith(("imatch", "keywords"))


def _alike(measured: dict[str, Measured], claims: Table) -> Iterator[Verdict]:
    unequal = [n for n, m in measured.items() if min(m.by_kind["equal"]) < 1]
    why = "" if not unequal else "not " + ", ".join(unequal)
    same = f"{len(measured) - len(unequal)} of {len(measured)} schemes"
    claims.add("a text is entirely like itself", "", same, why)
    yield zero(PART, "schemes by which a text is not like itself", len(unequal), str(unequal))
    claims.add(*_costs(measured))
    graded = {n: m.correlation() for n, m in measured.items()}
    best = max(graded, key=lambda n: graded[n])
    worst = min(graded, key=lambda n: graded[n])
    span = f"{graded[worst]:.2f} (`{worst}`) to {graded[best]:.2f} (`{best}`)"
    why = "rank correlation with resemblance; a hash of the whole says equal or not"
    what = "the more alike fingerprints, the more alike texts"
    claims.add(what, "指纹越相似，文本相似性就越高", span, why)
    for name, value in graded.items():
        yield figure(PART, f"rank correlation, {name}", value)
    disordered = []
    for name, m in measured.items():
        kinds = [k for k in COPIES if k not in (PASSAGE, OTHER)]
        means = [fmean(m.by_kind[k]) for k in kinds]
        if any(later > earlier + 0.02 for earlier, later in zip(means, means[1:])):
            disordered.append(name)
    what = "schemes whose similarity rises with edits"
    claims.add(what, 0, len(disordered), ", ".join(disordered))
    yield zero(PART, what, len(disordered), ", ".join(disordered))


def _rounded(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}"


def _costs(measured: dict[str, Measured]) -> tuple[str, str, str, str]:
    """Returns the row of least and most speed and bytes."""
    by_speed = sorted(measured, key=lambda n: measured[n].speed)
    by_size = sorted(measured, key=lambda n: measured[n].bytes_a_text)
    slow, fast = (f"{_rounded(measured[n].speed)} (`{n}`)" for n in (by_speed[0], by_speed[-1]))
    few, many = (f"{measured[n].bytes_a_text:,.0f} (`{n}`)" for n in (by_size[0], by_size[-1]))
    ours = f"{slow} to {fast} MB/s; {few} to {many} bytes a text"
    why = "words cost most, they are cut first; `./zw bench schemes` measures speed"
    return "made and compared at little cost", "指纹生成和匹配效率高", ours, why


def _table(measured: dict[str, Measured], pairs: int) -> Table:
    kinds = (ONE, LITTLE, MUCH, PASSAGE, OTHER)
    head = ["scheme", "bytes", "rank", *kinds, "5 % told", "passage told"]
    about = (
        f"{pairs} texts of 600 characters, each with copies: one character left out, 5 % and 20 % "
        "edited, a third of another text replaced by a passage of it; and another text. Mean "
        "similarity; rank: its rank correlation with resemblance, of all pairs; told: the share of "
        "copies more alike than every pair of other texts; bytes: of a value, median; document "
        "frequencies are those of these texts."
    )
    table = Table("Every scheme", about, head=head)
    for name, m in measured.items():
        table.add(
            f"`{name}`",
            round(m.bytes_a_text),
            f"{m.correlation():.2f}",
            *(f"{fmean(m.by_kind[k]):.2f}" for k in kinds),
            percent(m.above_others(LITTLE)),
            percent(m.above_others(PASSAGE)),
        )
    return table

