"""Disguises of a text that a reader does not see or looks through: seeded, so that everybody gets
the same copies.

Each attack is a function (text, rng) → text. `ATTACKS` names them.
"""

from __future__ import annotations

import functools
import random
import unicodedata
from collections.abc import Callable

import referee
from corpora import is_han

SEED = 3
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
NOISE = "，。、；·…—"  # punctuation only: a symbol such as ～ is a unit


def full_width(text: str, rng: random.Random) -> str:
    """Every printable ASCII character in its full-width form."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def compatibility_forms(text: str, rng: random.Random) -> str:
    """A third of the characters that have compatibility forms, in one of them: full width,
    mathematical letters,
    circled digits, CJK compatibility ideographs, Kangxi radicals; fi, fl and ffi as ligatures."""
    for letters, ligature in (
        ("ffi", "\ufb03"),
        ("ffl", "\ufb04"),
        ("fi", "\ufb01"),
        ("fl", "\ufb02"),
    ):
        text = text.replace(letters, ligature)
    forms = _compatibility_forms()
    return "".join(rng.choice(forms[c]) if c in forms and rng.random() < 1 / 3 else c for c in text)


@functools.lru_cache(maxsize=1)
def _compatibility_forms() -> dict[str, str]:
    """Returns character → its compatibility forms of one code point, of the kinds that copies
    use."""
    blocks = [
        (0x2460, 0x2468),
        (0x24B6, 0x24E9),
        (0x2F00, 0x2FD5),
        (0xF900, 0xFAD9),
        (0xFF10, 0xFF19),
        (0xFF21, 0xFF3A),
        (0xFF41, 0xFF5A),
        (0x1D400, 0x1D433),
        (0x2F800, 0x2FA1D),
    ]
    forms: dict[str, str] = {}
    for first, last in blocks:
        for code in range(first, last + 1):
            target = unicodedata.normalize("NFKC", chr(code))
            if len(target) == 1 and target != chr(code):
                forms[target] = forms.get(target, "") + chr(code)
    return forms


def to_traditional(text: str, rng: random.Random) -> str:
    """Every simplified character in its first traditional form, character by character."""
    return text.translate(referee.to_traditional())


def spaces_between_han(text: str, rng: random.Random) -> str:
    """A space, a tab or an ideographic space between three in ten pairs of Han characters; words
    stay whole."""
    out = []
    for c, following in zip(text, text[1:] + "\n"):
        out.append(c)
        if is_han(c) and is_han(following) and rng.random() < 0.3:
            out.append(rng.choice(" \t\u3000"))
    return "".join(out)


def zero_width(text: str, rng: random.Random) -> str:
    """An invisible character after one character in five."""
    return "".join(c + rng.choice(ZERO_WIDTH) if rng.random() < 0.2 else c for c in text)


def punctuation_noise(text: str, rng: random.Random) -> str:
    """Punctuation dropped, exchanged, and added between Han characters."""
    out = []
    for c, following in zip(text, text[1:] + "\n"):
        if unicodedata.category(c).startswith("P") and not c.isascii():
            c = rng.choice(("", c, rng.choice(NOISE)))
        out.append(c)
        if c and is_han(c) and is_han(following) and rng.random() < 0.1:
            out.append(rng.choice(NOISE))
    return "".join(out)


Attack = Callable[[str, random.Random], str]
ATTACKS: dict[str, Attack] = {
    "full width": full_width,
    "compatibility forms": compatibility_forms,
    "script, character by character": to_traditional,
    "spaces between Han": spaces_between_han,
    "zero width": zero_width,
    "punctuation": punctuation_noise,
}


def apply(name: str, identity: str, text: str) -> str:
    """Returns the text under the named attack; the same for the same identity."""
    return ATTACKS[name](text, random.Random(f"{SEED}:{name}:{identity}"))
