"""Shingles hashed by numpy: a corpus becomes one flat array of 64-bit hashes and the offsets of
its documents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adapter import SHINGLE

BATCH = 2000  # documents; bounds the memory of the temporary arrays
_FACTORS = np.array(
    [
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0xD6E8FEB86659FD93,
        0xA0761D6478BD642F,
    ],
    dtype=np.uint64,
)


def hash_batch(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Returns (hashes, offsets): document i has hashes[offsets[i]:offsets[i + 1]], repeats kept."""
    lengths = np.array([len(t) for t in texts], dtype=np.int64)
    symbols = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    counts = np.maximum(lengths - SHINGLE + 1, 0)
    offsets = np.zeros(len(texts) + 1, dtype=np.uint64)
    np.cumsum(counts, out=offsets[1:])
    windows = len(symbols) - SHINGLE + 1
    if windows <= 0:
        return np.empty(0, dtype=np.uint64), offsets
    mixed = symbols[:windows] * _FACTORS[0]
    for i in range(1, SHINGLE):
        mixed += symbols[i : windows + i] * _FACTORS[i]
    mixed ^= mixed >> np.uint64(29)
    mixed *= _FACTORS[1]
    mixed ^= mixed >> np.uint64(32)
    return mixed[_inside(lengths, counts, windows)], offsets


def _inside(lengths: np.ndarray, counts: np.ndarray, windows: int) -> np.ndarray:
    """Returns which windows lie inside one document."""
    ends = np.cumsum(lengths)
    edge = np.zeros(windows + SHINGLE + 1, dtype=np.int32)
    starts = ends - lengths
    real = counts > 0
    np.add.at(edge, starts[real], 1)
    np.add.at(edge, (starts + counts)[real], -1)
    return np.cumsum(edge)[:windows] > 0


def batches(texts: list[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields hash_batch of every BATCH documents."""
    for start in range(0, len(texts), BATCH):
        yield hash_batch(texts[start : start + BATCH])


def equal_bands(
    signatures: np.ndarray, bands: int, usable: np.ndarray
) -> Iterator[tuple[int, int]]:
    """Yields neighbours of equal bands among the usable rows: the candidate pairs of an unverified
    tool."""
    rows = signatures.shape[1] // bands
    documents = np.flatnonzero(usable)
    width = rows * signatures.dtype.itemsize
    for band in range(bands):
        part = np.ascontiguousarray(signatures[documents, band * rows : (band + 1) * rows])
        keys = part.view(np.dtype((np.void, width))).ravel()
        order = np.argsort(keys, kind="stable")
        same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
        left, right = documents[order[same]], documents[order[same + 1]]
        yield from zip(left.tolist(), right.tolist())
