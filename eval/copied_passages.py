"""Copied passages: what `zhiwen compare` finds of passages whose places are known, by disguise.

The suspects of the corpus spliced_copy_spans, beside each of their sources, and then against a
library of all texts that they may be from (`zhiwen check`); then hosts with one
passage in a harder disguise (hard_copies.py), drawn anew for each seed; then texts that have
nothing in common. Figures are those of PAN (plagdet.py), first with everything that is found, then
without passages that the undisguised texts share: real texts quote each other and have set phrases.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import channel_disguises
import corpora
import hard_copies
import plagdet
from plagdet import Figures, Passage
from program import WORK, add_forms, add_inputs, run
from tables import markdown_table
from verdicts import Verdict, at_least, figure, skipped, zero

FOLDER = WORK / "copy"
SPLICED = "spliced_copy_spans"
PLAGDET, LEAST_PLAGDET = 0.975, 0.88  # all disguises; the one that is found least
WHOLE_PLAGDET, WHOLE_UNFILTERED = 0.97, 0.88  # among all texts
HARD_PLAGDET, SPLIT_HOMOPHONES, FIVE_NAMES = 0.94, 0.90, 0.98
HARD_WHOLE_RECALL = 0.88
LEAST_SIZE_OF_NAMES = 150
WITHOUT_NATURAL = "plagdet without what the undisguised texts share"
DEMO_SIZE, DEMO_TEXTS = 500, 400
BACKWARDS = 400  # pairs of a text and another one read backwards


@dataclass
class Comparer:
    """Runs `zhiwen compare` on pairs of texts, each pair once."""

    zhiwen: Path
    paths: dict[str, Path] = field(default_factory=dict)
    known: dict[tuple[str, str], list[Passage]] = field(default_factory=dict)

    def put(self, identity: str, text: str) -> None:
        """Gives a text its name."""
        if identity in self.paths:
            return
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{len(self.paths)}.txt"
        path.write_bytes(text.encode())
        self.paths[identity] = path

    def compare(self, pair: tuple[str, str]) -> list[Passage]:
        a, b = pair
        found = json.loads(run(self.zhiwen, "compare", "--json", self.paths[a], self.paths[b]))
        return [
            Passage(
                a,
                p["a"]["begin"],
                p["a"]["end"] - p["a"]["begin"],
                b,
                p["b"]["begin"],
                p["b"]["end"] - p["b"]["begin"],
            )
            for p in found["passages"]
        ]

    def find(self, pairs: Iterable[tuple[str, str]]) -> list[Passage]:
        """Returns the passages of pairs (suspect, source)."""
        wanted = list(dict.fromkeys(pairs))
        new = [pair for pair in wanted if pair not in self.known]
        with ThreadPoolExecutor(2) as pool:
            self.known.update(zip(new, pool.map(self.compare, new)))
        return [passage for pair in wanted for passage in self.known[pair]]


@dataclass
class Copies:
    """Suspects with the true places, and how each was disguised."""

    places: list[Passage] = field(default_factory=list)
    disguises: list[str] = field(default_factory=list)
    hosts: dict[str, str] = field(default_factory=dict)  # by suspect: its text without passages

    def pairs(self) -> list[tuple[str, str]]:
        return [(place.suspect, place.source) for place in self.places]


def spliced(data: Path, comparer: Comparer) -> Copies:
    """Reads the corpus of spliced passages."""
    rows = corpora.load(data, SPLICED)
    sources = {r["id"]: r["text"] for r in corpora.load(data, *corpora.NEWS_CORPORA)}
    copies = Copies()
    for row in rows:
        if not row["spans"]:
            continue
        comparer.put(row["id"], row["text"])
        copies.hosts[row["id"]] = row["host_id"]
        comparer.put(row["host_id"], sources[row["host_id"]])
        for span in row["spans"]:
            comparer.put(span["src_id"], sources[span["src_id"]])
            copies.disguises.append(span["obf"])
            copies.places.append(
                Passage(
                    row["id"],
                    span["start"],
                    span["len"],
                    span["src_id"],
                    span["src_start"],
                    span["src_len"],
                )
            )
    return copies


def hard(drawn: Iterable[hard_copies.HardCopy], comparer: Comparer) -> tuple[Copies, list[int]]:
    """Takes drawn copies; returns their sizes, too."""
    copies, sizes = Copies(), []
    for copy in drawn:
        comparer.put(copy.suspect["id"], copy.suspect["text"])
        comparer.put(copy.source["id"], copy.source["text"])
        comparer.put(copy.host["id"], copy.host["text"])
        copies.hosts[copy.suspect["id"]] = copy.host["id"]
        copies.places.append(copy.place)
        copies.disguises.append(copy.disguise)
        sizes.append(copy.size)
    return copies, sizes


def without_natural(copies: Copies, found: list[Passage], comparer: Comparer) -> list[Passage]:
    """Leaves out passages that lie in no true one, and at a place of the source that the host
    without its passages shares."""
    true_by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for place in copies.places:
        true_by_pair[(place.suspect, place.source)].append(place)
    hosts = {(copies.hosts[p.suspect], p.source) for p in found if p.suspect in copies.hosts}
    natural: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for one in comparer.find(sorted(hosts)):
        natural[(one.suspect, one.source)].append((one.source_begin, one.source_size))
    kept = []
    for one in found:
        is_true = any(one.overlaps(t) for t in true_by_pair[(one.suspect, one.source)])
        shared = natural[(copies.hosts.get(one.suspect, ""), one.source)]
        common = plagdet.covered(one.source_begin, one.source_size, shared)
        if is_true or common * 2 < one.source_size:
            kept.append(one)
    return kept


def without_shared(
    copies: Copies, found: list[Passage], texts: dict[str, str], comparer: Comparer
) -> list[Passage]:
    """Leaves out passages that lie in no true one, and at a place of the source that the host, or
    the text of a true passage, shares without any disguise."""
    true_by_suspect: dict[str, list[Passage]] = defaultdict(list)
    for place in copies.places:
        true_by_suspect[place.suspect].append(place)
    wanted: dict[Passage, list[tuple[str, str]]] = {}
    for one in found:
        places = true_by_suspect[one.suspect]
        if any(t.source == one.source and one.overlaps(t) for t in places):
            continue
        undisguised = {copies.hosts[one.suspect]: texts[copies.hosts[one.suspect]]}
        for t in places:
            text = texts[t.source][t.source_begin : t.source_begin + t.source_size]
            undisguised[f"{t.source} {t.source_begin} {t.source_size}"] = text
        for identity, text in (*undisguised.items(), (one.source, texts[one.source])):
            comparer.put(identity, text)
        wanted[one] = [(identity, one.source) for identity in undisguised]
    comparer.find([pair for pairs in wanted.values() for pair in pairs])
    kept = []
    for one in found:
        shared = [
            (p.source_begin, p.source_size)
            for pair in wanted.get(one, [])
            for p in comparer.known[pair]
        ]
        if plagdet.covered(one.source_begin, one.source_size, shared) * 2 < one.source_size:
            kept.append(one)
    return kept


def by_disguise(copies: Copies, found: Sequence[Passage]) -> dict[str, Figures]:
    """Returns the recall of each disguise; its precision is that of its own passages."""
    true_passages: dict[str, list[Passage]] = defaultdict(list)
    for place, disguise in zip(copies.places, copies.disguises):
        true_passages[disguise].append(place)
    found_by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for one in found:
        found_by_pair[(one.suspect, one.source)].append(one)
    figures = {}
    for disguise, places in sorted(true_passages.items()):
        own = {
            one: None
            for place in places
            for one in found_by_pair[(place.suspect, place.source)]
            if one.overlaps(place)
        }
        figures[disguise] = plagdet.score(places, list(own))
    return figures


def referee(scorer: Path, data: Path, found: Sequence[Passage]) -> dict[str, float]:
    """Returns what the referee says of found passages."""
    path = FOLDER / "found.jsonl"
    corpora.write(
        path,
        [
            {
                "id": p.suspect,
                "start": p.begin,
                "len": p.size,
                "src_id": p.source,
                "src_start": p.source_begin,
                "src_len": p.source_size,
            }
            for p in found
        ],
    )
    done = subprocess.run(
        ["python3", str(scorer), str(corpora.locate(data, SPLICED)), str(path)],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[0])["all"]
    return figures


def table_of(title: str, figures: dict[str, Figures]) -> str:
    rows = [["disguise", "copies", "recall", "plagdet", "granularity"]]
    for name, of in sorted(figures.items(), key=lambda one: one[1].recall):
        rows.append(
            [name, str(of.cases), f"{of.recall:.3f}", f"{of.plagdet:.3f}", f"{of.granularity:.3f}"]
        )
    return f"{title}\n\n" + markdown_table(rows[0], rows[1:])


def check_spliced(
    options: argparse.Namespace, comparer: Comparer, tables: list[str]
) -> Iterator[Verdict]:
    part = "spliced passages, the sources given"
    if options.data is None or not corpora.has(options.data, SPLICED):
        yield skipped(part, "all checks", f"{SPLICED} is not in --data")
        return
    copies = spliced(options.data, comparer)
    found = comparer.find(copies.pairs())
    all_of = plagdet.score(copies.places, found)
    scorer = options.scorer or options.data.parent / "scorers" / "plagdet.py"
    if scorer.exists():
        says = referee(scorer, options.data, found)
        differ = sum(
            abs(says[name] - getattr(all_of, name)) > 0.0001
            for name in ("precision", "recall", "granularity", "plagdet")
        )
        yield zero(part, "figures of which the referee says another", differ, str(says))
    yield figure(part, "plagdet, everything found", all_of.plagdet, f"{all_of.found} passages")
    kept = without_natural(copies, found, comparer)
    of = plagdet.score(copies.places, kept)
    detail = f"precision {of.precision:.4f}, recall {of.recall:.4f}"
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, PLAGDET, detail)
    yield figure(part, "granularity", of.granularity)
    figures = by_disguise(copies, kept)
    least = min(figures, key=lambda one: figures[one].plagdet)
    yield at_least(
        part, "plagdet of the least disguise", figures[least].plagdet, LEAST_PLAGDET, least
    )
    tables.append(table_of("Spliced passages", figures))


def check_library(
    zhiwen: Path, library: Path, name: str, records: Sequence[corpora.Record]
) -> tuple[list[Passage], str]:
    """Checks records against a library; returns the passages of all, and what it took."""
    inputs, output = FOLDER / f"{name}.jsonl", FOLDER / f"{name}.found.jsonl"
    corpora.write(inputs, [{"id": r["id"], "text": r["text"]} for r in records])
    before = os.times()
    run(zhiwen, "check", library, inputs, "-o", output, "--overwrite", "-q")
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    found = [
        Passage(
            row["id"],
            p["suspect"]["begin"],
            p["suspect"]["end"] - p["suspect"]["begin"],
            match["document"]["id"],
            p["original"]["begin"],
            p["original"]["end"] - p["original"]["begin"],
        )
        for row in corpora.read(output)
        for match in row["matches"]
        for p in match["passages"]
    ]
    units = sum(len(r["text"]) for r in records)
    each = seconds * 1000 / max(1, units) * 2000
    return found, f"{each:.2f} ms of a processor for 2,000 characters"


def make_library(options: argparse.Namespace) -> Path:
    """Makes a library of all texts that copies may be from."""
    library = FOLDER / "library"
    shutil.rmtree(library, ignore_errors=True)
    run(options.zhiwen, "library", "create", library, "--profile", options.profile, "-q")
    for name in corpora.NEWS_CORPORA:
        run(options.zhiwen, "library", "add", library, corpora.locate(options.data, name), "-q")
    return library


def check_whole(
    options: argparse.Namespace, comparer: Comparer, library: Path | None
) -> Iterator[Verdict]:
    part = f"spliced passages, whole library, profile {options.profile}"
    if library is None or not corpora.has(options.data, SPLICED):
        yield skipped(part, "all checks", f"{SPLICED} is not in --data")
        return
    texts = {r["id"]: r["text"] for r in corpora.load(options.data, *corpora.NEWS_CORPORA)}
    copies = spliced(options.data, comparer)
    suspects = [r for r in corpora.load(options.data, SPLICED) if r["spans"]]
    every, took = check_library(options.zhiwen, library, "suspects", suspects)
    every = [p for p in every if p.source != copies.hosts[p.suspect]]
    all_of = plagdet.score(copies.places, every)
    detail = f"{all_of.found} passages; precision {all_of.precision:.4f}"
    yield at_least(
        part, "plagdet, everything found", all_of.plagdet, WHOLE_UNFILTERED, detail
    )
    kept = without_shared(copies, every, texts, comparer)
    of = plagdet.score(copies.places, kept)
    detail = f"precision {of.precision:.4f}, recall {of.recall:.4f}; {took}"
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, WHOLE_PLAGDET, detail)
    found_by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for one in kept:
        found_by_pair[(one.suspect, one.source)].append(one)
    missed = [
        disguise
        for place, disguise in zip(copies.places, copies.disguises)
        if not any(f.overlaps(place) for f in found_by_pair[(place.suspect, place.source)])
    ]
    yield figure(part, "passages not found", len(missed), str(Counter(missed).most_common(4)))


def check_hard(
    options: argparse.Namespace,
    comparer: Comparer,
    texts: Sequence[corpora.Record],
    library: Path | None,
    tables: list[str],
) -> Iterator[Verdict]:
    part = f"hard copies, seed {options.seed}"
    try:
        drawn = list(hard_copies.draw(texts, options.data, options.seed, options.copies))
    except channel_disguises.Unavailable as missing:
        yield skipped(part, "all checks", f"{missing} is missing")
        return
    if not drawn:
        yield skipped(part, "all checks", "no two texts are long enough")
        return
    copies, sizes = hard(drawn, comparer)
    every = comparer.find(copies.pairs())
    yield figure(part, "plagdet, everything found", plagdet.score(copies.places, every).plagdet)
    found = without_natural(copies, every, comparer)
    of = plagdet.score(copies.places, found)
    detail = f"{of.cases} copies; precision {of.precision:.4f}, recall {of.recall:.4f}"
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, HARD_PLAGDET, detail)
    figures = by_disguise(copies, found)
    both = figures["homophones 30 % + split 30 %"]
    yield at_least(part, "recall of homophones and split characters", both.recall, SPLIT_HOMOPHONES)
    names = [
        place
        for place, disguise, size in zip(copies.places, copies.disguises, sizes)
        if disguise == "five names renamed" and size >= LEAST_SIZE_OF_NAMES
    ]
    hit = sum(any(f.suspect == p.suspect and f.overlaps(p) for f in found) for p in names)
    yield at_least(part, "passages with five names renamed found", hit / len(names), FIVE_NAMES)
    recalls: dict[int, list[float]] = defaultdict(list)
    for place, size in zip(copies.places, sizes):
        hits = [f for f in found if f.suspect == place.suspect and f.overlaps(place)]
        recalls[size].append(plagdet.score([place], hits).recall)
    for size, each in sorted(recalls.items()):
        yield figure(part, f"recall of passages of {size} characters", sum(each) / len(each))
    tables.append(table_of("Hard copies", figures))
    if library is None:
        return
    suspects = [copy.suspect for copy in drawn]
    found, _ = check_library(options.zhiwen, library, "hard", suspects)
    found = [p for p in found if p.source != copies.hosts[p.suspect]]
    of = plagdet.score(copies.places, found)
    detail = f"plagdet with everything found {of.plagdet:.4f}, granularity {of.granularity:.4f}"
    yield at_least(part, "recall, whole library", of.recall, HARD_WHOLE_RECALL, detail)
    tables.append(table_of("Hard copies, whole library", by_disguise(copies, found)))


def check_unrelated(comparer: Comparer, texts: Sequence[corpora.Record]) -> Iterator[Verdict]:
    part = "texts read backwards"
    chosen = [r for r in texts if len(r["text"]) >= DEMO_SIZE][: BACKWARDS + 1]
    pairs = []
    for record, other in zip(chosen, chosen[1:]):
        comparer.put(record["id"], record["text"])
        comparer.put("backwards " + other["id"], other["text"][::-1])
        pairs.append(("backwards " + other["id"], record["id"]))
    found = comparer.find(pairs)
    by_pair = Counter((p.suspect, p.source) for p in found)
    yield zero(part, "passages", len(found), str(by_pair.most_common(3)))
    yield figure(part, "pairs", len(pairs))


def check(options: argparse.Namespace, tables: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of all parts."""
    comparer = Comparer(options.zhiwen)
    library = None
    if options.data is not None and corpora.has(options.data, "news_cctv"):
        texts = corpora.load(options.data, *corpora.NEWS_CORPORA)
        library = make_library(options)
    else:
        texts = [r for r in corpora.demo() if len(r["text"]) >= DEMO_SIZE][:DEMO_TEXTS]
    yield from check_spliced(options, comparer, tables)
    yield from check_whole(options, comparer, library)
    yield from check_hard(options, comparer, texts, library, tables)
    yield from check_unrelated(comparer, texts)


def add_arguments(commands: Any) -> None:
    """Adds the word copy to those of eval."""
    parser = commands.add_parser("copy", help="copied passages whose places are known")
    add_inputs(parser, "folder with spliced_copy_spans, the news and acad_fudan")
    parser.add_argument(
        "--profile", default="novel", help="of the library of all texts (novel)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the hard copies (1)")
    parser.add_argument(
        "--copies", type=int, default=20, help="hard copies of each disguise and size (20)"
    )
    parser.add_argument(
        "--scorer", type=Path, help="plagdet.py (default: beside the data folder, if there)"
    )
    add_forms(parser)
