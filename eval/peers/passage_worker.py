"""Finds what two texts have in common, by another program's means.

`passage_worker.py NAME TEXTS PAIRS` reads {"id","text"} and {"suspect","source"} as JSON Lines, and
prints a line for each pair, the places that both have: [[begin,size,source_begin,source_size],…].
The last line is {"seconds": of the processor, without reading and importing}. Names are those of
`FINDERS`.
"""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

Block = tuple[int, int, int, int]  # begin and size in the suspect, begin and size in the source
Pair = dict[str, str]
LEAST_SIZE = 16  # characters of a sentence that is looked for
PIECE = re.compile(r"[^。！？；\n]+[。！？；]?")
LEAST_RATIO = 80
WINDOW, STEP, SHINGLE, LEAST_CONTAINMENT, PERMUTATIONS = 100, 50, 5, 0.5, 128


def of_copydetect(texts: dict[str, str], pairs: list[Pair]) -> Iterator[list[Block]]:
    """copydetect as it is set when it is installed, without its filter for program code."""
    from copydetect import CodeFingerprint

    noise, guarantee = 25, 30

    @lru_cache(maxsize=4096)
    def fingerprint(identity: str) -> CodeFingerprint:
        return CodeFingerprint(
            identity, noise, guarantee - noise + 1, filter=False, fp=io.StringIO(texts[identity])
        )

    for pair in pairs:
        a, b = fingerprint(pair["suspect"]), fingerprint(pair["source"])
        yield [
            (int(at), noise, int(other), noise)
            for value in a.hashes & b.hashes
            for at in a.hash_idx[value]
            for other in b.hash_idx[value]
        ]


def of_rapidfuzz(texts: dict[str, str], pairs: list[Pair]) -> Iterator[list[Block]]:
    """Each sentence of the suspect where the source has what is most like it."""
    from rapidfuzz import fuzz

    for pair in pairs:
        source = texts[pair["source"]]
        blocks = []
        for match in PIECE.finditer(texts[pair["suspect"]]):
            piece = match.group()
            if not LEAST_SIZE <= len(piece) <= len(source):
                continue
            found = fuzz.partial_ratio_alignment(piece, source, score_cutoff=LEAST_RATIO)
            if found is not None:
                size = found.dest_end - found.dest_start
                blocks.append((match.start(), len(piece), found.dest_start, size))
        yield blocks


def of_datasketch(texts: dict[str, str], pairs: list[Pair]) -> Iterator[list[Block]]:
    """Windows of the suspect that may be contained in the source, by datasketch's ensemble of all
    sources. It says so of texts, and gives no places in the source: these are the whole text."""
    from datasketch import MinHash, MinHashLSHEnsemble

    def sketch(text: str) -> tuple[MinHash, int]:
        shingles = {text[i : i + SHINGLE].encode() for i in range(len(text) - SHINGLE + 1)}
        made = MinHash(num_perm=PERMUTATIONS)
        made.update_batch(shingles)
        return made, len(shingles)

    ensemble = MinHashLSHEnsemble(threshold=LEAST_CONTAINMENT, num_perm=PERMUTATIONS)
    sources = {pair["source"] for pair in pairs}
    ensemble.index((i, *sketch(texts[i])) for i in sorted(sources) if len(texts[i]) >= SHINGLE)

    @lru_cache(maxsize=None)
    def windows(identity: str) -> dict[str, list[int]]:
        text = texts[identity]
        found: dict[str, list[int]] = {}
        for begin in range(0, max(1, len(text) - WINDOW + STEP), STEP):
            made, size = sketch(text[begin : begin + WINDOW])
            for source in ensemble.query(made, size) if size else ():
                found.setdefault(source, []).append(begin)
        return found

    for pair in pairs:
        size = len(texts[pair["source"]])
        begins = windows(pair["suspect"]).get(pair["source"], [])
        yield [(begin, WINDOW, 0, size) for begin in begins]


FINDERS: dict[str, Callable[[dict[str, str], list[Pair]], Iterator[list[Block]]]] = {
    "copydetect": of_copydetect,
    "rapidfuzz": of_rapidfuzz,
    "datasketch": of_datasketch,
}


def read(path: str) -> Iterator[dict[str, str]]:
    """Yields the records of a file."""
    with Path(path).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    name, of_texts, of_pairs = sys.argv[1:]
    texts = {record["id"]: record["text"] for record in read(of_texts)}
    pairs = list(read(of_pairs))
    __import__(name)
    start = time.process_time()
    answers = list(FINDERS[name](texts, pairs))
    seconds = time.process_time() - start
    for answer in answers:
        print(json.dumps(answer))
    print(json.dumps({"seconds": seconds}))


main()
