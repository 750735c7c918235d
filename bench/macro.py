"""zhiwen alone on a fixed corpus: one and two threads, every instruction set, time per stage, peak
memory."""

from __future__ import annotations

import argparse
import statistics
from typing import Any

import floor
import measure
import prepared
import score
import zhiwen_tool
from corpora import say
from peers import stage_lines

# label, threads, ZHIWEN_SIMD
SETTINGS = (
    ("default", None, None),
    ("1 thread", 1, None),
    ("2 threads", 2, None),
    ("1 thread, scalar", 1, "scalar"),
    ("1 thread, avx2", 1, "avx2"),
    ("1 thread, avx512", 1, "avx512"),
)


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Measures. Returns the result and the exit status."""
    of = prepared.corpus_with_truth(options.data, options.documents)
    pairs = score.read_pairs(of.truth)
    costs: dict[str, list[measure.Cost]] = {label: [] for label, _, _ in SETTINGS}
    failures: dict[str, str] = {}
    found: dict[str, Any] = {}
    for turn in range(options.runs):
        for label, threads, simd in SETTINGS:
            if label in failures:
                continue
            say(f"  {label}, run {turn + 1} of {options.runs}")
            folder = of.folder / "out" / ("macro-" + label.replace(", ", "-").replace(" ", "-"))
            folder.parent.mkdir(exist_ok=True)
            try:
                costs[label].append(
                    zhiwen_tool.dedup(options.zhiwen, of.path, folder, threads, simd)
                )
            except measure.RunFailed as error:
                failures[label] = str(error)
                continue
            if label not in found:
                found[label] = vars(score.score(pairs, zhiwen_tool.removals(folder))) | {
                    "stages": zhiwen_tool.stages(folder)
                }
    rows = [
        _row(of.text_bytes, label, costs[label], found.get(label), failures.get(label))
        for label, *_ in SETTINGS
    ]
    result = {
        "corpus": of.name,
        "documents": of.documents,
        "text_bytes": of.text_bytes,
        "read_floor": floor.read_floor(of),
        "rows": rows,
    }
    return result, 1 if "default" in failures else 0


def _row(
    text_bytes: int,
    label: str,
    costs: list[measure.Cost],
    found: dict[str, Any] | None,
    failure: str | None,
) -> dict[str, Any]:
    if failure or not costs or not found:
        return {"name": label, "failure": failure or "not run"}
    cpu = statistics.median(c.cpu for c in costs)
    wall = statistics.median(c.wall for c in costs)
    return {
        "name": label,
        "cpu_seconds": round(cpu, 3),
        "wall_seconds": round(wall, 3),
        "mb_per_cpu_second": round(text_bytes / 1e6 / cpu, 1),
        "mb_per_second": round(text_bytes / 1e6 / wall, 1),
        "peak_bytes": max(c.peak_bytes for c in costs),
    } | found


def table(result: dict[str, Any]) -> str:
    """Returns the result as text."""
    megabytes = result["text_bytes"] / 1e6
    lines = [
        f"corpus: {result['corpus']}: {result['documents']} documents, {megabytes:.1f} MB of text",
        "",
        f"{'':20}{'MB/cpu-s':>9}{'MB/s':>8}{'documents/s':>12}{'cpu s':>8}{'wall s':>8}"
        f"{'peak MB':>9}{'recall':>8}{'precision':>10}",
    ]
    for row in result["rows"]:
        if "failure" in row:
            lines.append(f"{row['name']:20}  {row['failure'].splitlines()[-1][:120]}")
            continue
        rate = result["documents"] / row["wall_seconds"]
        lines.append(
            f"{row['name']:20}{row['mb_per_cpu_second']:9.1f}{row['mb_per_second']:8.1f}"
            f"{rate:12.0f}{row['cpu_seconds']:8.2f}{row['wall_seconds']:8.2f}"
            f"{row['peak_bytes'] / 1e6:9.0f}{row['recall']:8.4f}{row['precision']:10.4f}"
        )
    lines += ["", floor.line(result["read_floor"], result["text_bytes"])]
    for row in result["rows"]:
        if row.get("stages") and row["name"] in ("default", "1 thread"):
            lines += ["", f"stages, {row['name']}", *stage_lines(row["stages"])]
    return "\n".join(lines)
