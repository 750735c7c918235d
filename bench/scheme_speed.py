"""MB/s per core of every scheme from UTF-8 to its value, by its defaults and in the variants that
are code of their own; on standard error whether SimHash over shingles and MinHash reach their
target.

fingerprint_benchmark computes values of documents of 4 KiB and drops them: reading files and
writing is not measured. Schemes that need a file of the user are left out.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import text_speed
from verdicts import Verdict, at_least, missing

TARGET = 100  # MB/s
WITH_TARGET = ("bbit_minhash", "minhash", "simhash32", "simhash64", "simhash128")


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the figures and the checks, and status 1 where a scheme misses the target."""
    return text_speed.run(
        options, "fingerprint_benchmark", "/(news|mixed|english)$", _collect, _judge
    )


def _collect(measured: dict[str, Any]) -> dict[str, Any]:
    rates: dict[str, dict[str, float]] = defaultdict(dict)
    left_out = {}
    for row in measured["benchmarks"]:
        scheme, text = row["name"].rsplit("/", 1)
        if "bytes_per_second" in row:
            rates[scheme][text] = row["bytes_per_second"]
        else:
            left_out[scheme] = row.get("error_message", "")
    rows = [{"scheme": scheme, "texts": texts} for scheme, texts in rates.items()]
    return {"context": measured["context"], "rows": rows, "left_out": left_out}


def _judge(result: dict[str, Any]) -> Iterator[Verdict]:
    part = "MB/s of one core"
    measured = {row["scheme"]: row["texts"] for row in result["rows"]}
    for scheme in WITH_TARGET:
        if scheme not in measured:
            yield missing(part, scheme, result["left_out"].get(scheme, "not measured"))
            continue
        for text, rate in measured[scheme].items():
            yield at_least(part, f"{scheme} on {text}", rate / 1e6, TARGET, "")


def table(result: dict[str, Any]) -> str:
    """Returns the table in Markdown, MB/s."""
    texts = list(text_speed.SOURCES)
    lines = ["| scheme | " + " | ".join(texts) + " |", "|---|" + "---:|" * len(texts)]
    for row in result.get("rows", []):
        figures = [f"{row['texts'][t] / 1e6:.1f}" if t in row["texts"] else "" for t in texts]
        lines.append("| `" + row["scheme"] + "` | " + " | ".join(figures) + " |")
    lines += [f"left out: {name}: {why}" for name, why in result.get("left_out", {}).items()]
    return "\n".join(lines)
