"""The single pass of `zhiwen cluster`, as slow and plain as its definition: every document is
compared with every centre (cluster/single_pass.h).

  single_pass.py DOCUMENTS CODES --radius 3 [--window SECONDS] [--shingles FILE --threshold 0.8]
                 [--distset FILE] [--simset FILE]

DOCUMENTS are records of JSON Lines; CODES what `zhiwen fingerprint -s simhash64` prints of them;
--shingles what `zhiwen fingerprint -s shingles` does, and makes the pass verify. Prints the lines
of the command.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_JUDGED = 16


@dataclass
class Centre:
    """A centre, what joined it, and the date of the last of these."""

    id: str
    code: int
    order: int
    latest: float | None
    shingles: frozenset[int]
    members: list[str] = field(default_factory=list)
    forgotten: bool = False


def seconds(date: object) -> float | None:
    """Returns a date as seconds since 1970; nothing for what is none."""
    try:
        read = datetime.datetime.fromisoformat(str(date))
    except ValueError:
        return None
    return read.replace(tzinfo=datetime.timezone.utc).timestamp()


def resemblance(a: frozenset[int], b: frozenset[int]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0


def line(name: str, centre: Centre | None, distance: int | None, alike: float | None) -> str:
    """Returns the line of one document; a centre of its own has no distance."""
    row: dict[str, Any] = {"id": name, "cluster": None, "is_new": False, "distance": None}
    if centre:
        row |= {"cluster": centre.id, "is_new": distance is None, "distance": distance or 0}
        if alike is not None:
            row["resemblance"] = int(alike) if alike == int(alike) else round(alike, 4)
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


class SinglePass:
    """Takes documents one after another. `threshold` verifies."""

    def __init__(
        self, radius: int, window: float | None = None, threshold: float | None = None
    ) -> None:
        self.radius, self.window, self.threshold = radius, window, threshold
        self.made: list[Centre] = []
        self.live: list[Centre] = []
        self.date: float | None = None
        self.refused = 0

    def take(
        self, name: str, code: int | None, date: float | None, shingles: frozenset[int]
    ) -> str:
        """Takes the next document, and returns its line."""
        if code is None:
            return line(name, None, None, None)
        self._see(date)
        near = sorted(
            (distance, c.code, c.order)
            for c in self.live
            if (distance := (code ^ c.code).bit_count()) <= self.radius
        )
        refused = False
        for distance, _, order in near[:MOST_JUDGED]:
            centre = self.made[order]
            alike = resemblance(shingles, centre.shingles) if self.threshold else None
            if alike is None or alike >= self.threshold:
                centre.members.append(name)
                if self.date is not None:
                    centre.latest = max(self.date, centre.latest or self.date)
                self.refused += refused
                return line(name, centre, distance, alike)
            refused = True
        self.refused += refused
        new = Centre(name, code, len(self.made), self.date, shingles)
        self.made.append(new)
        self.live.append(new)
        return line(name, new, None, 1 if self.threshold else None)

    def _see(self, date: float | None) -> None:
        """Forgets what is too old for a document of this date."""
        if self.window is None or (date is None and self.date is None):
            return
        if self.date is None:
            for centre in self.live:
                centre.latest = date
        self.date = self.date if date is None else date
        assert self.date is not None
        for centre in self.live:
            assert centre.latest is not None
            centre.forgotten = self.date - centre.latest > self.window
        self.live = [c for c in self.live if not c.forgotten]

    def sets(self) -> Iterator[tuple[str, str]]:
        """Yields a line of distset.jsonl and one of simset.jsonl for each centre."""
        for centre in sorted(self.made, key=lambda c: (c.code, c.order)):
            row: dict[str, Any] = {"id": centre.id, "code": f"{centre.code:016x}"}
            yield (
                json.dumps(row, ensure_ascii=False, separators=(",", ":")),
                json.dumps(
                    row | {"members": centre.members}, ensure_ascii=False, separators=(",", ":")
                ),
            )


def read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for row in lines:
            yield json.loads(row)


def run(one_pass: SinglePass, options: argparse.Namespace) -> Iterable[str]:
    """Yields the lines of the documents that the options name."""
    sets = read(options.shingles) if options.shingles else None
    for document, code in zip(read(options.documents), read(options.codes), strict=True):
        value = None if code["value"] is None else int(code["value"], 16)
        row = (next(sets)["value"] or []) if sets else []
        shingles = frozenset(int(s, 16) for s in row)
        yield one_pass.take(code["id"], value, seconds(document.get("date")), shingles)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=Path)
    parser.add_argument("codes", type=Path)
    parser.add_argument("--radius", type=int, default=3)
    parser.add_argument("--window", type=float)
    parser.add_argument("--shingles", type=Path)
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--distset", type=Path)
    parser.add_argument("--simset", type=Path)
    options = parser.parse_args()
    threshold = options.threshold if options.shingles else None
    one_pass = SinglePass(options.radius, options.window, threshold)
    for text in run(one_pass, options):
        print(text)
    print(f"refused {one_pass.refused}", file=sys.stderr)
    for path, index in ((options.distset, 0), (options.simset, 1)):
        if path:
            path.write_text("".join(s[index] + "\n" for s in one_pass.sets()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
