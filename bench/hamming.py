"""Codes of 64 bits within a Hamming distance: zhiwen's index beside faiss-cpu's and beside the time
of a random cache line, all in one run.

`lines` alone: U, the time of a random cache line of a stretch of memory, with sixteen waited for
together; the median of five rounds. `hamming`: codes at random, half of the queries near one of
them; each hit is used. Beside uniform keys, "shared" ones, of which a tenth has the same sixteen
bits, and "narrow" ones of 56 bits; and an index that has tables by thirds, too. An index of faiss
is measured with the same codes and queries, on one thread, and only where it finds as many codes as
zhiwen, which the tests hold against brute force. What is compared takes turns: a round of one, a
round of the other, and the medians of these. The plans of the literature: hamming_plans.py.
With --report a page of HTML holds all of it, and the curves, of one run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import Any

import corpus

import environment
import hamming_plans
import hamming_report
from corpora import say
from hamming_report import microseconds as _microseconds
from hamming_report import model as _model

KEYS = ("uniform", "shared", "narrow")
GROWTH = 25_000_000  # codes, inserted one at a time
CURVE = (1_000_000, 10_000_000, 100_000_000)
BLOOM_BYTES = 1 << 30
FOLDERS = {"four_segments": "four segments", "one_segment": "one segment",
           "four_labelled": "four segments with labels"}
WORK = corpus.ROOT / "build" / "bench-corpora" / "hamming"
QUERIES = 100_000  # of which faiss gets the first tenth

# One configuration of IndexBinaryMultiHash; prints its hits and how many codes a second it adds;
# then, for every line that it reads, microseconds a query. A hit is at a distance below what
# range_search is given.
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
limits, _, _ = index.range_search(queries, 4)
print(json.dumps({"hits": int(limits[-1]), "inserts": count / added}), flush=True)
for _ in sys.stdin:
    start = time.process_time()
    index.range_search(queries, 4)
    print((time.process_time() - start) / len(queries) * 1e6, flush=True)
"""
CONFIGURATIONS = ((2, 32, 1), (3, 21, 1), (4, 16, 0))


def _program(options: argparse.Namespace, *words: str) -> dict[str, float]:
    program = options.bin_dir / "hamming_speed"
    done = subprocess.run([str(program), *words], check=True, stdout=subprocess.PIPE)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _take_turns(rounds: int, commands: list[list[str]]) -> list[dict[str, float]]:
    """Returns of each program what it prints first, and the median of what it says for a line."""
    with contextlib.ExitStack() as stack:
        programs, firsts = [], []
        for command in commands:
            programs.append(stack.enter_context(subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)))
            firsts.append(json.loads(_line_of(programs[-1])))
        said: list[list[float]] = [[] for _ in programs]
        for _ in range(2 * rounds + 1):
            for program, figures in zip(programs, said, strict=True):
                assert program.stdin is not None
                program.stdin.write("\n")
                program.stdin.flush()
                figures.append(float(_line_of(program)))
        for program in programs:
            program.communicate()
    return [{**first, "us": statistics.median(figures)}
            for first, figures in zip(firsts, said, strict=True)]


