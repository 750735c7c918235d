"""Every pair of a folded corpus with resemblance at or above the threshold, exactly, by a
prefix-filter join.

usage: python bench/truth.py FOLDED.jsonl OUT.tsv [--threshold 0.8]      (needs numpy)

Shingles are ordered by rarity. Two sets of sizes a ≤ b with resemblance ≥ t share one of the first
a − ⌈t·a⌉ + 1 shingles of each (Chaudhuri, Ganti, Kaushik, 2006), so only documents that meet in a
prefix are
compared. Documents without a shingle pair only when they are equal and not empty. Independent of
zhiwen's code.
OUT: id_a, id_b, resemblance, separated by tabs, in the order of the corpus.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

from adapter import read  # noqa: E402
from hashed_shingles import batches  # noqa: E402

Sets = list[np.ndarray]


def shingle_sets(texts: list[str]) -> Sets:
    """Returns each document's distinct shingle hashes, ascending."""
    sets: Sets = []
    for hashes, offsets in batches(texts):
        bounds = offsets.astype(np.int64)
        sets += [np.unique(hashes[a:b]) for a, b in zip(bounds[:-1], bounds[1:])]
    return sets


def prefixes(sets: Sets, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns (shingle, document) of all prefixes, rarest shingles first in each document."""
    values, counts = np.unique(np.concatenate(sets), return_counts=True)
    tokens, owners = [], []
    for document, members in enumerate(sets):
        if not len(members):
            continue
        keep = len(members) - int(np.ceil(threshold * len(members) - 1e-9)) + 1
        frequency = counts[np.searchsorted(values, members)]
        first = np.lexsort((members, frequency))[:keep]
        first = first[frequency[first] > 1]  # a shingle of one document makes no pair
        tokens.append(members[first])
        owners.append(np.full(len(first), document, dtype=np.int64))
    return np.concatenate(tokens), np.concatenate(owners)


def candidates(
    tokens: np.ndarray, owners: np.ndarray, sizes: np.ndarray, threshold: float
) -> np.ndarray:
    """Returns the pairs (a, b), a < b, that meet in a prefix and whose sizes allow the
    threshold."""
    order = np.lexsort((owners, tokens))
    tokens, owners = tokens[order], owners[order]
    found = np.empty(0, dtype=np.int64)
    pending: list[np.ndarray] = []
    waiting = 0
    for distance in range(1, len(tokens)):
        same = np.flatnonzero(tokens[distance:] == tokens[:-distance])
        if not len(same):
            break
        a, b = owners[same], owners[same + distance]
        small, large = np.minimum(sizes[a], sizes[b]), np.maximum(sizes[a], sizes[b])
        keep = small >= threshold * large - 1e-9
        pending.append(np.unique(a[keep] * len(sizes) + b[keep]))
        waiting += len(pending[-1])
        if waiting > 20_000_000:
            found, pending, waiting = np.unique(np.concatenate([found, *pending])), [], 0
    found = np.unique(np.concatenate([found, *pending]))
    return np.stack((found // len(sizes), found % len(sizes)), axis=1)


def verify(sets: Sets, pairs: np.ndarray, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yields (a, b, resemblance) of the pairs that reach the threshold."""
    for a, b in pairs.tolist():
        x, y = sets[a], sets[b]
        if len(x) == len(y) and np.array_equal(x, y):
            yield a, b, 1.0
            continue
        both = np.concatenate((x, y))
        both.sort(kind="stable")
        common = int((both[1:] == both[:-1]).sum())
        similarity = common / (len(both) - common)
        if similarity >= threshold - 1e-12:
            yield a, b, similarity


def short_copies(texts: list[str], sets: Sets) -> Iterator[tuple[int, int, float]]:
    """Yields the pairs of equal documents that are too short for a shingle."""
    groups: dict[str, list[int]] = defaultdict(list)
    for i, text in enumerate(texts):
        if text and not len(sets[i]):
            groups[text].append(i)
    for members in groups.values():
        yield from ((a, b, 1.0) for n, a in enumerate(members) for b in members[n + 1 :])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--threshold", type=float, default=0.8)
    options = parser.parse_args()
    ids, texts = read(options.corpus)
    sets = shingle_sets(texts)
    sizes = np.array([len(s) for s in sets])
    pairs = candidates(*prefixes(sets, options.threshold), sizes, options.threshold)
    print(f"truth: {len(ids)} documents, {len(pairs)} candidate pairs", file=sys.stderr)
    found = sorted([*verify(sets, pairs, options.threshold), *short_copies(texts, sets)])
    with open(options.out + ".partial", "w", encoding="utf-8") as out:
        out.writelines(f"{ids[a]}\t{ids[b]}\t{similarity:.6f}\n" for a, b, similarity in found)
    Path(options.out + ".partial").rename(options.out)
    print(f"truth: {len(found)} pairs at or above {options.threshold}", file=sys.stderr)


if __name__ == "__main__":
    main()
