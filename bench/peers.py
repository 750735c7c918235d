"""zhiwen beside its peers: one run, one corpus, equal shingles, equal threshold, alternating."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import corpus as corpora_of_bench
import environment
import floor
import measure
import prepared
import score
import zhiwen_tool
from corpora import say

ADAPTERS = Path(__file__).resolve().parent / "peers"


@dataclass(frozen=True)
class Peer:
    """A peer: the package it needs, and whether it verifies what it removes; slow ones read a
    subset."""

    name: str
    package: str
    verified: bool
    slow: bool
    note: str


PEERS = (
    Peer("fastsketchlsh", "fastsketchlsh", False, False, "numpy-hashed shingles"),
    Peer("rensa_raw", "rensa", False, False, "numpy-hashed shingles"),
    Peer("rensa_deduplicator", "rensa", True, False, "its own verified path"),
    Peer("gaoya", "gaoya", True, False, "its own character shingles"),
    Peer("datasketch", "datasketch", False, True, "update_batch"),
    Peer("text_dedup", "text-dedup", False, True, "characters as words"),
    Peer("datatrove", "datatrove", False, True, "characters as words"),
)


@dataclass
class Row:
    """One line of the table: what is run, how often, what it cost and what it found."""

    name: str
    corpus: corpora_of_bench.Corpus
    command: Callable[[Path], measure.Cost]
    removals: Callable[[Path], dict[str, str]]
    runs: int
    verified: bool
    note: str = ""
    costs: list[measure.Cost] = field(default_factory=list)
    score: score.Score | None = None
    failure: str = ""

    def once(self) -> None:
        """Runs it once more; a failure ends the row, not the bench."""
        if self.failure or len(self.costs) >= self.runs:
            return
        say(f"  {self.name}, run {len(self.costs) + 1} of {self.runs}")
        output = self.corpus.folder / "out" / self.name
        output.parent.mkdir(exist_ok=True)
        try:
            self.costs.append(self.command(output))
            if self.score is None:
                pairs = score.read_pairs(self.corpus.truth)
                self.score = score.score(pairs, self.removals(output))
        except (measure.RunFailed, OSError, ValueError) as error:
            self.failure = str(error)


def names() -> list[str]:
    """Returns the names that --peers takes."""
    return [p.name for p in PEERS]


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Measures. Returns the result and the exit status."""
    wanted = [n for n in options.peers.split(",") if n] or names()
    unknown = [n for n in wanted if n not in names()]
    if unknown:
        say(f"bench: unknown peer {', '.join(unknown)}; known: {', '.join(names())}")
        return {"rows": []}, 2
    installed = environment.ensure()
    whole = prepared.corpus_with_truth(options.data, options.documents)
    small = corpora_of_bench.subset(whole, options.slow_one_in, score.read_pairs(whole.truth))
    rows = [] if options.no_zhiwen else [_zhiwen_row(options, whole)]
    rows += [
        _peer_row(p, small if p.slow else whole, options.runs, installed)
        for p in PEERS
        if p.name in wanted
    ]
    if not options.no_zhiwen:
        rows += [
            _zhiwen_row(options, whole, threads=1),
            _zhiwen_row(options, whole, threads=2),
            _zhiwen_row(options, whole, simd="avx2"),
            _zhiwen_row(options, whole, audit="none"),
        ]
    _alternate(rows, options.runs)
    result = {
        "corpus": whole.name,
        "documents": whole.documents,
        "text_bytes": whole.text_bytes,
        "subset": {
            "documents": small.documents,
            "text_bytes": small.text_bytes,
            "one_in": options.slow_one_in,
        },
        "true_pairs": len(score.read_pairs(whole.truth)),
        "read_floor": floor.read_floor(whole),
        "rows": [_facts(row) for row in rows],
    }
    if rows and not options.no_zhiwen and not rows[0].failure:
        result["stages"] = zhiwen_tool.stages(whole.folder / "out" / rows[0].name)
        result["ratios"] = ratios(result["rows"])
    return result, 1 if not options.no_zhiwen and rows[0].failure else 0


def _alternate(rows: list[Row], runs: int) -> None:
    """zhiwen, peer, zhiwen, peer, … so that both meet the same weather on the machine."""
    if not rows:
        return
    for _ in range(runs):
        for number, row in enumerate(rows):
            row.once()
            if number and number % 3 == 0:
                rows[0].once()


def _zhiwen_row(
    options: argparse.Namespace,
    whole: corpora_of_bench.Corpus,
    threads: int | None = None,
    simd: str | None = None,
    audit: str | None = None,
) -> Row:
    label = "zhiwen" + (f" --threads {threads}" if threads else "") + (f" {simd}" if simd else "")
    label += f" --audit {audit}" if audit else ""
    is_default = not (threads or simd or audit)

    def command(output: Path) -> measure.Cost:
        return zhiwen_tool.dedup(options.zhiwen, whole.path, output, threads, simd, audit)

    # the default row is compared with every peer, so it runs once more between them
    runs = options.runs * 2 if is_default else options.runs
    return Row(
        label,
        whole,
        command,
        zhiwen_tool.removals,
        runs,
        True,
        "default command line" if is_default else "",
    )


