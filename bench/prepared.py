"""A corpus together with its exact truth, both made once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import corpus
import environment
from corpora import say

TRUTH = Path(__file__).resolve().parent / "truth.py"


def corpus_with_truth(data: Path | None, documents: int) -> corpus.Corpus:
    """Returns the corpus; makes its truth when it is missing (needs the environment's numpy)."""
    prepared = corpus.prepare(data, documents)
    if not prepared.truth.exists():
        environment.ensure()
        say("computing the exact pairs of the corpus (once, a minute or two)")
        subprocess.run(
            [str(environment.PYTHON), str(TRUTH), str(prepared.folded), str(prepared.truth)],
            check=True,
        )
    return prepared
