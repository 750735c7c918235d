"""A seeded corpus for strangers: sentences of testdata's public-domain novels, shuffled into
documents, with
planted near-duplicates. Nobody's news is in it, and everybody gets the same bytes.

Example: python bench/generate_corpus.py --documents 20000 > corpus.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "eval"))

import corpora  # noqa: E402

SEED = 20
SHARE_PLANTED = 0.1  # of the documents are edited copies of an earlier one
EDIT_SHARES = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08)  # of a copy's characters that are replaced


def generate(documents: int) -> Iterator[corpora.Record]:
    """Yields `documents` records; a planted copy names its original and its share of edits in
    `planted`."""
    rng = random.Random(SEED)
    sentences = _sentences()
    originals: list[tuple[str, str]] = []
    for number in range(documents):
        identity = f"doc-{number:07d}"
        if originals and rng.random() < SHARE_PLANTED:
            source, text = originals[rng.randrange(len(originals))]
            share = rng.choice(EDIT_SHARES)
            yield {
                "id": identity,
                "planted": {"of": source, "share": share},
                "text": _edit(text, share, rng),
            }
            continue
        # log-normal lengths like those of a news corpus: median 12 sentences
        text = "".join(
            rng.choice(sentences) for _ in range(max(1, round(rng.lognormvariate(2.5, 0.8))))
        )
        originals.append((identity, text))
        yield {"id": identity, "text": text}


def _sentences() -> list[str]:
    texts = [r["text"] for r in corpora.read(corpora.DEMO / "novels.jsonl")]
    found = {s.strip() for t in texts for s in re.findall(r"[^。！？；\n]+[。！？；]", t)}
    return sorted(s for s in found if 8 <= len(s) <= 80)


def _edit(text: str, share: float, rng: random.Random) -> str:
    characters = list(text)
    for _ in range(round(share * len(characters))):
        characters[rng.randrange(len(characters))] = chr(rng.randrange(0x4E00, 0x9FA0))
    return "".join(characters)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=20000, help="how many (default 20000)")
    for record in generate(parser.parse_args().documents):
        print(json.dumps(record, ensure_ascii=False))


if __name__ == "__main__":
    main()