def _line_of(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    line = program.stdout.readline()
    if not line:
        raise subprocess.CalledProcessError(program.wait(), program.args)
    return line


def _turns_of(options: argparse.Namespace, keys: str) -> list[str]:
    return [str(options.bin_dir / "hamming_speed"), "turns", str(options.codes), "--keys", keys]


def _faiss(options: argparse.Namespace, dump: Path) -> list[dict[str, Any]]:
    rows = []
    for tables, bits, flips in CONFIGURATIONS:
        words = [str(n) for n in (options.codes, tables, bits, flips)]
        zhiwen, faiss = _take_turns(options.rounds, [
            _turns_of(options, "uniform"), [options.peer_python, "-c", SCRIPT, str(dump), *words]])
        rows.append({"name": f"{tables} x {bits}, {flips} flips", **faiss, "zhiwen": zhiwen,
                     "is_exact": zhiwen["hits"] == faiss["hits"]})
    return rows


def _checks(result: dict[str, Any]) -> list[tuple[str, float, str, float]]:
    """Returns what is asked of figures: name, figure, whether at most or at least, bound."""
    plain = result["uniform"]
    checks = [
        (f"U a line, r = {r}", _microseconds(plain, r) / plain[f"r{r}_lines"] / _u(plain), "<=", 4)
        for r in range(4)
    ]
    checks.append(("bytes a code", plain["bytes_per_code"], "<=", 18))
    checks.append(("bytes a code, all inserted at once", plain["bulk_bytes_per_code"], "<=", 18))
    for keys in ("shared", "narrow"):
        factor = result["turns"][keys] / result["turns"]["uniform"]
        checks.append((f"{keys} / uniform, r = 3", factor, "<=", 1.5))
    for name, of in FOLDERS.items():
        factor = plain[f"{name}_in_memory_us"] / plain["folder_tables_us"]
        checks.append((f"an index of {of}, read into memory / tables, r = 3", factor, "<=", 2))
    checks.append(("join / sort", plain["join_seconds"] / plain["sort_seconds"], "<=", 20))
    for keys, growth in result["growth"].items():
        checks.append((f"ms of the longest insertion, {keys}", growth["longest_ms"], "<=", 10))
    if plain["codes"] > 9e7:
        for of, radius, bound in ((plain, 5, 1000), (result["thirds"], 8, 100)):
            factor = of["scan_us"] / _microseconds(of, radius)
            tables = ", thirds" if of is not plain else ""
            checks.append((f"scan / r = {radius}{tables}", factor, ">=", bound))
    exact = [row for row in result["faiss"] if row["is_exact"]]
    if exact:
        best = min(exact, key=lambda row: float(row["us"]))
        zhiwen = best["zhiwen"]
        checks.append(("best faiss / zhiwen, r = 3", best["us"] / zhiwen["us"], ">=", 12))
        faster = zhiwen["inserts"] / best["inserts"]
        checks.append(("inserts, zhiwen / that faiss", faster, ">=", 10))
    bloom = result["bloom"]
    checks.append(("U a key of a Bloom filter", bloom["bloom_ns"] / bloom["line_ns"], "<=", 2))
    return checks


def _u(figures: dict[str, float]) -> float:
    return figures["line_ns"] / 1e3


def run_lines(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns U for a stretch of memory."""
    return _program(options, "lines", str(options.bytes), "--rounds", str(options.rounds)), 0


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns all figures, and status 1 where a target is not reached."""
    if not (options.bin_dir / "hamming_speed").exists():
        say(f"bench: {options.bin_dir}/hamming_speed is missing; build with -DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    WORK.mkdir(parents=True, exist_ok=True)
    rounds = ("--rounds", str(options.rounds))
    if options.curve and not options.report:
        rows = _curve(options)
        if options.plot:
            options.plot.write_text(hamming_report.curve(rows, 3), encoding="utf-8")
        return {"curve": rows}, 0
    dump, packed, folder = WORK / "codes.bin", WORK / "codes.zw", WORK / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    words = ["codes", str(options.codes), *rounds]
    result: dict[str, Any] = {
        "uniform": _program(
            options, *words, "--dump", str(dump), "--packed", str(packed), "--join",
            "--folder", str(folder)
        ),
        "shared": _program(options, *words, "--keys", "shared"),
        "narrow": _program(options, *words, "--keys", "narrow"),
        "thirds": _program(options, *words, "--third-bits", "21"),
        "growth": {
            of: _program(options, "growth", str(GROWTH), "--keys", of) for of in KEYS
        },
        "bloom": _program(options, "bloom", str(BLOOM_BYTES), *rounds),
        "faiss": [],
    }
    packed.unlink()
    turns = _take_turns(options.rounds, [_turns_of(options, of) for of in KEYS])
    result["turns"] = {of: row["us"] for of, row in zip(KEYS, turns, strict=True)}
    if not options.no_peers:
        if not options.peer_python:
            environment.ensure("faiss-cpu", "numpy")
            options.peer_python = str(environment.PYTHON)
        result["faiss"] = _faiss(options, dump)
    dump.unlink()
    result["plans"] = hamming_plans.measure(options.bin_dir, options.tables)
    result["checks"] = [
        {"name": n, "figure": f, "bound": f"{how} {bound}",
         "holds": f <= bound if how == "<=" else f >= bound}
        for n, f, how, bound in _checks(result)
    ]
    if options.report:
        _report(options, result)
    return result, 0 if all(c["holds"] for c in result["checks"]) else 1


def _curve(options: argparse.Namespace) -> list[dict[str, float]]:
    rows = []
    for count in options.curve:
        rows.append(_program(options, "codes", str(count), "--rounds", str(options.rounds)))
        say(f"  {count} codes: {rows[-1]['r3_us']:.2f} microseconds for r = 3")
    return rows


def _report(options: argparse.Namespace, result: dict[str, Any]) -> None:
    options.curve = options.curve or CURVE
    result["curve"] = _curve(options)
    sizes = " ".join(str(count) for count in options.curve)
    result["command"] = f"zw bench hamming --codes {options.codes} --report FILE --curve {sizes}"
    texts = [table(result)]
    texts.append("## Sizes\n\n" + _curve_table(result["curve"]))
    options.report.write_text(hamming_report.page(result, texts), encoding="utf-8")


def _growth(growth: dict[str, float]) -> str:
    return (
        f"{growth['insert_us']:.2f} microseconds; the longest of an index "
        f"{growth['longest_ms']:.1f} to {growth['longest_of_all_ms']:.1f} ms. "
        f"The first touch of a huge page: {growth['page_ms']:.1f} ms, "
        f"{growth['longest_page_ms']:.1f} at most."
    )


def table_of_lines(result: dict[str, Any]) -> str:
    """Returns U as a line."""
    return (
        f"{result['bytes'] / 1e6:.0f} MB, {_pages(result)}: {result['line_ns']:.1f} ns a random "
        "cache line"
    )


def _pages(figures: dict[str, float]) -> str:
    """Returns in which pages the memory of U is."""
    return f"{figures['huge_share'] * 100:.0f} % of it in huge pages"


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    if not result:
        return ""
    if "uniform" not in result:
        return _curve_table(result["curve"])
    of = result["uniform"]
    lines = [
        f"{of['codes']:.0f} codes, one core; U = {of['line_ns']:.1f} ns, a line of as much memory, "
        f"{_pages(of)}",
        "",
        "| index | r | microseconds a query | lines | U a line | bytes a code | million inserts a "
        "second: all at once, 4096 at a time |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for keys in (*KEYS, "thirds"):
        name = "uniform keys, thirds" if keys == "thirds" else f"{keys} keys"
        of = result[keys]
        for radius in (0, 1, 2, 3, 5, 8, 10):
            us, touched = of[f"r{radius}_us"], of[f"r{radius}_lines"]
            us_of_line = f"{us / touched / _u(of):.2f}" if radius < 4 else ""
            lines.append(
                f"| zhiwen, {name} | {radius} | {us:.2f} | {int(touched) or ''} | {us_of_line} "
                f"| {of['bytes_per_code']:.2f} | {of['inserts_per_second'] / 1e6:.1f}, "
                f"{of['few_inserts_per_second'] / 1e6:.1f} |"
            )
    of = result["uniform"]
    lines.append(
        f"| zhiwen, from a file | 3 | {of['packed_r3_us']:.2f} | | "
        f"| {of['packed_bytes_per_code']:.2f} | |"
    )
    lines += _folders(of)
    lines.append(f"| every code compared | 3 | {of['scan_us']:.0f} | | | 8 | |")
    for row in result["faiss"]:
        exact = "" if row["is_exact"] else " (misses some)"
        lines.append(
            f"| faiss {row['name']}{exact} | 3 | {row['us']:.1f} | | | "
            f"| {row['inserts'] / 1e6:.2f} |"
        )
    lines += [
        "",
        f"The file: opened in {of['packed_cold_open_us'] / 1e3:.1f} ms, 1000 queries at "
        f"{of['packed_cold_r3_us']:.0f} microseconds, when nothing of it is in memory; opened in "
        f"{of['packed_open_us'] / 1e3:.1f} ms, {of['packed_first_r3_us']:.2f} microseconds in the "
        "first round, which checks blocks, when all of it is.",
        f"A look-up of a Bloom filter of {result['bloom']['bytes'] / 2**30:.0f} GiB: "
        f"{result['bloom']['bloom_ns']:.1f} ns; U of as much: {result['bloom']['line_ns']:.1f} ns.",
        "One insertion: " + _growth(result["growth"]["uniform"]),
        f"All pairs within 3: {of['join_seconds']:.2f} s; sorting {of['sort_seconds']:.2f} s.",
        "",
        "| | figure | asked for | |",
        "|---|---:|---|---|",
    ]
    for check in result["checks"]:
        holds = "met" if check["holds"] else "**not met**"
        lines.append(f"| {check['name']} | {check['figure']:.2f} | {check['bound']} | {holds} |")
    return "\n".join([*lines, "", hamming_plans.table(result["plans"])])


def _folders(of: dict[str, float]) -> list[str]:
    """Returns the rows of durable indexes: asked as they are, and read into memory."""
    lines = []
    for name, what in FOLDERS.items():
        seconds = of[f"{name}_read_seconds"]
        table_bytes = f"{of[f'{name}_table_bytes_per_code']:.2f}"
        in_memory = ("_in_memory", f", read into memory in {seconds:.1f} s", table_bytes)
        for suffix, how, size in (("", "", ""), in_memory):
            us = of[f"{name}{suffix}_us"]
            lines.append(f"| durable, {what}{how}: {us / of['folder_tables_us']:.2f} of the tables "
                         f"| 3 | {us:.2f} | | | {size} | |")
    return lines


def _curve_table(rows: list[dict[str, float]]) -> str:
    lines = [
        "| million codes | U, ns | bytes a code | million inserts a second | r = 3, microseconds "
        "| by the model | r = 5 | by the model | r = 8 | by the model |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        lines.append(
            f"| {row['codes'] / 1e6:.0f} | {row['line_ns']:.1f} | {row['bytes_per_code']:.2f} "
            f"| {row['inserts_per_second'] / 1e6:.1f} | "
            + " | ".join(f"{of(row, r):.3g}" for r in (3, 5, 8) for of in (_microseconds, _model))
            + " |"
        )
    return "\n".join(lines)
