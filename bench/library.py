"""A library of made-up texts: how fast documents are added, how long a check takes, alone and while
another thread adds, what it finds, and how much disk a document takes beside its text.

Texts are made by a model of character triples of the free texts in testdata/demo
(bench/programs/library_speed.cc), so that set phrases are about as common as in real text. Of 2,000
suspects half copy a text of the library, as it is, with one character in a hundred changed, or a
third of it inside another text.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import corpus
import library_attacks
import library_existence
import library_granules
import library_memory
import library_peers

import verdicts
from corpora import say
from verdicts import Verdict

WORK = corpus.ROOT / "build" / "bench-corpora" / "library"
SOURCE = corpus.ROOT / "testdata" / "demo" / "novels.jsonl"
ADDED_WHILE_CHECKED = 50_000


def _run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _measure(options: argparse.Namespace, documents: int) -> dict[str, Any]:
    tool, program = options.zhiwen, options.bin_dir / "library_speed"
    folder, texts, suspects, more = (WORK / name for name in
                                     ("lib", "texts.jsonl", "suspects.jsonl", "more.jsonl"))
    shutil.rmtree(folder, ignore_errors=True)
    say(f"making {documents} texts")
    _run(program, "make", str(documents), "1", SOURCE, texts, suspects)
    _run(program, "make", str(ADDED_WHILE_CHECKED), "2", SOURCE, more, WORK / "unused.jsonl")
    _run(tool, "library", "create", folder, "--profile", options.profile)
    start = time.monotonic()
    _run(tool, "library", "add", folder, texts)
    seconds = time.monotonic() - start
    facts = json.loads(_run(tool, "library", "stats", folder, "--json"))
    start = time.monotonic()
    _run(tool, "check", folder, SOURCE.parent / "own.jsonl", "--json")
    opened = time.monotonic() - start
    language = library_existence.language(options)
    alone = json.loads(_run(program, "check", folder, suspects, language))
    say("checking while another thread adds")
    busy = json.loads(_run(program, "check", folder, suspects, language, more))
    shutil.rmtree(folder)
    others = library_peers.measure(texts, suspects) if options.peers else []
    return {"documents": documents, "bytes": texts.stat().st_size, "add_seconds": seconds,
            "facts": facts, "open_seconds": opened, "alone": alone, "busy": busy, "peers": others}


def _checks(result: dict[str, Any]) -> list[Verdict]:
    name = f"{result['documents']} documents"
    facts = result["facts"]
    a_document = 1 / result["documents"]
    catalog = (facts["catalog_bytes"] - facts["stored_bytes"]) * a_document
    checks = [
        verdicts.at_least(name, "documents added a second",
                          result["documents"] / result["add_seconds"], 8000),
        verdicts.figure(name, "text, bytes a document", facts["text_bytes"] * a_document),
        verdicts.figure(name, "compressed", facts["stored_bytes"] * a_document),
        verdicts.figure(name, "catalog beside it", catalog),
        verdicts.figure(name, "near-duplicates", facts["near_bytes"] * a_document),
        verdicts.figure(name, "passages", facts["passage_bytes"] * a_document),
        verdicts.holds(name, "at most 500 bytes without passages",
                       catalog + facts["near_bytes"] * a_document <= 500),
        verdicts.holds(name, "opened, and a few texts checked, within a second",
                       result["open_seconds"] <= 1, f"{result['open_seconds']:.2f} s"),
    ]
    for when in ("alone", "busy"):
        row = result[when]
        checks.append(verdicts.holds(name, f"check {when}: p50 at most 3 ms", row["p50_ms"] <= 3,
                                     f"{row['p50_ms']} ms"))
        checks.append(verdicts.holds(name, f"check {when}: p99 at most 20 ms", row["p99_ms"] <= 20,
                                     f"{row['p99_ms']} ms"))
    for kind, row in result["alone"]["kinds"].items():
        if kind == "unrelated":
            checks.append(verdicts.figure(name, "unrelated, with a match", row["others"],
                                          f"of {row['suspects']}"))
        else:
            checks.append(verdicts.at_least(name, f"{kind}: found", row["found"] / row["suspects"],
                                            0.99))
    return checks


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns all figures, and status 1 where a target is not reached."""
    if options.attacks:
        return library_attacks.run(options)
    if options.granules:
        return library_granules.run(options)
    if not (options.bin_dir / "library_speed").exists():
        say(f"bench: {options.bin_dir / 'library_speed'} does not exist; build it with "
            "-DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    if options.minutes:
        return library_memory.run(options)
    if options.existence:
        return library_existence.run(options)
    WORK.mkdir(parents=True, exist_ok=True)
    results = [_measure(options, documents) for documents in options.documents]
    checks = [check for result in results for check in _checks(result)]
    say(verdicts.table(checks))
    status = 1 if any(check.passed is False for check in checks) else 0
    return {"sizes": results, "checks": verdicts.as_json(checks)}, status


def table(result: dict[str, Any]) -> str:
    """Returns the table in Markdown."""
    if not result:
        return ""
    if "memory" in result:
        return ""
    if "existence" in result:
        return library_existence.table(result)
    if "granules" in result:
        return library_granules.table(result)
    if "sizes" not in result:
        return library_attacks.table(result)
    lines = ["| documents | added a second | p50, ms | p99, ms | p50, p99 of a processor "
             "| p50 while adding | p99 while adding |",
             "|---:|---:|---:|---:|---:|---:|---:|"]
    for size in result["sizes"]:
        rate = size["documents"] / size["add_seconds"]
        lines.append(f"| {size['documents']} | {rate:.0f} | {size['alone']['p50_ms']} | "
                     f"{size['alone']['p99_ms']} | {size['alone']['p50_processor_ms']}, "
                     f"{size['alone']['p99_processor_ms']} | {size['busy']['p50_ms']} | "
                     f"{size['busy']['p99_ms']} |")
    for size in result["sizes"]:
        if size["peers"]:
            lines += ["", *library_peers.table(size)]
    return "\n".join(lines)
