#!/usr/bin/env python3
"""Trains the model that tells the body of a web page from what is around it.

In     html_*.jsonl or .jsonl.zst below --data: {"id", "source", "gold_text", "html", "url"}; the
       program page_blocks of bench/, which computes what the model sees of a page
Out    src/document/html/body_weights.cc, with a digest of the list of training pages (--write);
       texts of pages from models that never saw their site (--nested FILE), a line {"id", "text"}
       each
Needs  numpy

Both stages are logistic regressions with an L2 penalty, fitted by Newton's method. The second stage
sees probabilities of the first; those come from models that were trained on other sites. For
--nested the sites of the test fold are left out of both: without that the figures are too high by
several points.

Usage  tools/train_body_model.py --data DIR --write
       tools/train_body_model.py --data DIR --nested nested.jsonl --division 2
"""

import argparse
import collections
import difflib
import hashlib
import html
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

import generated_table  # noqa: E402

TOOL, OUTPUT = "train_body_model.py", "src/document/html/body_weights.cc"
ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPORA = ("html_zh", "html_en", "html_modern")
FIRST, CONTEXT = 206, 25
FOLDS = 5
FIRST_C, SECOND_C = 0.05, 0.05
SITE_PAGES, LARGE_SITE_PAGES, LARGE_SITE = 10, 40, 200  # a site counts as at most so many pages

