"""Checks with a target: what was measured, what is asked for, and whether it holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """One line of the result; `passed` is None for a figure without a target, or a check that was
    skipped."""

    part: str
    name: str
    value: float | int | str
    target: str
    passed: bool | None
    detail: str = ""


def at_least(part: str, name: str, value: float, target: float, detail: str = "") -> Verdict:
    """A share that must reach the target."""
    return Verdict(part, name, round(value, 4), f">= {target}", value >= target, detail)


def zero(part: str, name: str, count: int, detail: str = "") -> Verdict:
    """A count that must be 0; `detail` should show examples."""
    return Verdict(part, name, count, "0", count == 0, detail if count else "")


def holds(part: str, name: str, value: bool, detail: str = "") -> Verdict:
    """A statement that must be true."""
    return Verdict(part, name, "yes" if value else "no", "yes", value, detail)


def figure(part: str, name: str, value: float | int | str, detail: str = "") -> Verdict:
    """A figure that is only shown."""
    return Verdict(
        part, name, round(value, 4) if isinstance(value, float) else value, "", None, detail
    )


def skipped(part: str, name: str, why: str) -> Verdict:
    """A check that could not be made; never counted as passed."""
    return Verdict(part, name, "skipped", "", None, why)


def missing(part: str, name: str, why: str) -> Verdict:
    """A check with a target that could not be made, which is a failure."""
    return Verdict(part, name, "missing", "there", False, why)


def table(verdicts: list[Verdict]) -> str:
    """Returns the verdicts as text, failures repeated at the end."""
    lines = []
    part = ""
    for v in verdicts:
        if v.part != part:
            part = v.part
            lines += ["", part]
        mark = {True: "ok", False: "FAIL", None: ""}[v.passed]
        lines.append(f"  {v.name:54}{v.value!s:>10}  {v.target:9}{mark:5} {v.detail}".rstrip())
    failed = [v for v in verdicts if v.passed is False]
    passed = sum(v.passed is True for v in verdicts)
    missing = [f"{v.part}: {v.name}" for v in verdicts if v.value == "skipped"]
    lines += [
        "",
        f"{passed} passed, {len(failed)} failed"
        + (f", {len(missing)} skipped ({'; '.join(missing)})" if missing else ""),
    ]
    lines += [
        f"FAIL {v.part}: {v.name}: {v.value}, asked for {v.target} {v.detail}".rstrip()
        for v in failed
    ]
    return "\n".join(lines).lstrip("\n")


def as_json(verdicts: list[Verdict]) -> dict[str, Any]:
    """Returns the verdicts for machines."""
    return {
        "passed": sum(v.passed is True for v in verdicts),
        "failed": sum(v.passed is False for v in verdicts),
        "checks": [asdict(v) for v in verdicts],
    }
