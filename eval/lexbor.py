"""All text of pages as our parser sees it beside the tree of the HTML standard, by lexbor."""

from __future__ import annotations

import struct
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import corpora
import extract_peers
from verdicts import Verdict, at_least, figure, skipped, zero

FLOATS = 206  # kFirstFeatures
# Soft hyphens and characters without width, which a text may have or not.
INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF))
ALIKE, SHARE = 0.99, 0.99
SHOWN = 12


@dataclass(frozen=True)
class Difference:
    """A page on which the parsers differ: which share of the tokens of both they have in common,
    and a few tokens that one of them has alone."""

    id: str
    alike: float
    ours: Counter[str]
    theirs: Counter[str]

    def words(self) -> str:
        """Returns the tokens for the table."""

        def shown(tokens: Counter[str]) -> str:
            return f"{sum(tokens.values())}: {' '.join(list(tokens)[:SHOWN])}"

        return f"only ours {shown(self.ours)}; only lexbor's {shown(self.theirs)}"[:240]


def our_blocks(page_blocks: Path, packed: Path, out: Path) -> list[list[str]]:
    """Returns the texts of all blocks of pages, by our parser. Fails: CalledProcessError."""
    subprocess.run([str(page_blocks), "features", str(packed), str(out)], check=True)
    pages: list[list[str]] = []
    with out.open("rb") as found:
        while count := found.read(4):
            blocks = []
            for _ in range(struct.unpack("<I", count)[0]):
                size = struct.unpack("<I", found.read(4))[0]
                blocks.append(found.read(size).decode("utf-8", "replace"))
                found.seek(FLOATS * 4, 1)
            pages.append(blocks)
    out.unlink()
    return pages


def tokens(lines: Sequence[str]) -> Counter[str]:
    """Returns the tokens of lines with their counts: Han characters, and words."""
    seen = (line.translate(INVISIBLE).lower() for line in lines)
    return Counter(token for line in seen for token in extract_peers.TOKEN.findall(line))


def compare(id_: str, ours: Sequence[str], theirs: Sequence[str]) -> Difference:
    """Returns how the texts of a page differ."""
    a, b = tokens(ours), tokens(theirs)
    whole = sum(a.values()) + sum(b.values())
    alike = 2 * sum((a & b).values()) / whole if whole else 1.0
    return Difference(id_, alike, a - b, b - a)


def check(
    page_blocks: Path, rows: dict[str, list[corpora.Record]], packed: dict[str, Path]
) -> Iterator[Verdict]:
    """Yields on how many pages the parsers agree, and the pages on which they differ most."""
    part = "our parser beside lexbor: all text of a page"
    if "selectolax" not in extract_peers.ENVIRONMENT.ensure("selectolax"):
        yield skipped(part, "all pages", "the package selectolax is not installed")
        return
    found = extract_peers.read_pages("lexbor", rows)
    yield zero(part, "errors of lexbor", len(found.errors), str(list(found.errors.items())[:2]))
    for corpus, pages in rows.items():
        ours = our_blocks(page_blocks, packed[corpus], packed[corpus].with_suffix(".blocks"))
        theirs = [found.texts[row["id"]].split("\n") for row in pages]
        differences = [
            compare(f"{row['source']} {row['id']}", a, b) for row, a, b in zip(pages, ours, theirs)
        ]
        alike = sum(d.alike >= ALIKE for d in differences)
        name = f"pages that share {ALIKE} of their tokens, {corpus}"
        equal = sum(not d.ours and not d.theirs for d in differences)
        detail = f"{alike} of {len(pages)} pages; {equal} have equal tokens"
        yield at_least(part, name, alike / len(pages), SHARE, detail)
        counts = f"lexbor {sum(map(len, theirs))}; equal on " + str(
            sum(len(a) == len(b) for a, b in zip(ours, theirs))
        )
        yield figure(part, f"blocks, {corpus}", sum(map(len, ours)), counts + " pages")
        for least in sorted(differences, key=lambda d: d.alike)[:5]:
            if least.alike < 1:
                yield figure(part, f"shared: {least.id}", least.alike, least.words())
