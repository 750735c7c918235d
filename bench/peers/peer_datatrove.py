"""datatrove: MinHash signature, buckets and cluster steps, characters as words (its English
default gives short
Chinese documents no signature)."""

from __future__ import annotations

import struct
import sys
import tempfile
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.utils.word_tokenizers import WordTokenizer

from adapter import BANDS, ROWS, SHINGLE, dumps, read


class Characters(WordTokenizer):
    """One character, one word."""

    def word_tokenize(self, text: str) -> list[str]:
        return list(text)

    def sent_tokenize(self, text: str) -> list[str]:
        return [text]

    def span_tokenize(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]


def pipeline(corpus: Path, folder: Path) -> None:
    """Runs the three steps; `folder`/remove receives the numbers of the removed and the
    clusters."""
    config = MinhashConfig(n_grams=SHINGLE, num_buckets=BANDS, hashes_per_bucket=ROWS)
    steps = {
        "sign": (
            1,
            [
                JsonlReader(str(corpus.parent), glob_pattern=corpus.name),
                MinhashDedupSignature(str(folder / "sign"), config=config, language=Characters()),
            ],
        ),
        "buckets": (
            BANDS,
            [MinhashDedupBuckets(str(folder / "sign"), str(folder / "buckets"), config=config)],
        ),
        "cluster": (
            1,
            [
                MinhashDedupCluster(
                    str(folder / "buckets"),
                    str(folder / "remove"),
                    config=config,
                    save_cluster_id=True,
                )
            ],
        ),
    }
    for name, (tasks, steps_of) in steps.items():
        LocalPipelineExecutor(
            pipeline=steps_of,
            tasks=tasks,
            workers=1,
            logging_dir=str(folder / "log" / name),
            skip_completed=False,
        ).run()


def numbers(path: Path) -> list[int]:
    data = path.read_bytes() if path.exists() else b""
    return [n for (n,) in struct.iter_unpack("<I", data)]


def main() -> None:
    corpus = Path(sys.argv[1]).resolve()
    ids, texts = read(str(corpus))
    # the reader skips records without text and then counts on without them
    position = [i for i, text in enumerate(texts) if text]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pipeline(corpus, folder)
        removed = set(numbers(folder / "remove" / "000000.remove"))
        flat = numbers(folder / "remove" / "000000.clusters")
        cluster = dict(zip(flat[::2], flat[1::2]))
        kept = {c: n for n, c in cluster.items() if n not in removed}
        with open(sys.argv[2], "wb") as out:
            for n in sorted(removed):
                out.write(
                    dumps({"id": ids[position[n]], "kept_id": ids[position[kept[cluster[n]]]]})
                    + b"\n"
                )


main()
