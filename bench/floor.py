"""The read floor: what it costs only to read the corpus and find its line ends."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import measure
from corpus import Corpus


def read_floor(of: Corpus) -> dict[str, Any]:
    """Measures `wc -l`: sequential reads and a newline scan, nothing else."""
    log = of.folder / "out" / "floor.log"
    costs = [measure.run(["wc", "-l", str(of.path)], log) for _ in range(5)]
    cpu = statistics.median(c.cpu for c in costs)
    return {"cpu_seconds": round(cpu, 4), "bytes": Path(of.path).stat().st_size}


def line(facts: dict[str, Any], text_bytes: int) -> str:
    """Returns the floor as a line of text."""
    cpu = max(facts["cpu_seconds"], 1e-4)
    return (
        f"read floor (wc -l): {facts['bytes'] / 1e6:.1f} MB of JSON Lines in {cpu:.3f} cpu-s, "
        f"{text_bytes / 1e6 / cpu:.0f} MB of text per cpu-s"
    )