def _peer_row(peer: Peer, on: corpora_of_bench.Corpus, runs: int, installed: dict[str, str]) -> Row:
    def command(output: Path) -> measure.Cost:
        adapter = str(ADAPTERS / f"peer_{peer.name}.py")
        single = {k: "1" for k in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
        call = [str(environment.PYTHON), adapter, str(on.folded), str(output)]
        return measure.run(call, output.with_suffix(".log"), single)

    row = Row(
        peer.name,
        on,
        command,
        _read_removals,
        min(runs, 2) if peer.slow else runs,
        peer.verified,
        peer.note,
    )
    if peer.package not in installed:
        row.failure = "not installed"
    else:
        row.note = f"{installed[peer.package]}, {peer.note}" + (f", {on.name}" if peer.slow else "")
    return row


def _read_removals(output: Path) -> dict[str, str]:
    rows = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["kept_id"] for row in rows}


def _facts(row: Row) -> dict[str, Any]:
    """A row for the table; a row without its recall has no speed."""
    facts: dict[str, Any] = {"name": row.name, "verified": row.verified, "note": row.note}
    if row.failure or row.score is None or not row.costs:
        return facts | {"failure": row.failure or "not run"}
    cpu = statistics.median(c.cpu for c in row.costs)
    return (
        facts
        | {
            "runs": len(row.costs),
            "cpu_seconds": round(cpu, 3),
            "cpu_seconds_all": [round(c.cpu, 3) for c in row.costs],
            "wall_seconds": round(statistics.median(c.wall for c in row.costs), 3),
            "mb_per_cpu_second": round(row.corpus.text_bytes / 1e6 / cpu, 2),
            "peak_bytes": max(c.peak_bytes for c in row.costs),
        }
        | vars(row.score)
    )


def ratios(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Returns how many times the fastest peers' speed the default zhiwen row reaches, and what two
    threads give."""
    speed = {r["name"]: r["mb_per_cpu_second"] for r in rows if "mb_per_cpu_second" in r}
    wall = {r["name"]: r["wall_seconds"] for r in rows if "wall_seconds" in r}
    peers_of = {
        n: [
            speed[r["name"]]
            for r in rows
            if r["name"] in speed and r["name"] in names() and (n == "any" or r["verified"])
        ]
        for n in ("any", "verified")
    }
    found = {
        f"of_fastest_{kind}": round(speed["zhiwen"] / max(values), 2)
        for kind, values in peers_of.items()
        if values
    }
    if {"zhiwen --threads 1", "zhiwen --threads 2"} <= wall.keys():
        found["two_threads"] = round(
            wall["zhiwen --threads 1"] / max(wall["zhiwen --threads 2"], 1e-9), 2
        )
    return found


def table(result: dict[str, Any]) -> str:
    """Returns the result as text."""
    if not result.get("rows"):
        return ""
    lines = _heading(result)
    lines += [_line(row) for row in result["rows"]]
    lines += ["", floor.line(result["read_floor"], result["text_bytes"])]
    if result.get("stages"):
        lines += ["", "stages of the default run", *stage_lines(result["stages"])]
    for name, value in result.get("ratios", {}).items():
        lines.append(f"{name.replace('_', ' ')}: {value} x")
    return "\n".join(lines)


def _heading(result: dict[str, Any]) -> list[str]:
    subset = result["subset"]
    return [
        f"corpus: {result['corpus']}: {result['documents']} documents, "
        f"{result['text_bytes'] / 1e6:.1f} MB of text, "
        f"{result['true_pairs']} true pairs (resemblance >= 0.8)",
        f"subset for slow peers: {subset['documents']} documents, "
        f"{subset['text_bytes'] / 1e6:.1f} MB; peers read text that is already normalised",
        "",
        f"{'':24}{'MB/cpu-s':>9}{'cpu s':>8}{'wall s':>8}{'peak MB':>9}{'recall':>8}"
        f"{'precision':>10}{'unjust.':>8}{'removed':>8}{'largest':>8}{'runs':>5}",
    ]


def _line(row: dict[str, Any]) -> str:
    if "failure" in row:
        return f"{row['name']:24}  {row['failure'].splitlines()[-1][:120]}"
    return (
        f"{row['name']:24}{row['mb_per_cpu_second']:9.1f}{row['cpu_seconds']:8.2f}"
        f"{row['wall_seconds']:8.2f}{row['peak_bytes'] / 1e6:9.0f}{row['recall']:8.4f}"
        f"{row['precision']:10.4f}{row['unjustified']:8}{row['removed']:8}{row['largest']:8}"
        f"{row['runs']:5}  {row['note']}"
    )


def stage_lines(stages: list[dict[str, Any]]) -> list[str]:
    """Returns one line a stage: seconds of CPU and of wall time, bytes."""
    return [
        f"  {s.get('name', '?'):22} cpu {s.get('cpu_seconds', 0):7.3f} s   "
        f"wall {s.get('wall_seconds', 0):7.3f} s   {s.get('bytes', 0) / 1e6:9.1f} MB"
        for s in stages
    ]
