"""Other programs on the copies whose places are known, in the same run: recall beside the time that
it took. Each gets pairs of a suspect and its source, and as many pairs that have nothing to do with
each other. Places that it finds one behind another are joined to passages here, because these
programs have no rule for that."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import channel_disguises
import corpora
import hard_copies
import plagdet
from copies import FOLDER, SPLICED, Copies, Setting, hard, processor_seconds, spliced
from plagdet import Passage
from program import run
from tables import markdown_table
from verdicts import Verdict, holds, skipped
from virtual_environment import VirtualEnvironment

PEERS_FOLDER = Path(__file__).resolve().parent / "peers"
ENVIRONMENT = VirtualEnvironment(
    corpora.ROOT / "build" / "venv-copy", PEERS_FOLDER / "requirements.txt"
)
WORKER = PEERS_FOLDER / "passage_worker.py"
PEERS = {
    "copydetect": "blocks of 25 characters, as it comes, its filter of program code off",
    "rapidfuzz": "partial ratio of each sentence, from 80 on",
    "datasketch": "containment of windows of 100 characters, from .5 on; no places in the source",
}
ZHIWEN = "zhiwen compare"
BETWEEN_STARTS = 4  # pairs between starts of the program that are timed
WINNOWING = "winnowing(g=39,k=23)"  # as Dolos sets it: blocks of 23, in windows of 17
GAP = 100  # characters between blocks that are one passage
LEAST_SIZE = 16  # characters of a passage
COPIES = 100  # spliced ones and hard ones, about

Pair = tuple[str, str]
Block = tuple[int, int, int, int]  # begin and size in the suspect, begin and size in the source


def joined(pair: Pair, blocks: Sequence[Block]) -> list[Passage]:
    """Returns blocks that follow each other in both texts as passages."""
    passages: list[list[int]] = []
    for begin, size, other, length in sorted(blocks):
        for last in passages:
            if begin - last[1] <= GAP and last[2] <= other <= last[3] + GAP:
                last[1] = max(last[1], begin + size)
                last[3] = max(last[3], other + length)
                break
        else:
            passages.append([begin, begin + size, other, other + length])
    return [
        Passage(pair[0], a, end - a, pair[1], b, last - b)
        for a, end, b, last in passages
        if end - a >= LEAST_SIZE
    ]


def _by_peer(
    name: str, texts: dict[str, str], pairs: Sequence[Pair]
) -> tuple[list[Passage], float]:
    """Returns the passages that another program finds, and seconds of the processor."""
    paths = (FOLDER / "peer-texts.jsonl", FOLDER / "peer-pairs.jsonl")
    corpora.write(paths[0], ({"id": i, "text": text} for i, text in texts.items()))
    corpora.write(paths[1], ({"suspect": a, "source": b} for a, b in pairs))
    command = [ENVIRONMENT.python, WORKER, name, *paths]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    *answers, last = done.stdout.splitlines()
    found = [
        passage
        for pair, answer in zip(pairs, answers, strict=True)
        for passage in joined(pair, list(map(tuple, json.loads(answer))))
    ]
    return found, json.loads(last)["seconds"]


def _by_winnowing(setting: Setting, texts: dict[str, str], pairs: Sequence[Pair]) -> list[Passage]:
    """Returns the passages of blocks that the scheme keeps of both texts."""
    found = []
    for pair in pairs:
        paths = [setting.comparer.paths[i] for i in pair]
        shown = json.loads(run(setting.zhiwen, "compare", "-s", WINNOWING, "--json", *paths))
        utf8 = [texts[i].encode() for i in pair]
        blocks = [
            (*_characters(utf8[0], a), *_characters(utf8[1], b))
            for shared in shown["similarities"][0]["shared"]
            for a in shared["a"]
            for b in shared["b"]
        ]
        found += joined(pair, blocks)
    return found


def _characters(utf8: bytes, place: dict[str, int]) -> tuple[int, int]:
    begin = len(utf8[: place["begin"]].decode())
    return begin, len(utf8[place["begin"] : place["end"]].decode())


def _copies(setting: Setting) -> dict[str, Copies]:
    """Returns the sets of copies. Fails: channel_disguises.Unavailable."""
    options = setting.options
    sets = {}
    if corpora.has(options.data, SPLICED):
        sets["spliced"] = spliced(options.data, setting.comparer)
    drawn = hard_copies.draw(setting.texts, options.data, options.seed, options.copies)
    sets["hard"] = hard(drawn, setting.comparer)[0]
    for name, copies in sets.items():
        every = max(1, round(len(copies.places) / COPIES))
        sets[name] = Copies(copies.places[::every], copies.disguises[::every], copies.hosts)
    return sets


def _by_zhiwen(
    setting: Setting, texts: dict[str, str], pairs: Sequence[Pair]
) -> Iterator[tuple[str, list[Passage], float]]:
    """Yields a name, the passages, and seconds of the processor without those that the program
    takes to start for each pair, which are measured in between."""
    tiny = FOLDER / "tiny.txt"
    tiny.write_text("山高月小，水落石出。", encoding="utf-8")
    finders = {
        ZHIWEN: (setting.comparer.find, ()),
        WINNOWING: (lambda some: _by_winnowing(setting, texts, some), ("-s", WINNOWING)),
    }
    setting.comparer.known.clear()
    for name, (find, options) in finders.items():
        corpora.say(f"  {name}, {len(pairs)} pairs")
        passages: list[Passage] = []
        seconds, starts = 0.0, []
        for at in range(0, len(pairs), BETWEEN_STARTS):
            some = pairs[at : at + BETWEEN_STARTS]
            seconds += processor_seconds(lambda: passages.extend(find(some)))
            words = ("compare", *options, tiny, tiny)
            starts.append(processor_seconds(lambda: run(setting.zhiwen, *words)))
        yield name, passages, seconds - sum(starts) / len(starts) * len(pairs)


def _by_all(
    setting: Setting, texts: dict[str, str], pairs: Sequence[Pair]
) -> Iterator[tuple[str, list[Passage], float]]:
    """Yields the same of all programs that are there."""
    yield from _by_zhiwen(setting, texts, pairs)
    installed = ENVIRONMENT.ensure(*PEERS)
    for name, note in PEERS.items():
        if name in installed:
            corpora.say(f"  {name}, {len(pairs)} pairs")
            yield f"{installed[name]}: {note}", *_by_peer(name, texts, pairs)


def check(setting: Setting) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    part = f"other programs, seed {setting.options.seed}"
    try:
        sets = _copies(setting)
    except channel_disguises.Unavailable as missing:
        yield skipped(part, "all checks", f"{missing} is missing")
        return
    related = {pair for copies in sets.values() for pair in copies.pairs()}
    copied = list(dict.fromkeys(pair for copies in sets.values() for pair in copies.pairs()))
    shifted = zip(copied, (*copied[1:], copied[0]))
    unrelated = {(a, b) for (a, _), (_, b) in shifted} - related
    pairs = [*copied, *sorted(unrelated)]
    paths = setting.comparer.paths
    texts = {i: paths[i].read_bytes().decode() for pair in pairs for i in pair}
    table, scores = [], {}
    for name, passages, seconds in _by_all(setting, texts, pairs):
        line = [name]
        with_passage = {_pair(p) for p in passages}
        for of, copies in sets.items():
            own = set(copies.pairs())
            result = plagdet.score(copies.places, [p for p in passages if _pair(p) in own])
            found = len(own & with_passage) / len(own)
            line += [f"{f:.3f}" for f in (found, result.recall, result.plagdet)]
            scores[name, of] = result.plagdet
        false = len(with_passage & unrelated) / len(unrelated)
        table.append([*line, f"{false:.3f}", f"{seconds * 1000 / len(pairs):.2f}"])
    for of in sets:
        of_others = {name: x for (name, to), x in scores.items() if to == of and name != ZHIWEN}
        next_one = max(of_others, key=lambda name: of_others[name])
        best, next_best = scores[ZHIWEN, of], of_others[next_one]
        detail = f"{best:.4f}; the next is {next_best:.4f}, {next_one}"
        yield holds(part, f"{of}: no other has a greater plagdet", best >= next_best, detail)
    if len(table) < 2 + len(PEERS):
        yield skipped(part, "some programs", "they could not be installed; see above")
    head = ["program"]
    for of, copies in sets.items():
        head += [f"{of} ({len(copies.places)}): pairs found", "recall", "plagdet"]
    head += [f"unrelated pairs ({len(unrelated)}): with a passage", "ms of a processor a pair"]
    title = f"Other programs, seed {setting.options.seed}"
    setting.tables.append(f"{title}\n\n{markdown_table(head, table)}")


def _pair(passage: Passage) -> Pair:
    return passage.suspect, passage.source
