"""Copies whose places are known, the library of all texts that they may be from, and what `zhiwen
compare` and `zhiwen check` say of them: what the parts of `zw eval copy` have in common."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import corpora
import demo
import hard_copies
from plagdet import Passage
from program import WORK, Program, run

FOLDER = WORK / "copy"
SPLICED = "spliced_copy_spans"
DEMO_SIZE = 500  # least characters of a demo text in a library
SET_PHRASES = "--set-phrases"


@dataclass
class Comparer:
    """Runs `zhiwen compare` on pairs of texts, each pair once; `shares` says by pair how much of
    each text is in passages."""

    zhiwen: Path
    paths: dict[str, Path] = field(default_factory=dict)
    known: dict[tuple[str, str], list[Passage]] = field(default_factory=dict)
    shares: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

    def put(self, identity: str, text: str) -> None:
        """Gives a text its name."""
        if identity in self.paths:
            return
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{len(self.paths)}.txt"
        path.write_bytes(text.encode())
        self.paths[identity] = path

    def compare(self, pair: tuple[str, str]) -> list[Passage]:
        """Returns the passages of a pair."""
        a, b = pair
        found = json.loads(run(self.zhiwen, "compare", "--json", self.paths[a], self.paths[b]))
        self.shares[pair] = (
            found["matched"]["a"] / max(1, found["a"]["symbols"]),
            found["matched"]["b"] / max(1, found["b"]["symbols"]),
        )
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


@dataclass
class Setting:
    """What the parts are made of: the options, the texts of the library, and the tables that are
    printed."""

    options: argparse.Namespace
    texts: list[corpora.Record]
    comparer: Comparer
    tables: list[str]
    libraries: dict[str, Path] = field(default_factory=dict)  # by profile

    @property
    def zhiwen(self) -> Path:
        path: Path = self.options.zhiwen
        return path

    def library(self, profile: str) -> Path:
        """Makes a library of all texts, once."""
        if profile not in self.libraries:
            made, texts = FOLDER / f"library-{profile}", FOLDER / "texts.jsonl"
            corpora.say(f"  a library of {len(self.texts)} texts, profile {profile}")
            shutil.rmtree(made, ignore_errors=True)
            corpora.write(texts, ({"id": r["id"], "text": r["text"]} for r in self.texts))
            run(self.zhiwen, "library", "create", made, "--profile", profile, "-q")
            run(self.zhiwen, "library", "add", made, texts, "-q")
            self.libraries[profile] = made
        return self.libraries[profile]

    def check(
        self, name: str, records: Iterable[corpora.Record], *options: str, profile: str = ""
    ) -> tuple[list[dict[str, Any]], float]:
        """Checks records against a library, of --profile where none is named. Returns the answers
        with matches, and seconds of the processor."""
        inputs, output = FOLDER / f"{name}.jsonl", FOLDER / f"{name}.found.jsonl"
        corpora.write(inputs, ({"id": r["id"], "text": r["text"]} for r in records))
        library = self.library(profile or self.options.profile)
        words = ("-o", output, "--overwrite", "--matches-only", "-q", *options)
        spent = processor_seconds(lambda: run(self.zhiwen, "check", library, inputs, *words))
        return list(corpora.read(output)), spent


def make_setting(options: argparse.Namespace, tables: list[str]) -> Setting:
    """Takes the texts of --data, or those of testdata that are no copies of each other."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if all(corpora.has(options.data, name) for name in corpora.NEWS_CORPORA):
        texts = corpora.load(options.data, *corpora.NEWS_CORPORA)
    else:
        long_enough = [r for r in demo.originals() if len(r["text"]) >= DEMO_SIZE]
        texts = Program(options.zhiwen).dedup("copy-texts", long_enough).kept_records()
    return Setting(options, texts, Comparer(options.zhiwen), tables)


def processor_seconds(work: Callable[[], Any]) -> float:
    """Returns the seconds of the processor that the programs took which `work` runs."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def passages_of(answers: Iterable[dict[str, Any]]) -> Iterator[Passage]:
    """Yields the passages of answers of `zhiwen check`."""
    for row in answers:
        for match in row["matches"]:
            for p in match["passages"]:
                suspect, original = p["suspect"], p["original"]
                yield Passage(
                    row["id"],
                    suspect["begin"],
                    suspect["end"] - suspect["begin"],
                    match["document"]["id"],
                    original["begin"],
                    original["end"] - original["begin"],
                )
