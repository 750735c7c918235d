"""Disguised passages inside of other texts, seeded: one disguise or several at once, and names that
are replaced everywhere. A new seed draws other hosts, passages and disguises of the same texts.

`DISGUISES` names them; each is a function (text, rng) → text.
"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import attacks
import channel_disguises as single
import corpora
from plagdet import Passage

SIZES = (60, 150, 400)
SENTENCE = re.compile(r"[^。！？\n]*[。！？\n]?")
NAME = re.compile(r"[\u4e00-\u9fff]{2}")
NEW_NAMES = (
    "林凡 苏沐 叶轩 秦墨 楚云 顾寒 沈舟 江澈 洛璃 白棠 温谨 陆衡".split()
)

Disguise = Callable[[str, random.Random], str]


@dataclass(frozen=True)
class HardCopy:
    """A host with one disguised passage of a source in it."""

    disguise: str
    size: int  # of the passage before it was disguised
    host: corpora.Record
    suspect: corpora.Record
    source: corpora.Record
    place: Passage


def edits(share: float) -> Disguise:
    """Characters of a text replaced by others, left out or doubled with another one."""

    def disguise(text: str, rng: random.Random) -> str:
        pool = [c for c in text if corpora.is_han(c)] or ["一"]
        out = []
        for c in text:
            what = rng.random() / share if corpora.is_han(c) else 1
            if what < 1 / 3:
                out.append(rng.choice(pool))
            elif what < 2 / 3:
                out.append(c + rng.choice(pool))
            elif what >= 1:
                out.append(c)
        return "".join(out)

    return disguise


def symbols(share: float) -> Disguise:
    """A symbol behind a share of the characters."""

    def disguise(text: str, rng: random.Random) -> str:
        return "".join(c + rng.choice(single.SYMBOLS) if rng.random() < share else c for c in text)

    return disguise


def renamed(count: int) -> Disguise:
    """The strings of two characters that come most often, each replaced by a name everywhere."""

    def disguise(text: str, rng: random.Random) -> str:
        pairs: Counter[str] = Counter(
            text[i : i + 2] for i in range(len(text) - 1) if NAME.fullmatch(text[i : i + 2])
        )
        names = rng.sample(NEW_NAMES, count)
        for (old, _), new in zip(pairs.most_common(count), names):
            text = text.replace(old, new)
        return text

    return disguise


def shuffled(text: str, rng: random.Random) -> str:
    """The sentences in another order."""
    sentences = [s for s in SENTENCE.findall(text) if s]
    rng.shuffle(sentences)
    return "".join(sentences)


def each_of(share: float, *choices: Callable[[str, random.Random], str | None]) -> Disguise:
    """A share of the characters in each of several ways."""

    def disguise(text: str, rng: random.Random) -> str:
        out = []
        for c in text:
            which = int(rng.random() / share)
            other = choices[which](c, rng) if which < len(choices) else None
            out.append(c if other is None else other)
        return "".join(out)

    return disguise


def two_of(*disguises: Disguise) -> Disguise:
    """Two disguises that are drawn for each text, one after the other."""

    def disguise(text: str, rng: random.Random) -> str:
        for one in rng.sample(disguises, 2):
            text = one(text, rng)
        return text

    return disguise


def has_look_alikes(data: Path | None) -> bool:
    """Returns whether the data folder has the table of look-alike characters."""
    return data is not None and (data / single.CONFUSION).exists()


def make(data: Path | None) -> dict[str, Disguise]:
    """Returns the disguises by name; without look-alikes where these are not in the data folder."""
    has_alike = has_look_alikes(data)
    alike = single.look_alike_of(data) if has_alike else single.homophone_of
    sound, spell = single.homophone_of, single.spelling_of
    split, letter = single.parts_of, single.first_letter_of
    homophones = single.replacing(sound, 0.3)
    made = {
        "homophones 30 %": homophones,
        "homophones 100 %": single.replacing(sound, 1),
        "spelled 30 %": single.replacing(spell, 0.3),
        "spelled 100 %": single.replacing(spell, 1),
        "split 30 %": single.replacing(split, 0.3),
        "split 100 %": single.replacing(split, 1),
        "first letters 30 %": single.replacing(letter, 0.3),
        "first letters 100 %": single.replacing(letter, 1),
        "look-alikes 15 %": single.replacing(alike, 0.15),
        "look-alikes 30 %": single.replacing(alike, 0.3),
        "look-alikes 15 % + homophones 30 %": single.in_turn(
            single.replacing(alike, 0.15), homophones
        ),
        "look-alikes 15 % + split 30 %": single.in_turn(
            single.replacing(alike, 0.15), single.replacing(split, 0.3)
        ),
        "homophones 30 % + split 30 %": single.in_turn(homophones, single.replacing(split, 0.3)),
        "edits 25 %": edits(0.25),
        "edits 35 %": edits(0.35),
        "neighbours swapped 20 %": single.swapping(0.2),
        "neighbours swapped 35 %": single.swapping(0.35),
        "homophones 30 % + edits 15 %": single.in_turn(homophones, edits(0.15)),
        "four disguises, each 5 %": each_of(0.05, sound, spell, split, alike),
        "four disguises, each 10 %": each_of(0.1, sound, spell, split, alike),
        "homophones + edits + traditional + symbols": single.in_turn(
            single.replacing(sound, 0.1), edits(0.1), attacks.to_traditional, symbols(0.1)
        ),
        "symbols inserted 40 %": symbols(0.4),
        "five names renamed": renamed(5),
        "twelve names renamed": renamed(12),
        "five names renamed + homophones 30 %": single.in_turn(renamed(5), homophones),
        "homophones 30 % + sentences shuffled": single.in_turn(shuffled, homophones),
        "spelled 30 % + sentences shuffled": single.in_turn(shuffled, single.replacing(spell, 0.3)),
        "two at random": two_of(
            homophones,
            single.replacing(spell, 0.3),
            single.replacing(split, 0.3),
            single.replacing(letter, 0.15),
            single.swapping(0.1),
            edits(0.15),
            symbols(0.3),
            renamed(5),
            shuffled,
            attacks.to_traditional,
        ),
    }
    of_looks = ("look-alikes", "four disguises")
    return {name: of for name, of in made.items() if has_alike or not name.startswith(of_looks)}


def draw(
    texts: Sequence[corpora.Record], data: Path | None, seed: int, count: int
) -> Iterator[HardCopy]:
    """Yields `count` copies of each disguise and size; texts that are too short are left out."""
    long_enough = [r for r in texts if len(r["text"]) >= max(SIZES) + 100]
    if len(long_enough) < 2:
        return
    for name, disguise in make(data).items():
        for size in SIZES:
            for number in range(count):
                rng = random.Random(f"{seed}:{name}:{size}:{number}")
                host, source = rng.sample(long_enough, 2)
                begin = rng.randrange(len(source["text"]) - size)
                passage = source["text"][begin : begin + size]
                copy = disguise(passage, rng)
                at = rng.choice(_places(host["text"]))
                text = host["text"]
                suspect = f"{name}:{size}:{number}"
                yield HardCopy(
                    disguise=name,
                    size=size,
                    host=host,
                    suspect={"id": suspect, "text": text[:at] + copy + text[at:]},
                    source=source,
                    place=Passage(suspect, at, len(copy), source["id"], begin, size),
                )


@functools.lru_cache(maxsize=1024)
def _places(text: str) -> tuple[int, ...]:
    """Returns where sentences of a text end, and its beginning."""
    return (0, *(m.end() for m in SENTENCE.finditer(text) if m.group()))
