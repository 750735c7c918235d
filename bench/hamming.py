"""Codes of 64 bits within a Hamming distance: zhiwen's index beside faiss-cpu's and beside the time
of a random cache line, all in one run.

`lines` alone: U, the time of a random cache line of a stretch of memory, with sixteen waited for
together; the median of five rounds. `hamming`: codes at random, half of the queries near one of
them; each hit is used. An index of faiss is measured with the same codes and queries, on one
thread, and only where it finds as many codes as zhiwen, which the tests hold against brute force.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

import corpus

import environment
from corpora import say

WORK = corpus.ROOT / "build" / "bench-corpora" / "hamming"
QUERIES = 100_000  # of which faiss gets the first tenth

# One configuration of IndexBinaryMultiHash; prints microseconds a query, its hits, and seconds to
# add. A hit is at a distance below what range_search is given.
SCRIPT = """
import json, sys, time
import faiss, numpy
path, count, tables, bits, flips = sys.argv[1], *map(int, sys.argv[2:6])
faiss.omp_set_num_threads(1)
values = numpy.fromfile(path, dtype=numpy.uint64).view(numpy.uint8).reshape(-1, 8)
codes, queries = values[:count], values[count:count + 10000]
index = faiss.IndexBinaryMultiHash(64, tables, bits)
index.nflip = flips
start = time.process_time()
index.add(codes)
added = time.process_time() - start
seconds = []
for _ in range(3):
    start = time.process_time()
    limits, _, _ = index.range_search(queries, 4)
    seconds.append(time.process_time() - start)
print(json.dumps({"us": sorted(seconds)[1] / len(queries) * 1e6, "hits": int(limits[-1]),
                  "inserts": count / added}))
"""
CONFIGURATIONS = ((2, 32, 1), (3, 21, 1), (4, 16, 0))


def _program(options: argparse.Namespace, *words: str) -> dict[str, float]:
    program = options.bin_dir / "hamming_speed"
    done = subprocess.run([str(program), *words], check=True, stdout=subprocess.PIPE)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _faiss(options: argparse.Namespace, dump: Path) -> list[dict[str, Any]]:
    rows = []
    for tables, bits, flips in CONFIGURATIONS:
        words = [str(n) for n in (options.codes, tables, bits, flips)]
        done = subprocess.run(
            [options.peer_python, "-c", SCRIPT, str(dump), *words],
            check=True, stdout=subprocess.PIPE,
        )
        rows.append({"name": f"{tables} x {bits}, {flips} flips", **json.loads(done.stdout)})
    return rows


def _checks(result: dict[str, Any]) -> list[tuple[str, float, str, float]]:
    """Returns what is asked of figures: name, figure, whether at most or at least, bound."""
    plain, skewed = result["codes"], result["skewed"]
    checks = [
        ("U a line, r = 3", plain["r3_us"] * 1e3 / plain["r3_lines"] / plain["line_ns"], "<=", 4),
        ("bytes a code", plain["bytes_per_code"], "<=", 18),
        ("skewed / uniform, r = 3", skewed["r3_us"] / plain["r3_us"], "<=", 1.5),
        ("join / sort", plain["join_seconds"] / plain["sort_seconds"], "<=", 20),
    ]
    if plain["codes"] > 9e7:
        checks.append(("scan / r = 5", plain["scan_us"] / plain["r5_us"], ">=", 1000))
        checks.append(("scan / r = 8", plain["scan_us"] / plain["r8_us"], ">=", 100))
    exact = [row for row in result["faiss"] if row["is_exact"]]
    if exact:
        best = min(row["us"] for row in exact)
        inserts = max(row["inserts"] for row in exact)
        checks.append(("best faiss / zhiwen, r = 3", best / plain["r3_us"], ">=", 12))
        checks.append(("inserts, zhiwen / faiss", plain["inserts_per_second"] / inserts, ">=", 10))
    return checks


def run_lines(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns U for a stretch of memory."""
    return _program(options, "lines", str(options.bytes), "--rounds", str(options.rounds)), 0


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns all figures, and status 1 where a target is not reached."""
    if not (options.bin_dir / "hamming_speed").exists():
        say(f"bench: {options.bin_dir}/hamming_speed is missing; build with -DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    WORK.mkdir(parents=True, exist_ok=True)
    dump, packed = WORK / "codes.bin", WORK / "codes.zw"
    words = ["codes", str(options.codes), "--rounds", str(options.rounds)]
    result: dict[str, Any] = {
        "codes": _program(options, *words, "--dump", str(dump), "--packed", str(packed), "--join"),
        "skewed": _program(options, *words, "--skewed"),
        "faiss": [],
    }
    if not options.no_peers:
        if not options.peer_python:
            environment.ensure("faiss-cpu")
            options.peer_python = str(environment.PYTHON)
        result["faiss"] = _faiss(options, dump)
    for row in result["faiss"]:
        row["is_exact"] = row["hits"] == int(result["codes"]["r3_first_matches"])
    dump.unlink()
    packed.unlink()
    result["checks"] = [
        {"name": n, "figure": f, "bound": f"{how} {bound}",
         "holds": f <= bound if how == "<=" else f >= bound}
        for n, f, how, bound in _checks(result)
    ]
    return result, 0 if all(c["holds"] for c in result["checks"]) else 1


def table_of_lines(result: dict[str, Any]) -> str:
    """Returns U as a line."""
    return f"{result['bytes'] / 1e6:.0f} MB: {result['line_ns']:.1f} ns a random cache line"


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    if not result:
        return ""
    lines = [
        f"{result['codes']['codes']:.0f} codes, one core; "
        f"U = {result['codes']['line_ns']:.1f} ns",
        "",
        "| index | r | microseconds a query | bytes a code | million inserts a second |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, of in (("zhiwen", result["codes"]), ("zhiwen, skewed", result["skewed"])):
        for radius in (0, 3, 5, 8):
            lines.append(
                f"| {name} | {radius} | {of[f'r{radius}_us']:.2f} | {of['bytes_per_code']:.1f} "
                f"| {of['inserts_per_second'] / 1e6:.1f} |"
            )
    of = result["codes"]
    lines.append(
        f"| zhiwen, from a file | 3 | {of['packed_r3_us']:.2f} | {of['packed_bytes_per_code']:.1f} "
        f"| opened in {of['packed_open_us'] / 1e3:.1f} ms; "
        f"first round {of['packed_r3_first_us']:.2f} |"
    )
    lines.append(f"| every code compared | 3 | {of['scan_us']:.0f} | 8 | |")
    for row in result["faiss"]:
        exact = "" if row["is_exact"] else " (misses some)"
        lines.append(
            f"| faiss {row['name']}{exact} | 3 | {row['us']:.1f} | | {row['inserts'] / 1e6:.2f} |"
        )
    lines += ["", "| | figure | asked for | |", "|---|---:|---|---|"]
    for check in result["checks"]:
        holds = "ok" if check["holds"] else "**not reached**"
        lines.append(f"| {check['name']} | {check['figure']:.2f} | {check['bound']} | {holds} |")
    return "\n".join(lines)
