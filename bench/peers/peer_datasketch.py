"""datasketch: MinHash and MinHashLSH, candidates taken as duplicates of the first document that
was inserted."""

from __future__ import annotations

from datasketch import MinHash, MinHashLSH

from adapter import BANDS, PERMUTATIONS, ROWS, Removals, main, shingle_list


def deduplicate(texts: list[str]) -> Removals:
    index = MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS))
    for i, text in enumerate(texts):
        shingles = [s.encode() for s in shingle_list(text)]
        if not shingles:
            continue
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch(shingles)
        found = index.query(sketch)
        if found:
            yield i, min(found)
        else:
            index.insert(i, sketch, check_duplication=False)


main(deduplicate)
