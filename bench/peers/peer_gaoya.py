"""gaoya: MinHashStringIndex over characters; its query verifies by estimated resemblance."""

from __future__ import annotations

from gaoya.minhash import MinHashStringIndex

from adapter import BANDS, ROWS, SHINGLE, THRESHOLD, Removals, main


def deduplicate(texts: list[str]) -> Removals:
    index = MinHashStringIndex(
        32, THRESHOLD, BANDS, ROWS, None, "char", False, (SHINGLE, SHINGLE), "vec"
    )
    for i, text in enumerate(texts):
        if len(text) < SHINGLE:
            continue
        found = index.query(text)
        if found:
            yield i, min(found)
        else:
            index.insert_document(i, text)


main(deduplicate)
