"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence


def markdown_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], left: Container[int] = (0,)
) -> str:
    """Returns a table; the columns that are not in `left` are flush right."""
    rule = ["---" if at in left else "---:" for at in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows))
