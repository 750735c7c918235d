"""datasketch's MinHashLSH with its buckets in Redis: adds texts, then looks suspects up.

`library_datasketch.py TEXTS SUSPECTS SOCKET` prints {"add_seconds","answers":[{"milliseconds",
"ids"}]}; SOCKET is that of a Redis server. Candidates are what it gives: no text is kept, and none
is compared. Texts are read as every peer reads them (adapter.py).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from datasketch import MinHash, MinHashLSH

from adapter import PERMUTATIONS, THRESHOLD, read, shingle_list


def sketch(text: str) -> MinHash:
    made = MinHash(num_perm=PERMUTATIONS)
    made.update_batch([shingle.encode() for shingle in shingle_list(text)])
    return made


def main() -> None:
    ids, texts = read(sys.argv[1])
    _, suspects = read(sys.argv[2])
    storage = {"type": "redis", "basename": b"library",
               "redis": {"unix_socket_path": str(Path(sys.argv[3]).resolve())}}
    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, storage_config=storage)
    start = time.monotonic()
    with index.insertion_session() as session:
        for name, text in zip(ids, texts, strict=True):
            session.insert(name, sketch(text), check_duplication=False)
    add_seconds = time.monotonic() - start
    answers = []
    for text in suspects:
        start = time.monotonic()
        found = index.query(sketch(text))
        answers.append({"milliseconds": (time.monotonic() - start) * 1e3, "ids": sorted(found)})
    print(json.dumps({"add_seconds": add_seconds, "answers": answers}))


main()
