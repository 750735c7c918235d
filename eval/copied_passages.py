"""Copied passages: what `zhiwen compare` and `zhiwen check` find of passages whose places are
known, by disguise and length, and what they find where nothing is copied.

The parts: `spliced` are the suspects of the corpus spliced_copy_spans beside each of their sources,
`library` the same against a library of all texts that they may be from; `hard` are hosts with one
passage in a harder disguise (hard_copies.py), drawn anew for each seed; `clough`, `versions`,
`homework` and `headlines` are pairs of texts that people wrote (copied_pairs.py), `attacks` whole
texts in disguise (copied_documents.py), `backwards` and `others` texts with which the library
should have nothing in common (false_passages.py), `expected` how many passages such texts share by
score (expected_passages.py), and `peers` what other programs find
(copy_peers.py). Figures of passages are those of PAN (plagdet.py), first with everything that is
found, then without passages that the undisguised texts share: real texts quote each other and have
set phrases.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import channel_disguises
import copied_documents
import copied_pairs
import copy_peers
import corpora
import expected_passages
import false_passages
import hard_copies
import plagdet
from copies import (
    FOLDER,
    SET_PHRASES,
    SPLICED,
    Comparer,
    Copies,
    Setting,
    hard,
    make_setting,
    passages_of,
    spliced,
)
from plagdet import Figures, Passage
from program import add_forms, add_inputs, positive, run
from tables import markdown_table
from verdicts import Verdict, at_least, figure, skipped, zero

PLAGDET, LEAST_PLAGDET = 0.975, 0.88  # all disguises; the one that is found least
WHOLE_PLAGDET, WHOLE_UNFILTERED = 0.97, 0.88  # among all texts
HARD_PLAGDET, SPLIT_HOMOPHONES, FIVE_NAMES = 0.94, 0.90, 0.98
HARD_WHOLE_RECALL = 0.88
LEAST_SIZE_OF_NAMES = 150
LENGTHS = (0, 100, 250)  # least characters of a passage, of the columns of tables
EVERYTHING = "plagdet, everything found"
WITHOUT_NATURAL = "plagdet without what the undisguised texts share"


def without_natural(copies: Copies, found: list[Passage], comparer: Comparer) -> list[Passage]:
    """Leaves out passages that lie in no true one, and at a place of the source that the host
    without its passages shares."""
    true_by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for place in copies.places:
        true_by_pair[(place.suspect, place.source)].append(place)
    others = [p for p in found if not any(map(p.overlaps, true_by_pair[(p.suspect, p.source)]))]
    hosts = {(copies.hosts[p.suspect], p.source) for p in others}
    natural: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for one in comparer.find(sorted(hosts)):
        natural[(one.suspect, one.source)].append((one.source_begin, one.source_size))
    left_out = set()
    for one in others:
        shared = natural[(copies.hosts[one.suspect], one.source)]
        if plagdet.covered(one.source_begin, one.source_size, shared) * 2 >= one.source_size:
            left_out.add(one)
    return [one for one in found if one not in left_out]


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


def recall_of(copies: Copies, found: Sequence[Passage], least: int, most: float) -> str:
    """Returns the recall of passages whose source has so many characters; "" where there are
    none."""
    places = [place for place in copies.places if least <= place.source_size < most]
    return f"{plagdet.score(places, found).recall:.3f}" if places else ""


def table_of(title: str, copies: Copies, found: Sequence[Passage]) -> str:
    """Returns the figures of each disguise, and its recall by length of the passage."""
    lengths = list(zip(LENGTHS, (*LENGTHS[1:], math.inf)))
    rows = []
    for name, of in sorted(by_disguise(copies, found).items(), key=lambda one: one[1].recall):
        own = Copies([p for p, d in zip(copies.places, copies.disguises) if d == name])
        figures = (f"{f:.3f}" for f in (of.recall, of.plagdet, of.granularity))
        by_length = (recall_of(own, found, least, most) for least, most in lengths)
        rows.append([name, str(of.cases), *figures, *by_length])
    every = plagdet.score(copies.places, found)
    figures = (f"{f:.3f}" for f in (every.recall, every.plagdet, every.granularity))
    by_length = (recall_of(copies, found, least, most) for least, most in lengths)
    rows.append(["all", str(every.cases), *figures, *by_length])
    head = ["disguise", "copies", "recall", "plagdet", "granularity"]
    head += [f"recall, from {least} characters" for least in LENGTHS]
    return f"{title}\n\n" + markdown_table(head, rows)


def check_spliced(setting: Setting) -> Iterator[Verdict]:
    part = "spliced passages, the sources given"
    options, comparer = setting.options, setting.comparer
    if not corpora.has(options.data, SPLICED):
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
    yield figure(part, EVERYTHING, all_of.plagdet, _figures(all_of))
    kept = without_natural(copies, found, comparer)
    of = plagdet.score(copies.places, kept)
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, PLAGDET, _figures(of))
    figures = by_disguise(copies, kept)
    least = min(figures, key=lambda one: figures[one].plagdet)
    yield at_least(
        part, "plagdet of the least disguise", figures[least].plagdet, LEAST_PLAGDET, least
    )
    setting.tables.append(table_of("Spliced passages, the sources given", copies, kept))


def _figures(of: Figures) -> str:
    return (
        f"{of.found} passages of {of.cases}; precision {of.precision:.4f}, "
        f"recall {of.recall:.4f}, granularity {of.granularity:.4f}"
    )


def check_whole(setting: Setting) -> Iterator[Verdict]:
    options = setting.options
    part = f"spliced passages, whole library, profile {options.profile}"
    if not corpora.has(options.data, SPLICED):
        yield skipped(part, "all checks", f"{SPLICED} is not in --data")
        return
    copies = spliced(options.data, setting.comparer)
    suspects = [r for r in corpora.load(options.data, SPLICED) if r["spans"]]
    found = yield from _check_library(setting, part, "suspects", copies, suspects)
    of = plagdet.score(copies.places, found)
    yield at_least(part, EVERYTHING, of.plagdet, WHOLE_UNFILTERED, _figures(of))
    texts = {r["id"]: r["text"] for r in setting.texts}
    kept = without_shared(copies, found, texts, setting.comparer)
    of = plagdet.score(copies.places, kept)
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, WHOLE_PLAGDET, _figures(of))
    by_pair: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for one in kept:
        by_pair[(one.suspect, one.source)].append(one)
    missed = [
        disguise
        for place, disguise in zip(copies.places, copies.disguises)
        if not any(f.overlaps(place) for f in by_pair[(place.suspect, place.source)])
    ]
    yield figure(part, "passages not found", len(missed), str(Counter(missed).most_common(4)))
    setting.tables.append(table_of("Spliced passages, whole library", copies, kept))


def _check_library(
    setting: Setting, part: str, name: str, copies: Copies, suspects: list[corpora.Record]
) -> Generator[Verdict, None, list[Passage]]:
    """Yields what is found with set phrases; returns what is found without them. The host of a
    suspect is in the library, and does not count."""
    answers, _ = setting.check(name, suspects, SET_PHRASES)
    found = [p for p in passages_of(answers) if p.source != copies.hosts[p.suspect]]
    of = plagdet.score(copies.places, found)
    yield figure(part, f"plagdet with {SET_PHRASES}", of.plagdet, _figures(of))
    answers, seconds = setting.check(name, suspects)
    each = seconds * 1000 / sum(len(r["text"]) for r in suspects) * 2000
    yield figure(part, "ms of a processor for 2,000 characters", each)
    return [p for p in passages_of(answers) if p.source != copies.hosts[p.suspect]]


def check_hard(setting: Setting) -> Iterator[Verdict]:
    options, comparer = setting.options, setting.comparer
    part = f"hard copies, seed {options.seed}"
    if not hard_copies.has_look_alikes(options.data):
        yield skipped(part, "look-alikes", f"{channel_disguises.CONFUSION} is not in --data")
    try:
        drawn = list(hard_copies.draw(setting.texts, options.data, options.seed, options.copies))
    except channel_disguises.Unavailable as missing:
        yield skipped(part, "all checks", f"{missing} is missing")
        return
    copies, sizes = hard(drawn, comparer)
    every = comparer.find(copies.pairs())
    of = plagdet.score(copies.places, every)
    yield figure(part, EVERYTHING, of.plagdet, _figures(of))
    found = without_natural(copies, every, comparer)
    of = plagdet.score(copies.places, found)
    yield at_least(part, WITHOUT_NATURAL, of.plagdet, HARD_PLAGDET, _figures(of))
    both = by_disguise(copies, found)["homophones 30 % + split 30 %"]
    yield at_least(part, "recall of homophones and split characters", both.recall, SPLIT_HOMOPHONES)
    names = [
        place
        for place, disguise, size in zip(copies.places, copies.disguises, sizes)
        if disguise == "five names renamed" and size >= LEAST_SIZE_OF_NAMES
    ]
    hit = sum(any(f.suspect == p.suspect and f.overlaps(p) for f in found) for p in names)
    yield at_least(part, "passages with five names renamed found", hit / len(names), FIVE_NAMES)
    setting.tables.append(table_of(f"Hard copies, seed {options.seed}", copies, found))
    suspects = [copy.suspect for copy in drawn]
    whole = f"{part}, whole library"
    found = yield from _check_library(setting, whole, "hard", copies, suspects)
    of = plagdet.score(copies.places, found)
    yield figure(whole, EVERYTHING, of.plagdet, _figures(of))
    yield at_least(whole, "recall", of.recall, HARD_WHOLE_RECALL)
    title = f"Hard copies, seed {options.seed}, whole library"
    setting.tables.append(table_of(title, copies, found))


PARTS: dict[str, Callable[[Setting], Iterator[Verdict]]] = {
    "spliced": check_spliced,
    "library": check_whole,
    "hard": check_hard,
    "clough": copied_pairs.check_clough,
    "versions": copied_pairs.check_versions,
    "homework": copied_pairs.check_homework,
    "headlines": copied_pairs.check_headlines,
    "attacks": copied_documents.check,
    "backwards": false_passages.check_backwards,
    "others": false_passages.check_others,
    "expected": expected_passages.check,
    "peers": copy_peers.check,
}


def check(options: argparse.Namespace, tables: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of the wanted parts."""
    if options.seed is None:
        version = json.loads(run(options.zhiwen, "version", "--json"))["version"]
        options.seed = zlib.crc32(version.encode()) % 1000
    setting = make_setting(options, tables)
    for part in options.part:
        corpora.say(f"  copy: {part}")
        yield from PARTS[part](setting)


