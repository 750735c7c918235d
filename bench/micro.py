"""The Google Benchmark programs (*_benchmark) of a build folder, one after the other."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from typing import Any

from corpora import say


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Runs every program. Returns name → Google Benchmark's JSON, and the exit status."""
    programs = sorted(p for p in options.bin_dir.glob("*_benchmark") if os.access(p, os.X_OK))
    if not programs:
        say(
            f"bench: no *_benchmark program in {options.bin_dir}; build with -DZHIWEN_BENCHMARKS=ON"
        )
        return {}, 4
    results: dict[str, Any] = {}
    for program in programs:
        say(f"  {program.name}")
        command = [str(program), "--benchmark_format=json"]
        if options.filter:
            command.append(f"--benchmark_filter={options.filter}")
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            say(f"bench: {program.name} ended with status {done.returncode}")
            return results, 1
        results[program.name] = json.loads(done.stdout or b"{}")
    return results, 0


def table(result: dict[str, Any]) -> str:
    """Returns the result as text."""
    lines = []
    for program, found in result.items():
        lines.append(program)
        for row in found.get("benchmarks", []):
            rate = (
                f"{row['bytes_per_second'] / 1e6:10.0f} MB/s" if "bytes_per_second" in row else ""
            )
            lines.append(f"  {row['name']:48}{row['cpu_time']:14.1f} {row['time_unit']}{rate}")
    return "\n".join(lines)
