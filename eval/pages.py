"""Clusters of pages by their body trees (熊忠阳 et al. 2013, S1): pages made of real bodies at other
sites, edited as reposts are; beside the source's own form and its two baselines; time over
pages."""

from __future__ import annotations

import argparse
import difflib
import html
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import corpora
from judged import LOW
from page_templates import SITES, render
from program import WORK, ProgramFailed, add_forms, add_inputs, positive
from referee import resemblance, shingles
from verdicts import Verdict, at_least, figure, holds, skipped

sys.path.insert(0, str(corpora.ROOT / "bench"))

import plot  # noqa: E402

PART = "pages"
FOLDER = WORK / "pages"
# S1 reports these shares of its own pages: of all of them, and of those of at most 4 KB.
TARGETS = {"all": (0.953, 0.904), "<= 4 KB": (0.956, 0.917)}
SMALL_BYTES = 4096
MOST_SENTENCES = 300  # of a text of which rates are measured
SIZES = (100, 500, 1000, 2000, 5000, 10000, 15000, 30000, 100000)
SOURCE_SIZES = 15000  # the source's plot ends here
TOPICS = 10  # draws of pages whose times are averaged, as the source averages over topics
MANY_TOPICS_SIZES = 2000  # larger streams are drawn once
SLOWER = 2.0  # times per page, of the largest size and of a tenth of it

_NUMBER = re.compile(r"[0-9０-９]+")
_SITE = re.compile(r"[_|｜]|--| - |-(?=[^ -~])")  # what is behind the headline in a title
_SENTENCE = re.compile(r"[^。！？!?\n]*[。！？!?]*\n*")

HEADING_LENGTH = 20  # characters, of a line without a mark at the end
END_MARKS = "。！？；：，、…”』」）.!?;:,)"


@dataclass(frozen=True)
class Rates:
    """What a repost changes, as shares of the sentences of its original; and what it does to a
    changed sentence: runs of characters with others in their place, as both lengths."""

    dropped: float
    inserted: float
    changed: float
    edits: tuple[tuple[int, int], ...] = ()
    edits_a_sentence: float = 0.0


# Without data: reposts that change nothing, and some that change little.
USUAL_RATES = (Rates(0, 0, 0), Rates(0.01, 0.01, 0.03, ((1, 1), (2, 0), (0, 3)), 2))


