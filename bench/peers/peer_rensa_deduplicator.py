"""rensa's own Deduplicator: MinHash of character shingles, candidates checked against its
estimate."""

from __future__ import annotations

from rensa import RMinHash, RMinHashDeduplicator

from adapter import BANDS, PERMUTATIONS, SEED, THRESHOLD, Removals, main, shingle_list


def deduplicate(texts: list[str]) -> Removals:
    index = RMinHashDeduplicator(THRESHOLD, PERMUTATIONS, True, BANDS, SEED)
    for i, text in enumerate(texts):
        shingles = shingle_list(text)
        if not shingles:
            continue
        sketch = RMinHash(PERMUTATIONS, SEED)
        sketch.update(shingles)
        if not index.add(str(i), sketch):
            found = index.get_duplicates(sketch)
            yield i, min(map(int, found)) if found else i


main(deduplicate)
