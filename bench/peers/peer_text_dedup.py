"""text-dedup: its own command `text_dedup.minhash` on characters set apart by spaces (it splits
words at \\W)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from adapter import BANDS, PERMUTATIONS, ROWS, SHINGLE, THRESHOLD, dumps, read


def run(folder: Path, ids: list[str], texts: list[str]) -> None:
    """Runs the tool on spaced characters and leaves the kept documents and the groups in
    `folder`."""
    with (folder / "in.jsonl").open("wb") as out:
        for number, text in enumerate(texts):
            out.write(dumps({"id": ids[number], "text": " ".join(text)}) + b"\n")
    command = [
        sys.executable,
        "-m",
        "text_dedup.minhash",
        "--path",
        "json",
        "--data_files",
        str(folder / "in.jsonl"),
        "--split",
        "train",
        "--column",
        "text",
        "--output",
        str(folder / "kept"),
        "--cache_dir",
        str(folder / "cache"),
        "--num_proc",
        "1",
        "--ngram",
        str(SHINGLE),
        "--num_perm",
        str(PERMUTATIONS),
        "--threshold",
        str(THRESHOLD),
        "--b",
        str(BANDS),
        "--r",
        str(ROWS),
        "--hash_func",
        "xxh3",
        "--debug",
    ]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")}
    subprocess.run(command, check=True, cwd=folder, env=environment, stdout=sys.stderr)


def main() -> None:
    ids, texts = read(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, ids, texts)
        from datasets import load_from_disk
        from text_dedup.utils.union_find import UnionFind  # noqa: F401  (in the pickle)
        import pickle

        kept = set(load_from_disk(str(folder / "kept"))["id"])
        groups = pickle.loads((folder / "kept" / "uf.pkl").read_bytes())
        with open(sys.argv[2], "wb") as out:
            for number, document in enumerate(ids):
                if document not in kept:
                    out.write(dumps({"id": document, "kept_id": ids[groups.find(number)]}) + b"\n")


main()