@dataclass(frozen=True)
class Page:
    """A page of the stream: its id, the body that it is made of, the first body that is equal to
    this one but for numbers, and the size of its text."""

    id: str
    body: int
    form: int
    size: int


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text, with the ends of lines behind them."""
    return [s for s in _SENTENCE.findall(text) if s.strip()]


def rates_between(a: str, b: str) -> Rates | None:
    """Returns what b changes of a; nothing where the texts are too long to compare."""
    of_a, of_b = sentences(a), sentences(b)
    if not of_a or max(len(of_a), len(of_b)) > MOST_SENTENCES:
        return None
    dropped = inserted = changed = 0
    edits: list[tuple[int, int]] = []
    for kind, a0, a1, b0, b1 in difflib.SequenceMatcher(None, of_a, of_b, False).get_opcodes():
        if kind == "delete":
            dropped += a1 - a0
        elif kind == "insert":
            inserted += b1 - b0
        elif kind == "replace":
            changed += a1 - a0
            old, new = "".join(of_a[a0:a1]), "".join(of_b[b0:b1])
            runs = difflib.SequenceMatcher(None, old, new, False).get_opcodes()
            edits += [(i1 - i0, j1 - j0) for kind, i0, i1, j0, j1 in runs if kind != "equal"]
    shares = (n / len(of_a) for n in (dropped, inserted, changed))
    return Rates(*shares, tuple(edits), len(edits) / max(changed, 1))


def natural_rates(data: Path) -> list[Rates]:
    """Returns the rates of the reposts in the news and academic corpora: pairs with a resemblance
    of LOW, but for items of one series of broadcasts."""
    texts = {r["id"]: r["text"] for r in corpora.load(data, *corpora.NEWS_CORPORA)}
    found = []
    for row in corpora.load(data, "truth_natdup_news"):
        a, b = row["id_a"], row["id_b"]
        is_series = a.startswith("cctv") and b.startswith("cctv")
        if row["sim"]["j5"] >= LOW and not is_series:
            rates = rates_between(texts[a], texts[b])
            if rates is not None:
                found.append(rates)
    return found


def draw(share: float, count: int, rng: random.Random) -> int:
    """Returns that share of a count, rounded up as often as its fraction says."""
    whole = int(share * count)
    return min(count, whole + (rng.random() < share * count - whole))


def changed_sentence(sentence: str, other: str, rates: Rates, rng: random.Random) -> str:
    """Returns a sentence with so many edits, each as one of them; `other` gives characters."""
    for _ in range(max(1, draw(rates.edits_a_sentence % 1, 1, rng) + int(rates.edits_a_sentence))):
        removed, added = rng.choice(rates.edits)
        at = rng.randrange(len(sentence) + 1)
        start = rng.randrange(max(1, len(other) - added))
        new = other[start : start + added].replace("\n", "")
        sentence = sentence[:at] + new + sentence[at + removed :]
    return sentence


def repost(text: str, other: str, rates: Rates, rng: random.Random) -> str:
    """Returns a text with changes at these rates; `other` gives sentences to insert."""
    kept = sentences(text)
    count = len(kept)
    for at in rng.sample(range(count), draw(rates.changed, count, rng)):
        ending = kept[at][len(kept[at].rstrip()) :]  # paragraphs stay
        kept[at] = changed_sentence(kept[at].rstrip(), other, rates, rng) + ending
    for at in sorted(rng.sample(range(count), draw(rates.dropped, count, rng)), reverse=True):
        del kept[at]
    strange = [s.strip() for s in sentences(other)]
    for _ in range(draw(rates.inserted, count, rng)):
        kept.insert(rng.randrange(len(kept) + 1), rng.choice(strange))
    return "".join(kept)


def title_of(row: corpora.Record) -> str:
    """Returns the headline of a page: that of its record or of its <title>, or its first line."""
    found = re.search(r"(?is)<title[^>]*>(.*?)</title>", row["html"])
    title = row.get("title") or (html.unescape(found.group(1)) if found else "")
    return _SITE.split(title)[0].strip() or str(row["gold_text"]).strip().split("\n")[0]


def bodies(data: Path | None) -> list[tuple[str, str]]:
    """Returns titles and texts: of the gold bodies of html_zh, or of the checked-in novels."""
    if data and corpora.has(data, "html_zh"):
        rows = [r for r in corpora.load(data, "html_zh") if sentences(r["gold_text"] or "")]
        return [(title_of(r), r["gold_text"]) for r in rows]
    rows = [r for r in corpora.demo() if len(r["text"]) > 500]
    pieces = []
    for row in rows:
        lines = [line for line in row["text"].split("\n") if line.strip()]
        pieces += [(row["title"], "\n".join(lines[i : i + 8])) for i in range(0, len(lines), 8)]
    return list({text: (title, text) for title, text in pieces}.values())


def originals(bodies_of: list[tuple[str, str]]) -> list[int]:
    """Returns for each body the first one that it is a copy of: bodies are taken from pages, of
    which some repeat others. A resemblance of LOW makes a copy, as in the truth for news."""
    sets = [shingles("".join(text.split())) for _, text in bodies_of]
    first = list(range(len(sets)))
    for i, mine in enumerate(sets):
        for j in range(i):
            if first[j] == j and resemblance(mine, sets[j]) >= LOW:
                first[i] = j
                break
    return first


def with_headings(text: str) -> list[str]:
    """Returns the paragraphs of a text, with # in front of those that look like headings."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return [
        f"# {line}" if at and len(line) <= HEADING_LENGTH and line[-1] not in END_MARKS else line
        for at, line in enumerate(lines)
    ]


def write_pages(
    bodies_of: list[tuple[str, str]], rates: list[Rates], seed: int, path: Path
) -> list[Page]:
    """Writes a page of each body, and a repost of two of three at another site. Returns the pages,
    in the order of the stream."""
    rng = random.Random(seed)
    form_of = originals([(title, _NUMBER.sub("", text)) for title, text in bodies_of])
    rows: list[tuple[int, str, str, int]] = []
    for body, (title, text) in zip(originals(bodies_of), bodies_of, strict=True):
        site = rng.randrange(len(SITES))
        rows.append((body, title, text, site))
        for _ in range(rng.choice((0, 1, 1))):
            other = bodies_of[rng.randrange(len(bodies_of))][1]
            copy = repost(text, other, rng.choice(rates), rng)
            rows.append((body, title, copy, (site + rng.randrange(1, len(SITES))) % len(SITES)))
    rng.shuffle(rows)
    pages = []
    with path.open("w", encoding="utf-8") as out:
        for number, (body, title, text, site) in enumerate(rows):
            page = render(SITES[site], title, with_headings(text), rng)
            out.write(json.dumps({"id": str(number), "html": page}, ensure_ascii=False) + "\n")
            pages.append(Page(str(number), body, form_of[body], len(text.encode())))
    return pages


