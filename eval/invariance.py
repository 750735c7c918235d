"""Same input, same result: threads, instruction sets, order of the documents."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import corpora
from program import Outcome, Program
from verdicts import Verdict, holds, skipped

# what the CPU must have for ZHIWEN_SIMD to be honoured
NEEDED_FLAGS = {
    "scalar": set(),
    "avx2": {"avx2"},
    "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512dq"},
}


def check(
    part: str, program: Program, records: list[corpora.Record], first: Outcome
) -> Iterator[Verdict]:
    """Compares `first`, the default run of `records`, with runs under other settings."""
    reference = first.digests()
    for threads in ("1", "2"):
        corpora.say(f"  {part}: {threads} threads")
        again = program.dedup_file(f"{part}-threads-{threads}", first.corpus, "--threads", threads)
        yield _same(part, f"same bytes with {threads} threads", reference, again)
    for level, flags in NEEDED_FLAGS.items():
        if not flags <= _cpu_flags():
            yield skipped(part, f"same bytes with {level}", "the CPU lacks it")
            continue
        corpora.say(f"  {part}: {level}")
        again = program.dedup_file(f"{part}-{level}", first.corpus, simd=level)
        yield _same(part, f"same bytes with {level}", reference, again)
    yield from _shuffled(part, program, records, first)


def _same(part: str, name: str, reference: dict[str, str], again: Outcome) -> Verdict:
    other = again.digests()
    differing = sorted(
        k for k in other.keys() | reference.keys() if other.get(k) != reference.get(k)
    )
    return holds(part, name, not differing, ", ".join(differing[:4]))


def _shuffled(
    part: str, program: Program, records: list[corpora.Record], first: Outcome
) -> Iterator[Verdict]:
    corpora.say(f"  {part}: shuffled input")
    shuffled = list(records)
    random.Random(7).shuffle(shuffled)
    again = program.dedup(f"{part}-shuffled", shuffled)
    missing = first.kept_texts() - again.kept_texts()
    detail = f"{sum(missing.values())} kept texts differ" if missing else ""
    yield holds(
        part, "same kept texts for shuffled input", first.kept_texts() == again.kept_texts(), detail
    )


def _cpu_flags() -> set[str]:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return set(
        next((line for line in lines if line.startswith("flags")), "flags:").split(":")[1].split()
    )
