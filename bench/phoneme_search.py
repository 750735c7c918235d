"""Which texts sound alike, in libraries of ten thousand and of a hundred thousand: models 1 and 2
of 金哲凡 et al. 2017, which compare the counts of sounds, and SimHash of these counts less what a
reference expects (the source's future work), in the index of Hamming distances.

With --data the library is news, and beyond these pieces of papers, novels and technical texts;
copies are the attacks of the dev set on its news, homophones, and the near-duplicates that the
truth lists. Thresholds and the reference are trained on news that are in no other set. Without
--data the originals are pieces of the novels in testdata/demo, among texts that a model of them
makes up (bench/programs/library_speed.cc). Texts have 100 Chinese characters or more.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import corpus
import library_attacks

import channel_disguises
import corpora
from corpora import Record, say
from phonemes import add_noise
from program import run as run_tool

WORK = corpus.ROOT / "build" / "bench-corpora" / "phoneme_search"
NOVELS = corpus.ROOT / "testdata" / "demo" / "novels.jsonl"
EDITIONS = ("sanguo-sa", "honglou-sa", "jinghua-t", "yujiaoli-t", "fengshen-t")  # a work once
NEWS = ("news_cctv", "news_rmrb")
LONG = ("acad_fudan", "classics_chapters", "tech_docs")
SIZES = (10_000, 100_000)
RADII = (3, 6, 8, 10, 12, 14, 16)
RAW_RADII = (0, 1, 3)
TRAINING = 2000  # texts, of which thresholds are trained with some
TRAINED = 60
SOURCES = 120  # pieces of novels that are copied; the others train
NATURAL = 500  # near-duplicates that are asked for, at most
LEAST = 100  # Chinese characters
PIECE = (300, 1200)
ATTACKS = ("typo3", "typo10", "edit5", "edit15", "sent_shuffle", "sent_drop25", "crop",
           "wrap_boilerplate")
SOUNDS = "simhash64(phoneme,channel=phonemes)"
RAW = "simhash64(phoneme(none),channel=phonemes)"


@dataclass
class Query:
    """A text, and the ids of the documents that are copies of it, or otherwise related to it."""

    kind: str
    text: str
    copies: set[str]
    related: set[str] = field(default_factory=set)


@dataclass
class Task:
    """Documents, the library of a size being the first ones; what is asked, and trained with."""

    documents: list[Record]
    queries: list[Query]
    training: list[str]


def _is_long(text: str) -> bool:
    return sum(map(corpora.is_han, text)) >= LEAST


def _pieces(texts: Iterator[str], rng: random.Random) -> Iterator[str]:
    for text in texts:
        begin = 0
        while len(text) - begin >= PIECE[0]:
            size = rng.randint(*PIECE)
            if _is_long(text[begin : begin + size]):
                yield text[begin : begin + size]
            begin += size


def _disguised(sources: list[Record], rng: random.Random) -> Iterator[Query]:
    """Copies that need no data: noise of the source, sentences dropped, homophones."""
    template = "".join(c for r in sources[:20] for c in r["text"] if corpora.is_han(c))
    for record in sources:
        text = record["text"]
        made = {
            "replaced, up to 5 %": add_noise(text, 0.05, template, rng),
            "replaced, up to 20 %": add_noise(text, 0.2, template, rng),
            "a quarter of the sentences dropped":
                "".join(s for s in re.findall(r"[^。！？]+[。！？]*", text) if rng.random() > 0.25),
        }
        try:
            one = channel_disguises.homophone_of
            made["homophones 100 %"] = channel_disguises.replacing(one, 1)(text, rng)
        except channel_disguises.Unavailable as missing:
            say(f"bench: no homophones: {missing}")
        for kind, copy in made.items():
            if _is_long(copy):
                yield Query(kind, copy, {record["id"]})


def _made_up(options: argparse.Namespace) -> Task:
    rng = random.Random(3)
    chapters = [r["text"] for r in corpora.read(NOVELS) if r["id"].rsplit("-", 1)[0] in EDITIONS]
    pieces = list(_pieces(iter(chapters), rng))
    rng.shuffle(pieces)
    sources = [{"id": f"p{i}", "text": t} for i, t in enumerate(pieces[:SOURCES])]
    texts = WORK / "made-up.jsonl"
    subprocess.run([options.bin_dir / "library_speed", "make", str(max(SIZES)), "1", NOVELS, texts,
                    WORK / "unused.jsonl"], check=True)
    documents = sources + list(corpora.read(texts))
    # Made-up texts have no keywords to train with: a character more or less changes all of them.
    return Task(documents[: max(SIZES)], list(_disguised(sources, rng)), pieces[SOURCES:])


def _pairs(data: Path) -> dict[str, dict[str, str]]:
    """Returns id → id → label, both ways."""
    pairs: dict[str, dict[str, str]] = defaultdict(dict)
    for row in corpora.load(data, "truth_natdup_news"):
        pairs[row["id_a"]][row["id_b"]] = pairs[row["id_b"]][row["id_a"]] = row["label"]
    return pairs


def _natural(news: dict[str, Record], pairs: dict[str, dict[str, str]], kept: set[str],
             rng: random.Random) -> dict[str, Query]:
    """Returns id → its query, of news that have a near-duplicate which stays in the library."""
    found: dict[str, Query] = {}
    for one in rng.sample(sorted(pairs), len(pairs)):
        if one not in news or one in kept or len(found) == NATURAL:
            continue
        copies = {i for i, label in pairs[one].items()
                  if label in ("dup", "near") and i in news and i not in found}
        if copies:
            kept |= copies
            found[one] = Query("near-duplicates of newspapers", news[one]["text"], copies,
                               set(pairs[one]) - copies)
    return found


def _of_news(data: Path) -> Task:
    rng = random.Random(3)
    news = {r["id"]: r for r in corpora.load(data, *NEWS) if _is_long(r["text"])}
    pairs = _pairs(data)
    attacked = [r for r in corpora.load(data, "whole_doc_attacks")
                if r["src_id"] in news and r["attack"] in ATTACKS and _is_long(r["text"])]
    kept = {r["src_id"] for r in attacked}
    queries = [Query(r["attack"], r["text"], {r["src_id"]}, set(pairs.get(r["src_id"], ())))
               for r in attacked]
    disguises = library_attacks._disguises(data)
    for name in ("homophones 30 %", "homophones 100 %"):
        queries += [Query(name, disguises[name](news[i]["text"], rng), {i}, set(pairs.get(i, ())))
                    for i in sorted(kept)]
    natural = _natural(news, pairs, kept, rng)
    free = [i for i in sorted(news) if i not in kept and i not in natural]
    rng.shuffle(free)
    training = [i for i in free if i not in pairs][:TRAINING]
    rest = [i for i in free if i not in set(training)]
    texts = (r["text"] for r in corpora.load(data, *LONG))
    pieces = list(_pieces(texts, rng))
    rng.shuffle(pieces)
    documents = chain((news[i] for i in sorted(kept)), (news[i] for i in rest),
                      ({"id": f"piece {i}", "text": t} for i, t in enumerate(pieces)))
    return Task(list(documents)[: max(SIZES)], [*queries, *natural.values()],
                [news[i]["text"] for i in training])


def _train(tool: Path, texts: list[str]) -> Path:
    records, frequencies, snapshot = (WORK / n for n in ("train.jsonl", "df.zwt", "trained.zwp"))
    corpora.write(records, [{"id": str(i), "text": t} for i, t in enumerate(texts)])
    run_tool(tool, "terms", "build", records, "-o", frequencies, "--overwrite", "-q")
    run_tool(tool, "phonemes", "train", records, "--df", frequencies, "-o", snapshot,
             "--overwrite", "-q", "--texts", str(TRAINED))
    return snapshot


def _values(tool: Path, path: Path, scheme: str, *more: str | Path) -> list[str]:
    lines = run_tool(tool, "fingerprint", "-q", "-s", scheme, path, *more).splitlines()
    return [json.loads(line)["value"] for line in lines]


def _write(tool: Path, snapshot: Path, name: str, texts: list[str],
           relations: list[str]) -> tuple[Path, Path]:
    """Writes what phoneme_search reads; the second file has raw codes."""
    records = WORK / f"{name}.jsonl"
    corpora.write(records, [{"id": str(i), "text": t} for i, t in enumerate(texts)])
    sounds = _values(tool, records, "phonemes")
    codes = _values(tool, records, SOUNDS, "--phonemes", snapshot)
    paths = WORK / f"{name}.txt", WORK / f"{name}.raw.txt"
    for path, values in zip(paths, (codes, _values(tool, records, RAW)), strict=True):
        lines = zip(sounds, values, relations, strict=True)
        path.write_text("".join(f"{' '.join(line)}\n" for line in lines), encoding="utf-8")
    return paths


def _relation(query: Query, numbers: dict[str, int]) -> str:
    copies, related = (",".join(str(numbers[i]) for i in sorted(ids) if i in numbers)
                       for ids in (query.copies, query.related))
    return f"{query.kind.replace(' ', '_')} {copies}/{related}"


def _search(options: argparse.Namespace, *words: str | Path) -> list[dict[str, Any]]:
    done = subprocess.run([options.bin_dir / "phoneme_search", *map(str, words)], check=True,
                          stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns a row for each way and size of the library, and status 4 without the programs."""
    for program in ("phoneme_search", "library_speed"):
        if not (options.bin_dir / program).exists():
            say(f"bench: {options.bin_dir / program} is missing; build with -DZHIWEN_BENCHMARKS=ON")
            return {}, 4
    WORK.mkdir(parents=True, exist_ok=True)
    task = _of_news(options.data) if options.data else _made_up(options)
    snapshot = _train(options.zhiwen, task.training)
    say(f"{len(task.documents)} documents, {len(task.queries)} queries")
    numbers = {r["id"]: i for i, r in enumerate(task.documents)}
    documents = _write(options.zhiwen, snapshot, "documents",
                       [r["text"] for r in task.documents], [""] * len(task.documents))
    queries = _write(options.zhiwen, snapshot, "queries", [q.text for q in task.queries],
                     [_relation(q, numbers) for q in task.queries])
    rows = []
    for size in (s for s in SIZES if s <= len(task.documents)):
        for is_raw, (path, asked) in enumerate(zip(documents, queries, strict=True)):
            part = path.with_suffix(f".{size}.txt")
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:size]
            part.write_text("".join(lines), encoding="utf-8")
            found = _search(options, part, asked, "-" if is_raw else snapshot,
                            *map(str, RAW_RADII if is_raw else RADII))
            prefix = "raw " if is_raw else ""
            rows += [row | {"documents": size, "way": prefix + row["way"]} for row in found]
    return {"search": rows, "queries": len(task.queries)}, 0


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown: what is found, and what it costs."""
    rows = result.get("search", [])
    sizes = sorted({row["documents"] for row in rows})
    if not rows:
        return ""
    first = [row for row in rows if row["documents"] == sizes[0]]
    kinds = list(first[0]["kinds"])
    head = "".join(f" | {k.replace('_', ' ')} ({first[0]['kinds'][k]['copies']})" for k in kinds)
    lines = [f"{result['queries']} queries", "", f"| copies found{head} |",
             "|---|" + "---:|" * len(kinds)]
    for row in first:
        cells = (f"{k['found'] / k['copies']:.1%}" for k in row["kinds"].values())
        lines.append(f"| {row['way']} | {' | '.join(cells)} |")
    names = "".join(f" | unrelated of {s:,} | µs of {s:,} | bytes a document" for s in sizes)
    lines += ["", f"| a query{names} |", "|---|" + "---:|" * (3 * len(sizes))]
    for row in first:
        cells = []
        for size in sizes:
            same = next(r for r in rows if r["documents"] == size and r["way"] == row["way"])
            cells += [f"{same['unrelated']:,.2f}", f"{same['microseconds']:,.0f}",
                      f"{same['bytes'] / size:.0f}"]
        lines.append(f"| {row['way']} | {' | '.join(cells)} |")
    return "\n".join(lines)
