"""The referee's own view of a text, independent of zhiwen's code.

Two views, both sequences of units written as one character a unit:

plain    NFKC, lower case, everything but [0-9a-z] and CJK ideographs removed: the normalisation of
the
         truth files (their `sim` fields); a unit is one character
units    NFKC, traditional characters made simplified one by one, variants made one (the classes
         are zhiwen's published table, whose price docs/decisions/007 has: what is a variant is a
         choice, not a finding), case-folded, zero-width characters removed;
         a unit is one Han, kana or hangul character, one symbol (category S) or one whole word or
         number.
         Words and symbols are written as one character of CJK Extension B chosen by hash, so that
         "five consecutive units" is the same five
         characters for every tool that takes character shingles.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
import unicodedata
import zlib
from pathlib import Path

SHINGLE_LENGTH = 5

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_EAST = _HAN + "\u3005-\u3007\u3040-\u30ff\uac00-\ud7af"
_NOT_PLAIN = re.compile(f"[^0-9a-z{_HAN}]+")
_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
_UNIT = re.compile(f"[{_EAST}]|\\d+(?:[.,]\\d+)+|[^\\W_{_EAST}]+")
_WORD_BASE, _WORD_COUNT = 0x20000, 0xA6D0  # CJK Extension B: letters for every tool's tokenizer


def plain(text: str) -> str:
    """Returns the text as the truth files see it."""
    return _NOT_PLAIN.sub("", unicodedata.normalize("NFKC", text).lower())


def units(text: str) -> str:
    """Returns one character for each unit of the text."""
    folded = (
        unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_to_units()).casefold()
    )
    return "".join(u if u >= "\u3005" and len(u) == 1 else _word(u) for u in _UNIT.findall(folded))


@functools.lru_cache(maxsize=1 << 20)
def _word(word: str) -> str:
    return chr(_WORD_BASE + zlib.crc32(word.encode()) % _WORD_COUNT)


def shingles(sequence: str, length: int = SHINGLE_LENGTH) -> set[str]:
    """Returns the set of runs of `length` characters; empty for a shorter sequence."""
    return {sequence[i : i + length] for i in range(len(sequence) - length + 1)}


def resemblance(a: set[str], b: set[str]) -> float:
    """Returns |a ∩ b| / |a ∪ b|; 0 when both are empty."""
    common = len(a & b)
    total = len(a) + len(b) - common
    return common / total if total else 0.0


@functools.lru_cache(maxsize=1)
def _to_units() -> dict[int, int]:
    """Returns what becomes of single characters: traditional → simplified, symbol → its unit."""
    symbols = {
        c: ord(_word(chr(c)))
        for c in range(0x20, 0x1FB00)
        if unicodedata.category(chr(c))[0] == "S"
    }
    return symbols | to_simplified() | _variants()


def _variants() -> dict[int, int]:
    """Returns variant Han character → the one of its class (docs/formats/channels.md)."""
    source = Path(__file__).resolve().parent.parent / "src" / "text" / "fold_variants.cc"
    text = source.read_text(encoding="utf-8")
    table = text[text.index("kFoldVariants[") : text.index("};", text.index("kFoldVariants["))]
    rows = re.findall(r"\{(\d+), (\d+)\}", table)
    return {int(c): int(target) for c, target in rows if int(c) >= 0x3400}


@functools.lru_cache(maxsize=1)
def to_simplified() -> dict[int, int]:
    """Returns traditional → simplified, character by character (str.translate)."""
    table = _opencc_table("TSCharacters") or dict(_checked_in_pairs())
    return {ord(t): ord(s) for t, s in table.items() if t != s}


@functools.lru_cache(maxsize=1)
def to_traditional() -> dict[int, int]:
    """Returns simplified → traditional, character by character, first target."""
    table = _opencc_table("STCharacters") or {s: t for t, s in reversed(_checked_in_pairs())}
    return {ord(s): ord(t) for s, t in table.items() if t != s}


def _opencc_table(name: str) -> dict[str, str]:
    """Returns the named OpenCC character table, empty where OpenCC is not installed."""
    source = next(
        (
            p
            for root in ("/usr/share/opencc", "/usr/local/share/opencc")
            for p in Path(root).glob(f"{name}.ocd2")
        ),
        None,
    )
    if not source or not shutil.which("opencc_dict"):
        return {}
    with tempfile.NamedTemporaryFile(suffix=".txt") as out:
        command = ["opencc_dict", "-i", str(source), "-o", out.name, "-f", "ocd2", "-t", "text"]
        subprocess.run(command, check=True, capture_output=True)
        rows = (
            line.split("\t") for line in Path(out.name).read_text(encoding="utf-8").splitlines()
        )
        table = {key: value.split()[0] for key, value in rows}
    return {k: v for k, v in table.items() if len(k) == 1 and len(v) == 1}


def _checked_in_pairs() -> list[tuple[str, str]]:
    path = Path(__file__).with_name("script_pairs.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(p[0], p[1]) for line in lines if not line.startswith("#") for p in line.split()]
