"""A crawl archive of real pages, from end to end: what `zhiwen dedup` removes beside what it
removes of the golds of the bodies and of raw HTML, what it costs, and whether the kept archive is
one."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from extract import plain
from extract_peers import ENVIRONMENT, FOLDER
from program import WORK, Outcome, Program, add_forms, add_inputs
from tables import markdown_table
from verdicts import Verdict, figure, holds, skipped, zero

CORPUS = "html_zh"


def write_archive(path: Path, pages: list[corpora.Record]) -> None:
    """Writes pages as captures of their addresses, by warcio. Fails: CalledProcessError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps({"url": p["url"], "html": p["html"]}) + "\n" for p in pages)
    program = str(FOLDER / "write_warc.py")
    subprocess.run([ENVIRONMENT.python, program, str(path)], input=lines.encode(), check=True)


def separate(pairs: dict[str, str], outcome: Outcome) -> list[tuple[str, str]]:
    """Returns the removals that another run would not have made."""
    return [(a, b) for a, b in pairs.items() if not outcome.together(a, b)]


def stage_table(report: dict[str, Any], html_bytes: int) -> str:
    """Returns what each stage took of the processor, and megabytes of HTML a second."""
    run = report["run"]
    whole = run["cpu_seconds"]
    rows = [
        [
            stage["name"],
            f"{stage['cpu_seconds']:.3f}",
            f"{stage['cpu_seconds'] / whole:.1%}",
            f"{stage['wall_seconds']:.3f}",
        ]
        for stage in run["stages"]
    ]
    rows.append(["the run", f"{whole:.3f}", "100.0%", f"{run['wall_seconds']:.3f}"])
    head = ["stage", "s of the processor", "share", "s"]
    speed = f"{html_bytes / 1e6 / whole:.1f} MB of HTML a second of the processor, "
    return speed + f"{run['threads']} threads\n\n" + markdown_table(head, rows)


def check_archive(path: Path) -> str:
    """Returns what `warcio check` finds wrong with an archive, by what it prints."""
    warcio = ENVIRONMENT.python.parent / "warcio"
    done = subprocess.run([warcio, "check", str(path)], capture_output=True, check=False)
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    return "" if done.returncode == 0 else said[-300:] or f"status {done.returncode}"


def check(options: argparse.Namespace, tables: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of `eval crawl`, and adds the table of stages to `tables`."""
    part = f"an archive of {CORPUS}"
    if not corpora.has(options.data, CORPUS):
        yield skipped(part, "all checks", "they need --data")
        return
    if "warcio" not in ENVIRONMENT.ensure("warcio"):
        yield skipped(part, "all checks", "the package warcio is not installed")
        return
    rows = corpora.load(options.data, CORPUS)
    for at, row in enumerate(rows):
        row["url"] = f"http://page{at}.example/"
    program = Program(options.zhiwen)
    archive = WORK / "crawl.warc.gz"
    write_archive(archive, rows)
    ours = program.dedup_file("crawl", archive)
    golds = [{"id": row["url"], "text": plain(row["gold_text"] or "")} for row in rows]
    right = program.dedup("crawl-golds", golds)
    raw = program.dedup("crawl-raw", [{"id": row["url"], "text": row["html"]} for row in rows])
    result = ours.report()["result"]
    yield holds(
        part,
        "every page is a document",
        result["documents"] == len(rows) and not sum(result["failed"].values()),
        f"{result['documents']} documents of {len(rows)} pages, {result['empty']} empty",
    )
    yield figure(part, "removed by the golds of the bodies", len(right.keeper))
    yield figure(part, "removed by raw HTML", len(raw.keeper), "what templates make equal")
    yield figure(part, "removed by the bodies that zhiwen finds", len(ours.keeper))
    false, lost = separate(ours.keeper, right), separate(right.keeper, ours)
    yield zero(part, "removed, though the golds differ", len(false), str(false[:3]))
    yield zero(part, "kept, though the golds are alike", len(lost), str(lost[:3]))
    kept = sorted((ours.folder / "kept").rglob("*.warc*"))
    faults = [check_archive(path) for path in kept]
    yield holds(
        part, "warcio check accepts the kept archive", bool(kept) and not any(faults),
        "; ".join(filter(None, faults)),
    )  # fmt: skip
    tables.append(
        stage_table(ours.report(), sum(len(r["html"].encode("utf-8", "replace")) for r in rows))
    )


def add_arguments(commands: Any) -> None:
    """Adds the word crawl to those of eval."""
    parser = commands.add_parser("crawl", help="a crawl archive of real pages, from end to end")
    add_inputs(parser, f"folder with {CORPUS}")
    add_forms(parser)
