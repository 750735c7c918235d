"""What channels make of many texts, by runs of zhiwen fingerprint and zhiwen inspect."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import corpora
from program import WORK, ProgramFailed

VARIANTS = ("pinyin(reading=phrase)",)  # shown beside the channels' defaults

Copies = list[tuple[str, str]]  # the texts of an original and of its copy


class Channels:
    """The channels of the program, and their values of many texts."""

    def __init__(self, binary: Path) -> None:
        self.binary = binary
        self.missing: dict[str, str] = {}  # channel → why it cannot be opened
        known = self._known()
        variants = [name for name in VARIANTS if name.split("(")[0] in known]
        self.names = [name for name in (*known, *variants) if self._opens(name)]

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([str(self.binary), *arguments], capture_output=True, check=False)

    def _checked(self, *arguments: str) -> bytes:
        done = self._run(*arguments)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()[-400:]
            raise ProgramFailed(f"zhiwen {' '.join(arguments)}: {message}")
        return done.stdout

    def _known(self) -> list[str]:
        """Short names, those of the schemes' channel parameter."""
        types = [
            p["type"]
            for scheme in json.loads(self._checked("schemes", "--json"))
            for p in scheme["parameters"]
            if p["name"] == "channel"
        ]
        return [name.split(".v")[0] for name in types[0].split(" | ")]

    def _opens(self, name: str) -> bool:
        one = WORK / "channels-one.jsonl"
        corpora.write(one, [{"id": "1", "text": "一"}])
        done = self._run("fingerprint", "--quiet", "-s", f"exact(channel={name})", str(one))
        if done.returncode != 0:
            self.missing[name] = done.stderr.decode(errors="replace").strip()
        return done.returncode == 0

    def values(self, schemes: list[str], texts: Iterable[str]) -> Iterator[list[Any]]:
        """Yields for each text its values of the schemes, in order. Fails: ProgramFailed."""
        documents = WORK / "channels.jsonl"
        records = [{"id": str(i), "text": text} for i, text in enumerate(texts)]
        corpora.write(documents, records)
        named = [word for scheme in schemes for word in ("-s", scheme)]
        lines = self._checked("fingerprint", "--quiet", *named, str(documents)).splitlines()
        if len(lines) != len(records) * len(schemes):
            raise ProgramFailed(f"zhiwen fingerprint: {len(lines)} lines for {len(records)} texts")
        for at, record in enumerate(records):
            rows = [json.loads(x) for x in lines[at * len(schemes) : (at + 1) * len(schemes)]]
            if any(row["id"] != record["id"] for row in rows):
                raise ProgramFailed("zhiwen fingerprint: values are not in the order of the texts")
            yield [row["value"] for row in rows]

    def whole(self, channels: list[str], texts: Iterable[str]) -> dict[str, list[str | None]]:
        """Returns channel → a value for each text, equal where it sees the same symbols; none where
        it sees no symbol."""
        rows = list(self.values([f"exact(channel={c})" for c in channels], texts))
        return {channel: [row[at] for row in rows] for at, channel in enumerate(channels)}

    def recovery(self, channels: list[str], copies: Copies) -> dict[str, float]:
        """Returns channel → the mean share of the originals' shingles that are in the copies; an
        original without shingles counts as 0."""
        schemes = [f"shingles(channel={c},feature=shingle(k=3))" for c in channels]
        values = self.values(schemes, (text for pair in copies for text in pair))
        sums = [0.0] * len(channels)
        for originals, others in zip(values, values):
            for at, (original, copy) in enumerate(zip(originals, others)):
                if original:
                    sums[at] += len(set(original) & set(copy or ())) / len(original)
        return {channel: total / len(copies) for channel, total in zip(channels, sums)}

    def view(self, channel: str, text: Path) -> dict[str, Any]:
        """Returns the symbols, spans and counts of a text on a channel."""
        whole = f"0-{text.stat().st_size}"
        shown = self._checked(
            "inspect", "--json", "--channel", channel, "--bytes", whole, str(text)
        )
        found: dict[str, Any] = json.loads(shown)["channels"][0]
        return found
