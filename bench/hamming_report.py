"""The report of `zw bench hamming --report`: a page of HTML with tables and curves, no library."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from typing import Any

import plot

LINES_OF_LOOK_UP, COMPUTED_NS = 1.05, 6.0  # of the model: lines waited for, and work beside it
SCAN_BYTES_NS = 1.0  # the model of a candidate that lies beside others
STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.no{color:#b00;font-weight:bold}"
    "svg{max-width:45em;display:block;margin:1em 0}"
)

Figures = dict[str, float]
Of = Callable[[Figures, int], float]


def microseconds(figures: Figures, radius: int) -> float:
    """Returns what a query took."""
    return figures[f"r{radius}_us"]


def model(figures: Figures, radius: int) -> float:
    """Returns the microseconds of a query by the model: lines, of U each, and work beside them."""
    look_up = LINES_OF_LOOK_UP * figures["line_ns"] + COMPUTED_NS
    return figures[f"r{radius}_lines"] * look_up / 1e3


def blocks_model(figures: Figures) -> float:
    """Returns the microseconds of a query of radius 3 with four tables of 16 bits."""
    return 4 * figures["codes"] / 2**16 * SCAN_BYTES_NS / 1e3


def curve(rows: list[Figures], radius: int) -> str:
    """Returns an SVG of the time of a query by the number of codes."""
    series = {}
    for name, of in (("measured", microseconds), ("by the model", model)):
        # Where the plan is to compare every code, the model of look-ups says nothing.
        of_plan = [row for row in rows if row[f"r{radius}_lines"] > 0]
        series[f"r = {radius}, {name}"] = [(r["codes"] / 1e6, of(r, radius)) for r in of_plan]
    return plot.lines(
        title=f"zhiwen: codes within a Hamming distance of {radius}, one core",
        x="million codes",
        y="microseconds a query",
        series=series,
    )


def page(result: dict[str, Any], texts: Iterable[str]) -> str:
    """Returns the report; `texts` are the tables of the run, in Markdown."""
    out = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f"<title>Hamming index</title><style>{STYLE}</style></head><body>",
        "<h1>Codes within a Hamming distance</h1>",
        f"<p>Made by <code>{html.escape(result['command'])}</code>; one core; every hit is used; "
        "an index counts only where it finds as many codes as zhiwen. U is the time of a random "
        "cache line of as much memory, with sixteen waited for together.</p>",
    ]
    for text in texts:
        out += _html_of(text)
    if result.get("curve"):
        out.append("<h2>Curves</h2>")
        out.append(
            f"<p>The model: look-ups × ({LINES_OF_LOOK_UP} U + {COMPUTED_NS:g} ns). With four "
            "tables of 16 bits a query of radius 3 has codes / 2<sup>14</sup> candidates: "
            + ", ".join(f"{blocks_model(r):.3g} µs at {r['codes']:.0f}" for r in result["curve"])
            + f", with {SCAN_BYTES_NS:g} ns for one.</p>"
        )
        out += [curve(result["curve"], radius) for radius in (3, 5, 8)]
    return "\n".join([*out, "</body></html>", ""])


def _html_of(markdown: str) -> list[str]:
    """Returns paragraphs, headings and tables."""
    out: list[str] = []
    rows = 0
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("|"):
            if set(line) <= set("|-: "):
                continue
            out.append("<table>" if rows == 0 else "")
            out.append(_row(line, "td" if rows else "th"))
            rows += 1
            continue
        out.append("</table>" if rows else "")
        rows = 0
        if line.startswith("## "):
            out.append(f"<h2>{html.escape(line[3:])}</h2>")
        elif line:
            out.append(f"<p>{html.escape(line)}</p>")
    return [line for line in out if line]


def _row(line: str, cell: str) -> str:
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    missed = ' class="no"' if "**not met**" in line else ""
    inside = "".join(f"<{cell}>{html.escape(c.strip('*'))}</{cell}>" for c in cells)
    return f"<tr{missed}>{inside}</tr>"
