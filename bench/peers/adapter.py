"""What every peer adapter shares: the folded corpus in, removals out.

An adapter is a program `peer_NAME.py CORPUS OUT`. CORPUS holds {"id","text"} in which one
character is one unit
(see eval/referee.py), so that five characters are the five units of every tool. OUT receives
{"id","kept_id"} for every document that the peer would remove. Thread pools are held to one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

try:
    from orjson import dumps, loads  # the quickest reader, so that the peer is not charged for JSON
except ImportError:
    import json

    loads = json.loads

    def dumps(value: object) -> bytes:
        return json.dumps(value, ensure_ascii=False).encode()


SHINGLE = 5
THRESHOLD = 0.8
PERMUTATIONS = 128
BANDS, ROWS = 16, 8
SEED = 42
Removals = Iterable[tuple[int, int]]


def read(path: str) -> tuple[list[str], list[str]]:
    """Returns the ids and the texts."""
    ids: list[str] = []
    texts: list[str] = []
    with open(path, "rb") as lines:
        for line in lines:
            record = loads(line)
            ids.append(record["id"])
            texts.append(record["text"])
    return ids, texts


def shingle_list(text: str) -> list[str]:
    """Returns the distinct shingles of a text, as strings."""
    return list({text[i : i + SHINGLE] for i in range(len(text) - SHINGLE + 1)})


def connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns (removed, kept) with the smallest index of each connected component kept: what
    unverified tools do."""
    parent = list(range(count))

    def find(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in pairs:
        a, b = find(a), find(b)
        if a != b:
            parent[max(a, b)] = min(a, b)
    return [(i, find(i)) for i in range(count) if find(i) != i]


def main(deduplicate: Callable[[list[str]], Removals]) -> None:
    """Runs an adapter: argv is CORPUS OUT."""
    ids, texts = read(sys.argv[1])
    removals = deduplicate(texts)
    with open(sys.argv[2], "wb") as out:
        for removed, kept in removals:
            out.write(dumps({"id": ids[removed], "kept_id": ids[kept]}) + b"\n")
