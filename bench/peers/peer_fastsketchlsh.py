"""FastSketchLSH fed with numpy-hashed shingles: batch_csr, LSH.insert, LSH.query; unverified."""

from __future__ import annotations

import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch

from adapter import BANDS, PERMUTATIONS, SEED, Removals, connected, main
from hashed_shingles import batches


def deduplicate(texts: list[str]) -> Removals:
    sketcher = FastSimilaritySketch(size=PERMUTATIONS, seed=SEED)
    parts, usable = [], []
    for hashes, offsets in batches(texts):
        parts.append(sketcher.batch_csr(hashes, offsets, prehashed=True, num_threads=1))
        usable.append(np.diff(offsets.astype(np.int64)) > 0)
    documents = np.flatnonzero(np.concatenate(usable))
    sketches = np.concatenate(parts)[documents]
    index = LSH(num_perm=PERMUTATIONS, num_bands=BANDS, num_threads=1)
    index.reserve(len(sketches))
    index.insert(sketches)
    found, starts = index.query(sketches, format="csr")
    found, starts = np.asarray(found, dtype=np.int64), np.asarray(starts, dtype=np.int64)
    query = np.repeat(np.arange(len(sketches)), np.diff(starts))
    earlier = found < query
    pairs = zip(documents[query[earlier]].tolist(), documents[found[earlier]].tolist())
    return connected(len(texts), pairs)


main(deduplicate)
