"""The plans of the literature for codes within three bits, beside zhiwen's index: every variant of
a query tried, every variant of a code stored (43,745 each), and tables of permuted codes, sorted.

All plans run with ten thousand codes. Of tables, what decides is how many codes share the bits that
come first: that is counted with 2²² codes and more, of one table, beside what uniform codes would
have, n / 2^bits, and so said for S3's 2³⁴. A model plans for ten thousand million codes over
machines.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

NAIVE = 10_000
SMALLEST, LARGEST = 22, 34  # the latter by the model: powers of two
MODEL, MACHINE = 10**10, 64 << 30  # codes; bytes of memory
BITS = {4: "4 of 16 bits", 5: "10 of 25 and 26", 6: "20 of 31 to 33", 16: "16 of 28, two levels"}


def _program(bin_dir: Path, *words: object) -> dict[str, Any]:
    command = [str(bin_dir / "hamming_plans"), *map(str, words)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def measure(bin_dir: Path, largest: int) -> dict[str, Any]:
    """Returns figures of all plans; of tables with up to 2^largest codes, 16 bytes each."""
    powers = sorted({*range(SMALLEST, largest, 2), largest})
    return {
        "naive": _program(bin_dir, "naive", NAIVE)["rows"],
        "tables": [{**_program(bin_dir, "tables", 2**power, blocks), "blocks": blocks,
                    "power": power} for power in powers for blocks in BITS],
        "model": _program(bin_dir, "model", MODEL, MACHINE)["rows"],
    }


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    lines = [
        f"Plans of the literature, r = 3, {NAIVE} codes:",
        "",
        "| plan | microseconds a query | bytes a code |",
        "|---|---:|---:|",
    ]
    for row in result["naive"]:
        lines.append(f"| {row['name']} | {row['us']:.3g} | {row['bytes_per_code']:.0f} |")
    lines += [
        "",
        "Codes that share the first bits of a table with a random query; of uniform ones "
        "n / 2^bits:",
        "",
        "| tables | codes | in one table | n / 2^bits | microseconds a query, all tables |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in sorted(result["tables"], key=lambda row: (row["blocks"], row["power"])):
        lines.append(
            f"| {BITS[row['blocks']]} | 2^{row['power']} | {row['candidates']:.4g} "
            f"| {row['expected']:.4g} | {row['us_of_table'] * row['tables']:.3g} |"
        )
    for blocks, name in BITS.items():
        last = max((row for row in result["tables"] if row["blocks"] == blocks),
                   key=lambda row: int(row["power"]))
        scale = 2.0 ** (LARGEST - last["power"])
        lines.append(f"| {name} | 2^{LARGEST}, said | {last['candidates'] * scale:.4g} "
                     f"| {last['expected'] * scale:.4g} | |")
    lines += [
        "",
        f"{MODEL:.0e} codes on machines of {MACHINE >> 30} GiB, by the model:",
        "",
        "| plan | TB | machines | look-ups of a query | candidates |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in result["model"]:
        lines.append(f"| {row['name']} | {row['bytes'] / 1e12:.3g} | {row['machines']:.0f} "
                     f"| {row['look_ups']:.0f} | {row['candidates']:.4g} |")
    return "\n".join(lines)
