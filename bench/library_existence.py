"""Is there a document with the fingerprint of a text? Asked of a library that has the values of a
scheme, and of a filter of these values (S0's two ways: a store, and a Bloom filter).

Texts and questions are those of `bench library`: 2,000 questions, of which a sixth are texts of the
library. The library compares values, so that what it says is the truth; the filter is wrong where
it says yes and the library no.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import corpus

import verdicts
from corpora import say
from verdicts import Verdict

WORK = corpus.ROOT / "build" / "bench-corpora" / "existence"
SOURCE = corpus.ROOT / "testdata" / "demo" / "novels.jsonl"
SCHEMES = ("exact", "keywords")
FILTERS = ("bloom", "fuse8", "fuse16")


def _run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def language(options: argparse.Namespace) -> Path:
    """Returns the language data: that of the environment, or beside the program."""
    beside = options.zhiwen.resolve().parent.parent / "share" / "zhiwen" / "language.zwl"
    return Path(os.environ.get("ZHIWEN_LANGUAGE", beside))


def _filters(tool: Path, folder: Path, scheme: str) -> dict[str, Path]:
    """Makes filters as people do: the export of the library, its values, a filter."""
    values = WORK / "values.txt"
    pipe = (f"'{tool}' library export '{folder}' | '{tool}' fingerprint -q -s {scheme} - --values"
            f" > '{values}'")
    subprocess.run(["bash", "-o", "pipefail", "-c", pipe], check=True)
    paths = {kind: WORK / f"{scheme}-{kind}.zwf" for kind in FILTERS}
    for kind, path in paths.items():
        _run(tool, "filter", "build", values, "--kind", kind, "-o", path, "--overwrite", "-q")
    return paths


def _measure(options: argparse.Namespace, documents: int) -> list[dict[str, Any]]:
    tool, program = options.zhiwen, options.bin_dir / "library_speed"
    folder, texts, suspects = (WORK / name for name in ("lib", "texts.jsonl", "suspects.jsonl"))
    shutil.rmtree(folder, ignore_errors=True)
    say(f"making a library of {documents} texts")
    _run(program, "make", str(documents), "1", SOURCE, texts, suspects)
    _run(tool, "library", "create", folder)
    _run(tool, "library", "add", folder, texts)
    rows = []
    # Schemes differ in the time of the value alone, whatever the size.
    for scheme in SCHEMES if documents == options.documents[0] else SCHEMES[:1]:
        _run(tool, "library", "derive", folder, "--scheme", scheme)
        facts = json.loads(_run(tool, "library", "stats", folder, "--json"))
        store = next(s for s in facts["schemes"] if s["scheme"].startswith(scheme + "."))
        for kind, path in _filters(tool, folder, scheme).items():
            asked = json.loads(_run(program, "exists", folder, suspects, scheme, path,
                                    language(options)))
            rows.append({"documents": documents, "scheme": scheme, "kind": kind,
                         "store_bytes": store["bytes"] / documents,
                         "library_bytes": sum(facts[k] for k in ("catalog_bytes", "near_bytes",
                                                                 "passage_bytes")) / documents,
                         **asked})
    shutil.rmtree(folder)
    return rows


def _checks(rows: list[dict[str, Any]]) -> list[Verdict]:
    checks = []
    for row in rows:
        name = f"{row['documents']} documents, {row['scheme']}, {row['kind']}"
        unknown = row["questions"] - row["known"]
        most = 3 * row["expected_false_positives"] * unknown + 3
        checks += [verdicts.holds(name, "nothing that is known is lost", row["lost"] == 0),
                   verdicts.holds(name, "not more is taken for known than the filter says",
                                  row["false_positives"] <= most,
                                  f"{row['false_positives']} of {unknown}")]
    return checks


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns all figures, and status 1 where a filter loses something or takes too much."""
    WORK.mkdir(parents=True, exist_ok=True)
    rows = [row for documents in options.documents for row in _measure(options, documents)]
    checks = _checks(rows)
    say(verdicts.table(checks))
    status = 1 if any(check.passed is False for check in checks) else 0
    return {"existence": rows, "checks": verdicts.as_json(checks)}, status


def table(result: dict[str, Any]) -> str:
    """Returns the table in Markdown."""
    lines = ["| documents | value | way | bytes a document | value, µs | answer, µs "
             "| known | wrongly known |",
             "|---:|---|---|---:|---:|---:|---:|---:|"]
    before = None
    for row in result["existence"]:
        unknown = row["questions"] - row["known"]
        head = f"| {row['documents']} | {row['scheme']} |"
        if before != head:
            lines.append(f"{head} library | {row['store_bytes']:.1f} | {row['value_us']:.0f} "
                         f"| {row['library_us']:.1f} | {row['known']} of {row['questions']} | 0 |")
        before = head
        size = row["filter_bytes"] / row["documents"]
        lines.append(f"{head} {row['kind']} | {size:.1f} | {row['value_us']:.0f} "
                     f"| {row['filter_us']:.1f} | {row['known'] - row['lost']} of "
                     f"{row['questions']} | {row['false_positives']} of {unknown} |")
    return "\n".join(lines)
