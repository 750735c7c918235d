"""Disguised copies of news that a library has: which of them `zhiwen check` finds, on which
channel, and how many unrelated texts it matches, by profile.

Copies are the attacks of the dev set on its news, and disguises made here of 300 news of 200
characters or more, seeded: whole texts, and a passage of 200 characters inside another text. A copy
is found when its original is among the matches. Unrelated are news that the library has not, of
which only matches with documents count that the truth does not pair with them (the news of a series
share whole sentences, which is why many match), and texts of other kinds, whose matches are
quotations and idioms, or false.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import corpus

import attacks
import channel_disguises
import corpora
import referee
from channel_disguises import in_turn, replacing
from corpora import Record, say

WORK = corpus.ROOT / "build" / "bench-corpora" / "library_attacks"
SEED = 11
ORIGINALS = 300
PASSAGE = 200  # characters
NEWS = ("news_cctv", "news_rmrb")
UNRELATED = 4000  # of each kind, at most
LONGEST_UNRELATED = 3000  # characters
NATURAL = "truth_natdup_news"

Disguise = Callable[[str, random.Random], str]


def _spelled(c: str, rng: random.Random) -> str | None:
    syllable = channel_disguises.readings().get(c)
    return f" {syllable} " if syllable else None


def _sentences(text: str) -> list[str]:
    return re.findall(r"[^。！？\n]+[。！？\n]*", text)


def _shuffled(text: str, rng: random.Random) -> str:
    sentences = _sentences(text)
    rng.shuffle(sentences)
    return "".join(sentences)


def _dropped(text: str, rng: random.Random) -> str:
    """A quarter of the sentences."""
    return "".join(s for s in _sentences(text) if rng.random() >= 0.25) or text


def _renamed(text: str, rng: random.Random) -> str:
    """The five two-character strings that are repeated most, each in two other characters."""
    counts: dict[str, int] = {}
    for i in range(len(text) - 1):
        pair = text[i : i + 2]
        if all(map(corpora.is_han, pair)):
            counts[pair] = counts.get(pair, 0) + 1
    for pair in sorted(counts, key=lambda p: (-counts[p], p))[:5]:
        others = rng.sample("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥", 2)
        text = text.replace(pair, "".join(others))
    return text


def _edited(text: str, rng: random.Random) -> str:
    """One character in twenty replaced."""
    common = sorted(channel_disguises.readings())
    return "".join(rng.choice(common) if rng.random() < 0.05 else c for c in text)


def _disguises(data: Path) -> dict[str, Disguise]:
    homophone, split = channel_disguises.homophone_of, channel_disguises.parts_of
    look_alikes = replacing(channel_disguises.look_alike_of(data))
    return {
        "homophones 30 %": replacing(homophone, 0.3),
        "homophones 100 %": replacing(homophone, 1),
        "spelled 30 %": replacing(_spelled, 0.3),
        "spelled 100 %": replacing(_spelled, 1),
        "split characters": replacing(split, 1),
        "traditional": lambda text, rng: text.translate(referee.to_traditional()),
        "look-alikes 20 %": look_alikes,
        "sentences shuffled": _shuffled,
        "sentences dropped 25 %": _dropped,
        "symbols inserted": channel_disguises._inserted,
        "five names renamed": _renamed,
        "homophones 30 % + split": in_turn(replacing(homophone, 0.3), replacing(split, 0.3)),
        "homophones 30 % + edits 5 % + traditional + zero width": in_turn(
            replacing(homophone, 0.3),
            _edited,
            lambda text, rng: text.translate(referee.to_traditional()),
            attacks.zero_width,
        ),
        "first letters": replacing(channel_disguises.first_letter_of, 1),
    }


def _attacked(data: Path, ids: set[str]) -> list[Record]:
    """Returns the attacks of the dev set on news, as {id, kind, source, text}."""
    return [
        {"id": row["id"], "kind": f"dev: {row['attack']}", "source": row["src_id"],
         "text": row["text"]}
        for row in corpora.load(data, "whole_doc_attacks")
        if row["src_id"] in ids
    ]


def _disguised(data: Path, news: list[Record]) -> list[Record]:
    """Returns disguised news and passages."""
    rng = random.Random(SEED)
    long = [row for row in news if len(row["text"]) >= PASSAGE]
    originals = rng.sample(long, ORIGINALS)
    hosts = [row["text"][:600] for row in corpora.load(data, "tech_docs") if len(row["text"]) > 600]
    made = []
    for name, disguise in _disguises(data).items():
        for i, row in enumerate(originals):
            whole = channel_disguises.apply(disguise, name, row["id"], row["text"])
            begin = rng.randrange(len(row["text"]) - PASSAGE + 1)
            passage = channel_disguises.apply(
                disguise, name, row["id"], row["text"][begin : begin + PASSAGE]
            )
            host = rng.choice(hosts)
            for form, text in (("whole", whole), ("passage", host[:300] + passage + host[300:])):
                made.append({"id": f"{name}/{form}/{i}", "kind": f"{form}: {name}",
                             "source": row["id"], "text": text})
    return made


def _held_out(news: list[Record], copies: list[Record]) -> list[Record]:
    """Returns news of which there are no copies, and that the library is not to have."""
    sources = {copy["source"] for copy in copies}
    others = [row for row in news if row["id"] not in sources]
    return random.Random(SEED).sample(others, min(UNRELATED, len(others) // 2))


def _unrelated(data: Path, held_out: list[Record]) -> dict[str, list[Record]]:
    rng = random.Random(SEED)
    kinds = {"news": held_out}
    for name in ("acad_fudan", "tech_docs", "short_poems"):
        rows = corpora.load(data, name)
        kinds[name] = rng.sample(rows, min(UNRELATED, len(rows)))
    return {
        name: [{"id": row["id"], "text": row["text"][:LONGEST_UNRELATED]} for row in rows]
        for name, rows in kinds.items()
    }


def _check(tool: Path, library: Path, name: str, records: Iterable[Record]) -> list[dict[str, Any]]:
    path = WORK / f"{name}.jsonl"
    corpora.write(path, ({"id": r["id"], "text": r["text"]} for r in records))
    run = subprocess.run([tool, "check", library, path, "--json", "-q"], check=True,
                         capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def _short(channel: str) -> str:
    return channel.split(".", maxsplit=1)[0]


def _found(copies: list[Record], answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns by kind how many copies there are, how many are found, and on which channels."""
    kinds: dict[str, Any] = {}
    for copy, answer in zip(copies, answers, strict=True):
        row = kinds.setdefault(copy["kind"], {"copies": 0, "found": 0, "channels": {}})
        row["copies"] += 1
        match = next((m for m in answer["matches"] if m["document"]["id"] == copy["source"]), None)
        if match is None:
            continue
        row["found"] += 1
        channel = _short(match["channel"])
        row["channels"][channel] = row["channels"].get(channel, 0) + 1
    return kinds


