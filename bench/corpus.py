"""The corpus of a benchmark: prepared once under build/bench-corpora, with its folded copy for the
peers.

corpus.jsonl   what zhiwen reads: the records as they are, ids made unique
folded.jsonl   what the peers and the truth read: one character a unit (eval/referee.py), so that
all shingles
               are equal and the peers are not charged for normalising
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "eval"))

import corpora  # noqa: E402
import referee  # noqa: E402

import generate_corpus  # noqa: E402

WORK = ROOT / "build" / "bench-corpora"
VERSION = "5"  # of the prepared files; part of their key


@dataclass(frozen=True)
class Corpus:
    """A prepared corpus; `text_bytes` are the bytes of its texts in UTF-8."""

    name: str
    folder: Path
    documents: int
    text_bytes: int

    @property
    def path(self) -> Path:
        return self.folder / "corpus.jsonl"

    @property
    def folded(self) -> Path:
        return self.folder / "folded.jsonl"

    @property
    def truth(self) -> Path:
        return self.folder / "truth.tsv"


def prepare(
    data: Path | None, documents: int, names: tuple[str, ...] = corpora.TEXT_CORPORA
) -> Corpus:
    """Returns the corpus of a data folder, or a generated one of `documents`; reuses what is
    already prepared."""
    name = (
        "+".join(names)
        if data
        else f"generated ({documents} documents, seed {generate_corpus.SEED})"
    )
    folder = (
        WORK
        / hashlib.sha256(f"{VERSION} {_source_key(data, names)} {name}".encode()).hexdigest()[:16]
    )
    facts = folder / "facts.json"
    if not facts.exists():
        corpora.say(f"preparing the corpus {name} in {folder} (once)")
        records = corpora.load(data, *names) if data else generate_corpus.generate(documents)
        _write(folder, records)
    return Corpus(name, folder, **json.loads(facts.read_text()))


def _source_key(data: Path | None, names: tuple[str, ...]) -> str:
    return (
        " ".join(f"{n}:{corpora.locate(data, n).stat().st_size}" for n in names)
        if data
        else "generated"
    )


def _write(folder: Path, records: Iterable[corpora.Record]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    documents = text_bytes = 0
    with (
        open(folder / "corpus.jsonl", "w", encoding="utf-8") as plain,
        open(folder / "folded.jsonl", "w", encoding="utf-8") as folded,
    ):
        for record in records:
            if record["id"] in seen:
                record["id"] = f"{record['id']}#{documents}"
            seen.add(record["id"])
            plain.write(json.dumps(record, ensure_ascii=False) + "\n")
            row = {"id": record["id"], "text": referee.units(record["text"])}
            folded.write(json.dumps(row, ensure_ascii=False) + "\n")
            documents += 1
            text_bytes += len(record["text"].encode())
            if documents % 10000 == 0:
                corpora.say(f"  {documents} documents")
    facts = {"documents": documents, "text_bytes": text_bytes}
    (folder / "facts.json").write_text(json.dumps(facts))


def subset(corpus: Corpus, one_in: int, pairs: list[tuple[str, str]]) -> Corpus:
    """Returns a part of the corpus, one document in `one_in`, in which groups of near-duplicates
    stay together."""
    folder = corpus.folder / f"one_in_{one_in}"
    facts = folder / "facts.json"
    if not facts.exists():
        folder.mkdir(parents=True, exist_ok=True)
        leader = _leaders(pairs)
        chosen: set[str] = set()
        documents = text_bytes = 0
        for source, target in ((corpus.path, "corpus.jsonl"), (corpus.folded, "folded.jsonl")):
            with (
                open(source, encoding="utf-8") as lines,
                open(folder / target, "w", encoding="utf-8") as out,
            ):
                for line in lines:
                    record = json.loads(line)
                    if not _chosen(leader.get(record["id"], record["id"]), one_in):
                        continue
                    out.write(line)
                    if target == "corpus.jsonl":
                        chosen.add(record["id"])
                        documents += 1
                        text_bytes += len(record["text"].encode())
        with open(corpus.truth) as lines, open(folder / "truth.tsv", "w") as out:
            out.writelines(line for line in lines if line.split("\t")[0] in chosen)
        facts.write_text(json.dumps({"documents": documents, "text_bytes": text_bytes}))
    return Corpus(f"one in {one_in} of it", folder, **json.loads(facts.read_text()))


def _chosen(identity: str, one_in: int) -> bool:
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest()) % one_in == 0


def _leaders(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Returns for each id in a pair the smallest id of its connected component."""
    parent: dict[str, str] = {}

    def find(x: str) -> str:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in pairs:
        a, b = find(a), find(b)
        if a != b:
            parent[max(a, b)] = min(a, b)
    return {x: find(x) for x in list(parent)}
