"""A sub-table of reproductions: what a source says, what was found here, and why they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tables import markdown_table

COMPARED = ("what", "the source", "ours", "why they differ")


@dataclass
class Table:
    """One table; every cell is text. `title` is its heading, `about` a line below it."""

    title: str
    about: str = ""
    head: Sequence[str] = COMPARED
    rows: list[list[str]] = field(default_factory=list)

    def add(self, *cells: object) -> None:
        """Appends a row: floats with three decimals, whole numbers in groups of three digits."""
        self.rows.append([text_of(c) for c in cells])

    def markdown(self) -> str:
        """Returns the table with its heading."""
        lines = [f"### {self.title}", ""]
        lines += [self.about, ""] if self.about else []
        left = range(len(self.head) if self.head is COMPARED else 1)
        return "\n".join([*lines, markdown_table(self.head, self.rows, left)])


def text_of(cell: object) -> str:
    """Returns a cell as text."""
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def percent(share: float) -> str:
    """Returns a share as a percentage."""
    return f"{share:.1%}".replace("%", " %")


def slashed(values: Iterable[object]) -> str:
    """Returns values in one cell."""
    return " / ".join(text_of(v) for v in values)


def as_markdown(tables: Iterable[Table]) -> str:
    """Returns all tables."""
    return "\n\n".join(t.markdown() for t in tables)