def _alarms(answers: list[dict[str, Any]], pairs: set[tuple[str, str]]) -> dict[str, Any]:
    """Returns how many texts have a match that is not known to be one, and on which channels."""
    alarms = 0
    channels: dict[str, int] = {}
    for answer in answers:
        of_text = {
            _short(match["channel"])
            for match in answer["matches"]
            if tuple(sorted((match["document"]["id"], answer["id"]))) not in pairs
        }
        alarms += bool(of_text)
        for channel in of_text:
            channels[channel] = channels.get(channel, 0) + 1
    return {"texts": len(answers), "matched": alarms, "channels": channels}


def _measure(options: argparse.Namespace, profile: str, news: list[Record], copies: list[Record],
             unrelated: dict[str, list[Record]], pairs: set[tuple[str, str]]) -> dict[str, Any]:
    library = WORK / f"lib-{profile}"
    shutil.rmtree(library, ignore_errors=True)
    corpora.write(WORK / "news.jsonl", news)
    tool = options.zhiwen
    name, _, granules = profile.partition("+")
    subprocess.run([tool, "library", "create", library, "--profile", name, "-q"], check=True)
    subprocess.run([tool, "library", "add", library, WORK / "news.jsonl", "-q"], check=True)
    if granules:
        subprocess.run([tool, "library", "derive", library, "--scheme", "initials_dna", "-q"],
                       check=True)
    say(f"checking {len(copies)} copies with profile {profile}")
    result: dict[str, Any] = {"found": _found(copies, _check(tool, library, "copies", copies))}
    say("checking unrelated texts")
    result["alarms"] = {name: _alarms(_check(tool, library, name, rows), pairs)
                        for name, rows in unrelated.items()}
    return result


def prepare(
    options: argparse.Namespace,
) -> tuple[list[Record], list[Record], list[Record], set[tuple[str, str]]] | None:
    """Returns the news of the library, the copies of them, news that it has not, and the pairs of
    ids that are known to share text; None where the data is not there."""
    if not all(corpora.has(options.data, name) for name in (*NEWS, NATURAL, "whole_doc_attacks")):
        say("bench: --attacks and --granules need --data DIR with the dev corpora")
        return None
    try:
        referee.to_traditional()
        channel_disguises.readings()
        channel_disguises._parts()
    except channel_disguises.Unavailable as why:
        say(f"bench: {why} is not there")
        return None
    WORK.mkdir(parents=True, exist_ok=True)
    news = corpora.load(options.data, *NEWS)
    copies = _attacked(options.data, {row["id"] for row in news})
    copies += _disguised(options.data, news)
    held_out = _held_out(news, copies)
    absent = {row["id"] for row in held_out}
    news = [row for row in news if row["id"] not in absent]
    natural = corpora.load(options.data, NATURAL)
    pairs = {tuple(sorted((row["id_a"], row["id_b"]))) for row in natural}
    return news, copies, held_out, pairs


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the figures of each profile, and status 4 where the data is not there."""
    prepared = prepare(options)
    if prepared is None:
        return {}, 4
    news, copies, held_out, pairs = prepared
    unrelated = _unrelated(options.data, held_out)
    return {
        profile: _measure(options, profile, news, copies, unrelated, pairs)
        for profile in options.profiles
    }, 0


def _listed(channels: dict[str, int]) -> str:
    return ", ".join(f"{c} {n}" for c, n in sorted(channels.items(), key=lambda row: -row[1]))


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    if not result:
        return ""
    profiles = list(result)
    lines = ["| copies | " + " | ".join(f"{p}: found" for p in profiles) + " | channels |",
             "|---|" + "---:|" * len(profiles) + "---|"]
    last = result[profiles[-1]]
    for kind, row in last["found"].items():
        shares = [result[p]["found"][kind]["found"] / row["copies"] for p in profiles]
        lines.append(f"| {kind} | " + " | ".join(f"{s:.1%}" for s in shares)
                     + f" | {_listed(row['channels'])} |")
    rates_of = " | ".join(f"{p}: per 10,000" for p in profiles)
    lines += ["", f"| unrelated | {rates_of} | channels |",
              "|---|" + "---:|" * len(profiles) + "---|"]
    for name, row in last["alarms"].items():
        rates = [10_000 * result[p]["alarms"][name]["matched"] / row["texts"] for p in profiles]
        lines.append(f"| {name} | " + " | ".join(f"{r:.0f}" for r in rates)
                     + f" | {_listed(row['channels'])} |")
    return "\n".join(lines)
