"""rensa fed with numpy-hashed shingles: its digest matrix, equal bands joined; unverified."""

from __future__ import annotations

import numpy as np
from rensa import RMinHash

from adapter import BANDS, PERMUTATIONS, SEED, Removals, connected, main
from hashed_shingles import batches, equal_bands


def deduplicate(texts: list[str]) -> Removals:
    parts, usable = [], []
    for hashes, offsets in batches(texts):
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, PERMUTATIONS, SEED)
        parts.append(np.array(matrix.to_rows(), dtype=np.uint32))
        usable.append(np.diff(offsets.astype(np.int64)) > 0)
    return connected(len(texts), equal_bands(np.concatenate(parts), BANDS, np.concatenate(usable)))


main(deduplicate)
