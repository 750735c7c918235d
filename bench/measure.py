"""Runs a program and says what it cost: CPU of the whole process tree, wall time, peak memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """Seconds of CPU (user + system) and of wall time; peak resident memory of the largest
    process."""

    cpu: float
    wall: float
    peak_bytes: int


class RunFailed(RuntimeError):
    """A program ended with another status than 0; the message holds the end of what it wrote."""


def run(
    command: list[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    output: Path | None = None,
) -> Cost:
    """Runs the command, stderr into `log`, stdout into `output` or `log`. Fails: RunFailed.

    wait4 counts the children that the command itself waited for.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as errors, (output or log).open("wb" if output else "ab") as out:
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdout=out, stderr=errors, env=dict(os.environ) | dict(environment or {})
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        tail = log.read_bytes()[-800:].decode(errors="replace").strip()
        raise RunFailed(f"{Path(command[0]).name} … ended with status {process.returncode}: {tail}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)