def _parts(word: str) -> list[str]:
    parts = [part for part in word.split(",") if part]
    unknown = [part for part in parts if part not in PARTS]
    if unknown or not parts:
        raise argparse.ArgumentTypeError(
            f"{', '.join(unknown) or 'nothing'} is no part; there are {', '.join(PARTS)}"
        )
    return parts


def add_arguments(commands: Any) -> None:
    """Adds the word copy to those of eval."""
    parser = commands.add_parser(
        "copy",
        help="copied passages whose places are known",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_inputs(parser, "folder with the dev corpora; without it, the texts of testdata are used")
    parser.add_argument(
        "--part",
        type=_parts,
        default=list(PARTS),
        metavar="PART,...",
        help=f"only these parts: {', '.join(PARTS)} (all)",
    )
    parser.add_argument("--profile", default="novel", help="of the library of all texts (novel)")
    parser.add_argument(
        "--seed", type=int, help="of what is drawn (another one for each version of the program)"
    )
    parser.add_argument(
        "--copies", type=positive, default=20, help="hard copies of each disguise and size (20)"
    )
    parser.add_argument(
        "--pairs", type=positive, default=100, help="pairs of each set and label, at most (100)"
    )
    parser.add_argument(
        "--characters",
        type=positive,
        default=10_000_000,
        help="that are read backwards, at most (10,000,000)",
    )
    parser.add_argument(
        "--scorer", type=Path, help="plagdet.py (default: beside the data folder, if there)"
    )
    add_forms(parser)
