"""Runs `zhiwen dedup` for a measurement and reads what it wrote."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import measure


def dedup(
    binary: Path,
    corpus: Path,
    folder: Path,
    threads: int | None = None,
    simd: str | None = None,
    audit: str | None = None,
) -> measure.Cost:
    """Runs the default command line, outputs written. `threads`, `simd` and `audit` are forced
    when given."""
    command = [str(binary), "dedup", str(corpus), "-o", str(folder), "--overwrite", "--quiet"]
    if threads is not None:
        command += ["--threads", str(threads)]
    if audit is not None:
        command += ["--audit", audit]
    environment: Mapping[str, str] = {"ZHIWEN_SIMD": simd} if simd else {}
    return measure.run(command, folder.with_suffix(".log"), environment)


def removals(folder: Path) -> dict[str, str]:
    """Returns removed id → kept id."""
    data = subprocess.run(
        ["zstd", "-dcq", str(folder / "removed.jsonl.zst")], check=True, stdout=subprocess.PIPE
    )
    rows = map(json.loads, data.stdout.decode().splitlines())
    return {row["id"]: row["kept_id"] for row in rows}


def report(folder: Path) -> dict[str, Any]:
    """Returns report.json."""
    loaded: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return loaded


def stages(folder: Path) -> list[dict[str, Any]]:
    """Returns run.stages of the report: name and seconds of each stage; empty when the report has
    none."""
    found = report(folder).get("run", {}).get("stages", [])
    if isinstance(found, dict):
        return [{"name": name} | value for name, value in found.items()]
    return list(found)