def run(options: argparse.Namespace, *words: str) -> bytes:
    """Runs zhiwen. Fails: ProgramFailed."""
    done = subprocess.run([str(options.zhiwen), *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"zhiwen {words[0]}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


Joins = dict[str, str | None]  # page → the first page of the cluster that it joins


def joins_of(options: argparse.Namespace, path: Path, method: str) -> Joins:
    """Returns what `zhiwen cluster` joins."""
    found: Joins = {}
    for line in run(options, "cluster", "-q", str(path), "--method", method).splitlines():
        row = json.loads(line)
        found[row["id"]] = None if row["is_new"] else row["cluster"]
    return found


@dataclass
class Score:
    """How many pages joined, how many of them rightly, and how many are copies; summed up."""

    pages: int = 0
    joined: int = 0
    right: int = 0
    copies: int = 0
    same_form: int = 0  # wrong ones that differ in numbers

    def add(self, pages: list[Page], joins: Joins, wanted: set[str]) -> Score:
        """Adds the wanted ones of the pages. A copy is a page of a body that an earlier one has; it
        is found where it joins such a page."""
        of_id = {p.id: p for p in pages}
        seen: set[int] = set()
        for page in pages:
            is_copy = page.body in seen
            seen.add(page.body)
            if page.id not in wanted:
                continue
            self.pages += 1
            self.copies += is_copy
            source = joins.get(page.id)
            if source is not None:
                self.joined += 1
                is_right = of_id[source].body == page.body
                self.right += is_right
                self.same_form += not is_right and of_id[source].form == page.form
        return self

    @property
    def precision(self) -> float:
        return self.right / self.joined if self.joined else 1.0

    @property
    def precision_of_forms(self) -> float:
        """Precision where texts that differ in numbers are one text."""
        return (self.right + self.same_form) / self.joined if self.joined else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.copies if self.copies else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.joined + self.copies, 1)

    def __str__(self) -> str:
        return f"{self.precision:.4f} / {self.recall:.4f}"

    @property
    def detail(self) -> str:
        return f"{self.pages} pages, {self.copies} copies"


def values(options: argparse.Namespace, path: Path, scheme: str) -> dict[str, list[str]]:
    """Returns the values of a scheme by page."""
    out = run(options, "fingerprint", "-q", "-s", scheme, str(path))
    return {row["id"]: row["value"] or [] for row in map(json.loads, out.splitlines())}


def as_set(codes: list[str]) -> Counter[str]:
    """Returns what the baseline with long sentences compares."""
    return Counter(set(codes))


def as_neighbours(codes: list[str]) -> Counter[str]:
    """Returns what the baseline with feature strings compares: strings that follow one another."""
    return Counter(a + b for a, b in zip(codes, codes[1:], strict=False)) or Counter(codes)


def dice(a: frozenset[str], b: frozenset[str]) -> float:
    """Returns how similar two pages are."""
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def baseline(
    pages: list[Page], of_page: dict[str, frozenset[str]]
) -> Iterator[tuple[float, Joins]]:
    """Yields thresholds, and what joins the most similar earlier page above each."""
    nearest: dict[str, tuple[float, str]] = {}
    for i, page in enumerate(pages):
        mine = of_page[page.id]
        found = [(dice(mine, of_page[p.id]), p.id) for p in pages[:i]] if mine else []
        nearest[page.id] = max(found, default=(0.0, ""))
    for hundredths in range(40, 100, 5):
        threshold = hundredths / 100
        yield threshold, {id_: s if d >= threshold else None for id_, (d, s) in nearest.items()}


BASELINES: tuple[tuple[str, str, Callable[[list[str]], Counter[str]]], ...] = (
    ("structure and long sentences", "long_sentences(scope=paragraph,top=1)", as_set),
    ("feature strings compared in a row", "feature_codes", as_neighbours),
)


def subsets(pages: list[Page]) -> dict[str, set[str]]:
    """Returns all pages, and those that are small."""
    return {
        "all": {p.id for p in pages},
        "<= 4 KB": {p.id for p in pages if p.size <= SMALL_BYTES},
    }


def make_pages(
    options: argparse.Namespace, of: list[tuple[str, str]], rates: list[Rates], seed: int
) -> tuple[list[Page], Path]:
    """Makes pages, and returns them with the file of their extracted texts and trees."""
    source, trees = FOLDER / f"pages-{seed}.jsonl", FOLDER / f"trees-{seed}.jsonl"
    pages = write_pages(of, rates, seed, source)
    words = ["--text-field", "html", "--format", "tree", "-o", str(trees), "--overwrite"]
    run(options, "extract", "-q", str(source), *words)
    return pages, trees


def levels_of(trees: Path) -> dict[str, int]:
    """Returns the number of levels of each page."""
    rows = map(json.loads, trees.read_text(encoding="utf-8").splitlines())
    return {row["id"]: len(set(row["levels"].split()) - {"0"}) for row in rows}


def check_trees(
    options: argparse.Namespace, made: list[tuple[list[Page], Path]], is_real: bool
) -> Iterator[Verdict]:
    """Yields precision and recall of body trees, and what the source's own form decides."""
    ours, literal, by_levels = defaultdict(Score), defaultdict(Score), defaultdict(Score)
    other = 0
    for pages, trees in made:
        of_ours = joins_of(options, trees, "body-tree")
        of_literal = joins_of(options, trees, "body-tree-bloom")
        for name, wanted in subsets(pages).items():
            ours[name].add(pages, of_ours, wanted)
            literal[name].add(pages, of_literal, wanted)
        levels = levels_of(trees)
        for depth in set(levels.values()):
            wanted = {id_ for id_, d in levels.items() if d == depth}
            by_levels[depth].add(pages, of_ours, wanted)
        other += sum((of_ours[p.id] is None) != (of_literal[p.id] is None) for p in pages)
    for name, found in ours.items():
        if is_real:
            yield at_least(PART, f"precision, {name}", found.precision, TARGETS[name][0])
            yield at_least(PART, f"recall, {name}", found.recall, TARGETS[name][1], found.detail)
            yield figure(
                PART,
                f"precision, {name}, texts that differ in numbers being one",
                f"{found.precision_of_forms:.4f}",
                f"{found.same_form} of {found.joined - found.right} wrong joins are of such texts",
            )
        else:
            yield figure(PART, f"precision / recall, {name}", str(found), found.detail)
    for depth, found in sorted(by_levels.items()):
        yield figure(PART, f"precision / recall, {depth} levels", str(found), found.detail)
    for name, found in literal.items():
        yield figure(PART, f"the source's own form, {name}", str(found))
    yield figure(PART, "pages that the source's own form decides otherwise", other)


def check_baselines(
    options: argparse.Namespace, pages: list[Page], trees: Path
) -> Iterator[Verdict]:
    """Yields precision and recall of the two baselines, each at its own best threshold."""
    for name, scheme, of_codes in BASELINES:
        found = values(options, trees, scheme)
        results = list(baseline(pages, {p.id: frozenset(of_codes(found[p.id])) for p in pages}))
        for subset, wanted in subsets(pages).items():
            scored = [(Score().add(pages, joins, wanted), above) for above, joins in results]
            best, threshold = max(scored, key=lambda found: found[0].f1)
            yield figure(PART, f"{name}, {subset}", str(best), f"threshold {threshold}, its best")


def write_stream(
    pool: list[str], rates: list[Rates], count: int, seed: int, path: Path
) -> None:
    """Writes so many texts: of drawn sentences, every third a repost of an earlier one."""
    rng = random.Random(seed)
    texts: list[str] = []
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            if texts and rng.random() < 1 / 3:
                text = repost(rng.choice(texts), rng.choice(pool), rng.choice(rates), rng)
            else:
                drawn = [rng.choice(pool) for _ in range(rng.randrange(8, 25))]
                text = "".join(s + ("\n" if rng.random() < 0.2 else "") for s in drawn)
                texts.append(text)
            out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")


def seconds_of(options: argparse.Namespace, path: Path, method: str) -> float:
    """Returns how long `zhiwen cluster` takes."""
    began = time.monotonic()
    run(options, "cluster", "-q", str(path), "--method", method, "--threads", "1")
    return time.monotonic() - began


def baseline_seconds(options: argparse.Namespace, path: Path, number: int) -> float:
    """Returns how long a baseline takes to compare each page with all source pages."""
    _, scheme, of_codes = BASELINES[number]
    found = [frozenset(of_codes(v)) for v in values(options, path, scheme).values()]
    began = time.monotonic()
    sources: list[frozenset[str]] = []
    for mine in found:
        if not any(dice(mine, source) >= 0.5 for source in sources):
            sources.append(mine)
    return time.monotonic() - began


def check_time(
    options: argparse.Namespace, pool: list[str], rates: list[Rates]
) -> Iterator[Verdict]:
    """Yields the time over pages, and draws it."""
    names = ("body trees, indexed", "the source's own form", *(name for name, _, _ in BASELINES))
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for count in (n for n in SIZES if n <= options.pages):
        times: dict[str, list[float]] = {name: [] for name in names}
        for topic in range(TOPICS if count <= MANY_TOPICS_SIZES else 1):
            path = FOLDER / f"stream-{count}.jsonl"
            write_stream(pool, rates, count, options.seed + topic, path)
            times[names[0]].append(seconds_of(options, path, "body-tree"))
            if count <= SOURCE_SIZES:
                times[names[1]].append(seconds_of(options, path, "body-tree-bloom"))
                for number in range(len(BASELINES)):
                    times[names[2 + number]].append(baseline_seconds(options, path, number))
            path.unlink()
        for name, taken in times.items():
            if taken:
                series[name].append((count, sum(taken) / len(taken)))
        shown = [f"{name} {series[name][-1][1]:.2f} s" for name in names if times[name]]
        yield figure(PART, f"time, {count:,} pages", "; ".join(shown))
    ours = series[names[0]]
    if len(ours) >= 2:
        tenth = max((p for p in ours if p[0] <= ours[-1][0] / 3), default=ours[0])
        ratio = (ours[-1][1] / ours[-1][0]) / (tenth[1] / tenth[0])
        microseconds = ours[-1][1] / ours[-1][0] * 1e6
        detail = f"{microseconds:.0f} us a page; {ratio:.2f} x that of {tenth[0]:,}"
        yield holds(PART, f"linear to {ours[-1][0]:,} pages", ratio <= SLOWER, detail)
    in_plot = {n: [p for p in points if p[0] <= SOURCE_SIZES] for n, points in series.items()}
    target = FOLDER / "time.svg"
    target.write_text(plot.lines("clusters of pages: time", "pages", "seconds", in_plot))
    yield figure(PART, "plot", str(target.relative_to(corpora.ROOT)))


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser("pages", help="clusters of pages by their body trees")
    add_inputs(parser)
    parser.add_argument("--seed", type=int, default=2013, help="of the pages that are made")
    parser.add_argument(
        "--draws", type=positive, default=5, help="how often pages are made, with other seeds"
    )
    parser.add_argument(
        "--pages", type=positive, default=SIZES[-1], help="largest stream whose time is measured"
    )
    add_forms(parser)


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of the command."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    data = options.data
    is_real = bool(data and corpora.has(data, "html_zh") and corpora.has(data, "truth_natdup_news"))
    rates = natural_rates(data) if is_real else list(USUAL_RATES)
    if not is_real:
        yield skipped(PART, "pages of html_zh", "they need --data; the checked-in novels are used")
    unchanged = sum(r.dropped + r.inserted + r.changed == 0 for r in rates)
    yield figure(PART, "seed", options.seed)
    yield figure(PART, "reposts whose rates are drawn / unchanged", f"{len(rates)} / {unchanged}")
    for name in ("dropped", "inserted", "changed", "edits_a_sentence"):
        of_rate = sorted(getattr(r, name) for r in rates)
        mean = sum(of_rate) / len(of_rate)
        what = "of a changed sentence" if name == "edits_a_sentence" else "of the sentences"
        detail = f"{what}; half have at most {of_rate[len(of_rate) // 2]:.4f}, nine in ten "
        detail += f"{of_rate[len(of_rate) * 9 // 10]:.4f}"
        yield figure(PART, f"mean rate: {name}", f"{mean:.4f}", detail)
    of = bodies(data)
    made = [make_pages(options, of, rates, options.seed + i) for i in range(options.draws)]
    yield from check_trees(options, made, is_real)
    yield from check_baselines(options, *made[0])
    news = [n for n in corpora.NEWS_CORPORA if data and corpora.has(data, n)]
    texts = [r["text"] for r in corpora.load(data, *news)] if news else [text for _, text in of]
    pool = sorted({s.strip() for text in texts for s in sentences(text)})
    yield from check_time(options, pool, rates)