TOKEN = re.compile(
    r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
MARKUP = re.compile(r"</?(?:p|div|br|span|a|h[1-6]|li|ul|table|img)\b[^>]*>", re.I)


# --- pages ---

def read_rows(data):
    """The pages of all corpora."""
    rows = []
    for name in CORPORA:
        packed, plain = data / f"{name}.jsonl.zst", data / f"{name}.jsonl"
        if packed.exists():
            command = ["zstd", "-dcq", "--long=27", str(packed)]
            content = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        else:
            content = plain.read_bytes()
        rows += [json.loads(line) for line in content.split(b"\n") if line]
    return rows


def plain_gold(gold):
    """Some golds are fragments of HTML: their text."""
    if len(MARKUP.findall(gold or "")) < 3:
        return gold or ""
    gold = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", gold)
    return html.unescape(re.sub(r"<[^>]*>", " ", gold))


def tokens_of(text):
    return TOKEN.findall(text.lower())


SECOND_LEVEL = {"com", "net", "org", "gov", "edu", "ac", "co"}


def domain_of(host):
    """The part of a host that one owner has, nearly always."""
    parts = host.lower().split(":")[0].strip(".").split(".")
    keep = 3 if len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in SECOND_LEVEL else 2
    return ".".join(parts[-keep:])


def site_of(row):
    """What keeps the pages of one template together."""
    if row["source"] == "cctv":
        return "cctv"
    page, head = row["html"], row["html"][:300]
    for text, pattern in (
            (row.get("url") or "", r"https?://([^/\s\"'<>]+)"),
            (page, r"<link[^>]+rel=[\"']?canonical[^>]+href=[\"']?https?://([^/\s\"'<>]+)"),
            (page, r"og:url[\"'][^>]+content=[\"']https?://([^/\s\"'<>]+)"),
            (page, r"<base[^>]+href=[\"']?https?://([^/\s\"'<>]+)"),
            (head, r"https?://(?!www\.w3\.org)([^/\s\"'<>]+)")):
        found = re.search(pattern, text, re.I)
        if found:
            return domain_of(found.group(1))
    hosts = collections.Counter(map(domain_of, re.findall(
        r"(?:href|src)=[\"']?https?://([^/\s\"'<>]+)", page, re.I)))
    if hosts:
        return hosts.most_common(1)[0][0]
    names = collections.Counter(re.findall(r"class=[\"']?([\w-]+)", page))
    return "class:" + " ".join(sorted(name for name, _ in names.most_common(5))) if names \
        else "page:" + row["id"]


def folds_of(sites, division):
    """A fold for each site: the same for every page of it, about as many pages each."""
    counts = collections.Counter(sites)
    order = sorted(counts, key=lambda s: (-min(counts[s], SITE_PAGES), hashlib.sha256(
        f"{division} {s}".encode()).digest()))
    sizes, fold = [0] * FOLDS, {}
    for site in order:
        fold[site] = min(range(FOLDS), key=lambda k: (sizes[k], k))
        sizes[fold[site]] += min(counts[site], SITE_PAGES)
    return np.array([fold[s] for s in sites])


# --- labels: which blocks of a page are in its gold ---

def anchors(a, b, span, length):
    """Runs of `length` tokens that occur once in both stretches, in the order of both."""
    a0, a1, b0, b1 = span

    def once(t, begin, end):
        seen = {}
        for i in range(begin, end - length + 1):
            key = tuple(t[i:i + length])
            seen[key] = -1 if key in seen else i
        return seen

    in_b = once(b, b0, b1)
    pairs = []
    for key, i in once(a, a0, a1).items():
        j = in_b.get(key, -1)
        if i >= 0 and j >= 0:
            pairs.append((i, j))
    pairs.sort()
    return longest_ascent(pairs)


def longest_ascent(pairs):
    """The most pairs of which both numbers ascend."""
    tails, tail_at, before = [], [], []
    for at, (_, j) in enumerate(pairs):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if tails[middle] < j else (low, middle)
        before.append(tail_at[low - 1] if low else -1)
        tails[low:low + 1] = [j]
        tail_at[low:low + 1] = [at]
    chain, at = [], tail_at[-1] if tail_at else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def align(a, b):
    """Whether each token of `a` is aligned with one of `b`."""
    hit = bytearray(len(a))
    stack = [(0, len(a), 0, len(b), 8)]
    while stack:
        a0, a1, b0, b1, length = stack.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0] and length < 8:
            hit[a0], a0, b0 = 1, a0 + 1, b0 + 1
        if a0 >= a1 or b0 >= b1:
            continue
        if length == 1:
            if (a1 - a0) * (b1 - b0) <= 200000:
                matcher = difflib.SequenceMatcher(None, a[a0:a1], b[b0:b1], autojunk=False)
                for i, _, size in matcher.get_matching_blocks():
                    hit[a0 + i:a0 + i + size] = b"\1" * size
            continue
        ai, bi = a0, b0
        for i, j in anchors(a, b, (a0, a1, b0, b1), length):
            if i < ai or j < bi:
                continue
            stack.append((ai, i, bi, j, length // 2))
            while i < a1 and j < b1 and a[i] == b[j]:
                hit[i], i, j = 1, i + 1, j + 1
            ai, bi = i, j
        stack.append((ai, a1, bi, b1, length // 2))
    return hit


# --- what the model sees ---

class Page:
    """A page with its blocks: token counts, labels and weights."""

    def __init__(self, row, texts):
        self.row, self.source = row, row["source"]
        gold = tokens_of(plain_gold(row["gold_text"]))
        of_blocks = [tokens_of(t) for t in texts]
        self.counts = np.array([len(t) for t in of_blocks], np.float64)
        hit = align([t for block in of_blocks for t in block], gold)
        ends = np.cumsum([0] + [len(t) for t in of_blocks])
        hits = np.array([sum(hit[i:j]) for i, j in zip(ends, ends[1:])], np.float64)
        self.labels = (hits * 2 > self.counts).astype(np.float64)
        weights = np.minimum((self.counts + 0.5) / max(len(gold), 20), 3)
        self.weights = weights * min(1, 4 / max(weights.sum(), 1e-9))


class Blocks:
    """Runs page_blocks on a list of pages."""

    def __init__(self, program, rows, folder):
        self.program, self.folder = program, folder
        self.pages_file = os.path.join(folder, "pages")
        with open(self.pages_file, "wb") as out:
            for row in rows:
                page = row["html"].encode("utf-8", "replace")
                out.write(struct.pack("<I", len(page)) + page)

    def run(self, work, numbers=None):
        """The output of a kind of work, as bytes."""
        out = os.path.join(self.folder, "out")
        command = [self.program, work, self.pages_file]
        if numbers is not None:
            given = os.path.join(self.folder, "numbers")
            numbers.astype("<f4").tofile(given)
            command.append(given)
        subprocess.run([*command, out], check=True)
        return pathlib.Path(out).read_bytes()

    def features(self):
        """For each page the texts of its blocks; and all numbers of the first stage."""
        content, at, pages, numbers = self.run("features"), 0, [], []
        while at < len(content):
            count, at, texts = struct.unpack_from("<I", content, at)[0], at + 4, []
            for _ in range(count):
                size = struct.unpack_from("<I", content, at)[0]
                texts.append(content[at + 4:at + 4 + size].decode("utf-8", "replace"))
                at += 4 + size
                numbers.append(np.frombuffer(content, "<f4", FIRST, at))
                at += 4 * FIRST
            pages.append(texts)
        return pages, np.stack(numbers)

    def context(self, first):
        return np.frombuffer(self.run("context", first), "<f4").reshape(-1, CONTEXT)

    def choose(self, last):
        content, at, texts = self.run("choose", last), 0, []
        while at < len(content):
            size = struct.unpack_from("<I", content, at)[0]
            texts.append(content[at + 4:at + 4 + size].decode("utf-8", "replace"))
            at += 4 + size
        return texts


# --- regression ---

def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -40, 40)))


def fit(x, y, w, c):
    """Weights and bias for the numbers as they are."""
    mean = np.average(x, axis=0).astype(np.float64)
    sd = x.std(axis=0, dtype=np.float64)
    used = sd >= 1e-3
    z = np.ones((len(x), used.sum() + 1), np.float32)
    z[:, :-1] = (x[:, used] - mean[used]) / sd[used]
    w = w / w.mean()
    penalty = np.full(z.shape[1], 1 / c)
    penalty[-1] = 0

    def loss(beta):
        s = z @ beta.astype(np.float32)
        s = s.astype(np.float64)
        return (w * (np.logaddexp(0, s) - y * s)).sum() + 0.5 * (penalty * beta * beta).sum(), s

    beta = np.zeros(z.shape[1])
    value, s = loss(beta)
    for _ in range(30):
        p = sigmoid(s)
        gradient = z.T @ (w * (p - y)).astype(np.float32) + penalty * beta
        curved = z * np.sqrt(w * p * (1 - p)).astype(np.float32)[:, None]
        hessian = (curved.T @ curved).astype(np.float64) + np.diag(penalty + 1e-9)
        step = np.linalg.solve(hessian, gradient.astype(np.float64))
        size = 1.0
        while size > 1e-4:
            tried, s_tried = loss(beta - size * step)
            if tried < value:
                break
            size /= 2
        else:
            break
        gained = value - tried
        beta, value, s = beta - size * step, tried, s_tried
        if gained < 1e-6 * value:
            break
    weights = np.zeros(x.shape[1])
    weights[used] = beta[:-1] / sd[used]
    return weights, beta[-1] - (weights * mean).sum()


def predict(model, x):
    return sigmoid(x @ model[0].astype(np.float32) + model[1])


class Training:
    """All pages, ready to be fitted on any part of them."""

    def __init__(self, program, rows, folder, division):
        self.blocks = Blocks(program, rows, folder)
        texts, self.first = self.blocks.features()
        self.pages = [Page(row, t) for row, t in zip(rows, texts)]
        self.sites = [site_of(row) for row in rows]
        self.fold = folds_of(self.sites, division)
        counts = collections.Counter(self.sites)
        weights = []
        for page, site in zip(self.pages, self.sites):
            most = LARGE_SITE_PAGES if counts[site] >= LARGE_SITE else SITE_PAGES
            weights.append(page.weights * min(1, most / counts[site]))
        self.weights = np.sqrt(np.concatenate(weights))
        self.labels = np.concatenate([p.labels for p in self.pages])
        self.block_fold = np.repeat(self.fold, [len(p.labels) for p in self.pages])

    def fit(self, x, rows, c):
        return fit(x[rows], self.labels[rows], self.weights[rows], c)

    def first_apart(self, folds):
        """Probabilities of the first stage for the blocks of `folds`, each from a model of the
        other ones of them."""
        p = np.zeros(len(self.labels))
        for k in folds:
            others = np.isin(self.block_fold, [f for f in folds if f != k])
            at = self.block_fold == k
            p[at] = predict(self.fit(self.first, others, FIRST_C), self.first[at])
        return p

    def second(self, p):
        return np.hstack([self.first, self.blocks.context(p)])

    def nested(self):
        """Texts of all pages, from models that saw no page of their fold."""
        last = np.zeros(len(self.labels))
        for k in range(FOLDS):
            others, at = self.block_fold != k, self.block_fold == k
            p = self.first_apart([f for f in range(FOLDS) if f != k])
            p[at] = predict(self.fit(self.first, others, FIRST_C), self.first[at])
            x = self.second(p)
            last[at] = predict(self.fit(x, others, SECOND_C), x[at])
            print(f"fold {k + 1} of {FOLDS}: {self.fold.tolist().count(k)} pages",
                  file=sys.stderr, flush=True)
        return self.blocks.choose(last)

    def shipped(self):
        """Both stages, fitted on all pages."""
        every = np.ones(len(self.labels), bool)
        x = self.second(self.first_apart(range(FOLDS)))
        return self.fit(self.first, every, FIRST_C), self.fit(x, every, SECOND_C)


# --- output ---

BODY = '''#include "document/html/body_model.h"

namespace zhiwen {{
namespace {{

// clang-format off
constexpr BodyWeights kTrained = {{
    .first_bias = {first_bias},
    .first = {{{first}}},
    .second_bias = {second_bias},
    .second = {{{second}}},
    .context = {{{context}}},
    .training = "{training}"}};
// clang-format on

}}  // namespace

const BodyWeights& TrainedBodyWeights() {{ return kTrained; }}

}}  // namespace zhiwen
'''


def listed(numbers):
    words = [literal(n) for n in numbers]
    return "\n        " + ",\n        ".join(
        ", ".join(words[i:i + 6]) for i in range(0, len(words), 6))


def literal(number):
    text = f"{np.float32(number):.6g}"
    return (text if "." in text or "e" in text else text + ".0") + "F"


def write_weights(training):
    """Writes the table. The list of pages is their ids and the digests of what they are."""
    lines = sorted(f"{p.row['id']} " + hashlib.sha256(
        (p.row["html"] + "\0" + p.row["gold_text"]).encode("utf-8", "replace")).hexdigest()
        for p in training.pages)
    (first, first_bias), (second, second_bias) = training.shipped()
    body = BODY.format(
        first_bias=literal(first_bias), first=listed(first), second_bias=literal(second_bias),
        second=listed(second[:FIRST]), context=listed(second[FIRST:]),
        training=hashlib.sha256("\n".join(lines).encode()).hexdigest())
    text = generated_table.signed(TOOL, f"{len(lines)} labelled pages", body)
    generated_table.write_or_check(TOOL, OUTPUT, text, False)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of the corpora")
    parser.add_argument("--page-blocks", default=str(ROOT / "build/bench/bin/page_blocks"),
                        help="the program (build/bench/bin/page_blocks)")
    parser.add_argument("--division", type=int, default=1, help="which division into folds (1)")
    parser.add_argument("--write", action="store_true", help=f"write {OUTPUT}")
    parser.add_argument("--nested", type=pathlib.Path, help="write texts of all pages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        training = Training(options.page_blocks, read_rows(options.data), folder, options.division)
        if options.nested:
            with options.nested.open("w", encoding="utf-8") as out:
                for page, text in zip(training.pages, training.nested()):
                    out.write(json.dumps({"id": page.row["id"], "text": text},
                                         ensure_ascii=False) + "\n")
        if options.write:
            write_weights(training)


if __name__ == "__main__":
    main()
