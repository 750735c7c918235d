"""What runs of growing size say about larger ones: time as a straight line of the bytes of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scale import Row

TERABYTES = 10
CORES = (16, 64, 256, 1024)
# Of memory, as zhiwen dedup --help says.
BYTES_PER_DOCUMENT = 24
FIXED_BYTES = 64 << 20
MOST_DOCUMENTS = 2**32 - 2  # of one run


def describe(rows: list[Row]) -> list[str]:
    """Lines of text: for each bound its line, how straight it is, and the price of terabytes."""
    out = []
    for memory in dict.fromkeys(row.memory for row in rows):
        of_one = [row for row in rows if row.memory == memory]
        if len(of_one) >= 3:
            out += _describe(memory, of_one)
    return [*out, *_ratios(rows)]


def _describe(memory: str, rows: list[Row]) -> list[str]:
    sizes = [row.text_bytes for row in rows]
    slope, start, straight = fit([float(s) for s in sizes], [row.cpu for row in rows])
    largest = max(rows, key=lambda row: row.text_bytes)
    text = TERABYTES * 10**12
    hours = (start + slope * text) / 3600
    documents = text / (largest.text_bytes / largest.documents)
    scratch = largest.scratch / largest.text_bytes * TERABYTES
    need = documents * BYTES_PER_DOCUMENT + FIXED_BYTES
    spread = ", ".join(f"{hours / cores:.2g} h on {cores}" for cores in CORES)
    return [
        f"--memory {memory}: {start:.2f} s + {slope * 1e9:.2f} s of processors a GB of text, "
        f"R² {straight:.4f}",
        f"  {TERABYTES} TB of such texts: {hours:.1f} hours of one processor ({spread}), "
        f"{scratch:.1f} TB of scratch, {documents / 1e9:.2f} G documents, "
        f"{need / 1e9:.0f} GB of memory in all, runs: {math.ceil(documents / MOST_DOCUMENTS)}",
    ]


def _ratios(rows: list[Row]) -> list[str]:
    """Each bound's speed beside that of the most generous one, by size."""
    out = []
    for size in dict.fromkeys(row.text_bytes for row in rows):
        of_one = [row for row in rows if row.text_bytes == size]
        best = max(of_one, key=lambda row: row.anonymous_peak)
        out += [
            f"{size / 2**30:.3g} GiB: --memory {row.memory} has {best.wall / row.wall:.2f} × the "
            f"speed of --memory {best.memory} (processors {best.cpu / row.cpu:.2f} ×)"
            for row in of_one
            if row is not best
        ]
    return out


def fit(xs: list[float], ys: list[float]) -> tuple[float, float, float]:
    """Least squares: slope, value at 0, R²."""
    count = len(xs)
    mean_x, mean_y = sum(xs) / count, sum(ys) / count
    across = sum((x - mean_x) ** 2 for x in xs)
    both = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    up = sum((y - mean_y) ** 2 for y in ys)
    slope = both / across if across else 0.0
    return slope, mean_y - slope * mean_x, both * both / (across * up) if across * up else 1.0
