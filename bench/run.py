#!/usr/bin/env python3
"""How fast: zhiwen alone, zhiwen beside its peers, and the benchmark programs. A speed without the
recall that was reached is not printed.

examples:
  python bench/run.py peers --zhiwen build/release/bin/zhiwen --data ../shared/data
  python bench/run.py peers --zhiwen build/release/bin/zhiwen --peers gaoya,rensa_raw
  python bench/run.py macro --zhiwen build/release/bin/zhiwen
  python bench/run.py micro --bin-dir build/bench/bin
  python bench/run.py channels --zhiwen build/release/bin/zhiwen --data ../shared/data
  python bench/run.py schemes --zhiwen build/release/bin/zhiwen --data ../shared/data
  python bench/run.py scale --zhiwen build/release/bin/zhiwen --sizes 1 10 --memory 256M 1G
  python bench/run.py plan --zhiwen build/release/bin/zhiwen --sizes 1 4 --memory 256M 8G
  python bench/run.py segment --zhiwen build/release/bin/zhiwen --data ../shared/data
  python bench/run.py phonemes --zhiwen build/release/bin/zhiwen --data ../shared/data
  python bench/run.py phonemes --search --data ../shared/data
  python bench/run.py hamming --codes 100000000
  python bench/run.py hamming --curve 1000000 10000000 100000000 --plot hamming.svg
  python bench/run.py hamming --report hamming.html --curve 1000000 10000000 100000000 500000000
  python bench/run.py lines --bytes 1000000000
  python bench/run.py postings --documents 100000
  python bench/run.py library --documents 10000 100000
  python bench/run.py library --attacks --data ../shared/data
  python bench/run.py library --granules --data ../shared/data
  python bench/run.py library --minutes 60
  python bench/run.py library --existence --documents 10000 100000
  python bench/run.py truth --data ../shared/data
Without --data a generated corpus is used (bench/generate_corpus.py). Everything lies under
build/bench-corpora and build/venv-peers.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import channel_speed  # noqa: E402
import hamming  # noqa: E402
import library  # noqa: E402
import macro  # noqa: E402
import micro  # noqa: E402
import peers  # noqa: E402
import phoneme_cost  # noqa: E402
import plan  # noqa: E402
import postings  # noqa: E402
import scale  # noqa: E402
import scheme_speed  # noqa: E402
import segmenters  # noqa: E402
import truth_check  # noqa: E402


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    corpus = argparse.ArgumentParser(add_help=False)
    corpus.add_argument(
        "--data", type=Path, help="folder with the dev corpora (*.jsonl or *.jsonl.zst)"
    )
    corpus.add_argument(
        "--documents", type=int, default=20000, help="size of the generated corpus (20000)"
    )
    corpus.add_argument("--json", action="store_true", help="one JSON object instead of the tables")
    program = argparse.ArgumentParser(add_help=False)
    program.add_argument(
        "--zhiwen",
        type=Path,
        default=Path("build/release/bin/zhiwen"),
        help="the program to measure",
    )
    programs = argparse.ArgumentParser(add_help=False)
    programs.add_argument(
        "--bin-dir",
        type=Path,
        default=Path("build/bench/bin"),
        help="folder with *_benchmark programs",
    )
    tool = argparse.ArgumentParser(add_help=False, parents=[program])
    tool.add_argument(
        "--runs", type=int, default=5, help="runs of each row; the median is printed (5)"
    )

    beside = commands.add_parser(
        "peers", parents=[corpus, tool], help="zhiwen and its peers, alternating"
    )
    beside.add_argument(
        "--peers", default="", help="comma-separated; default all: " + ", ".join(peers.names())
    )
    beside.add_argument(
        "--slow-one-in",
        type=int,
        default=12,
        help="slow peers read one document in N, near-duplicates kept together (12)",
    )
    beside.add_argument("--no-zhiwen", action="store_true", help="measure the peers alone")
    commands.add_parser(
        "macro", parents=[corpus, tool], help="zhiwen alone: threads and instruction sets"
    )
    large = commands.add_parser(
        "scale", parents=[corpus, program], help="growing corpora in bounded memory"
    )
    large.add_argument(
        "--sizes", type=float, nargs="+", default=[0.25, 0.5, 1], help="GiB of text (0.25 0.5 1)"
    )
    large.add_argument(
        "--memory", nargs="+", default=["256M", "8G"], help="bounds to run with (256M 8G)"
    )
    large.add_argument(
        "--short-documents",
        type=int,
        nargs="+",
        help="so many short synthetic documents, instead of --sizes",
    )
    large.add_argument("--threads", type=int, default=0, help="of zhiwen (all processors)")
    large.add_argument("--plot", type=Path, help="write an SVG of time by size to this file")
    large.add_argument("--keep", action="store_true", help="keep the corpora that were made")
    before = commands.add_parser(
        "plan", parents=[corpus, program], help="what dedup --plan says beside what the run needs"
    )
    before.add_argument(
        "--sizes", type=float, nargs="*", default=[0.5, 1], help="GiB of text (0.5 1)"
    )
    before.add_argument(
        "--memory", nargs="+", default=["256M", "8G"], help="bounds to plan with (256M 8G)"
    )
    before.add_argument("--stages", action="store_true", help="the time of each stage too")
    words = commands.add_parser(
        "segment", parents=[corpus, tool], help="zhiwen segment, jieba and rjieba"
    )
    words.add_argument("--bytes", type=int, default=8_000_000, help="of text (8000000)")
    words.add_argument(
        "--peer-python", help="a Python that has rjieba (that of build/venv-peers, made if need be)"
    )
    sounds = commands.add_parser(
        "phonemes",
        parents=[corpus, tool, programs],
        help="the models of phonemes beside keywords",
    )
    sounds.add_argument(
        "--peer-python", help="a Python that has jieba (that of build/venv-peers, made if need be)"
    )
    sounds.add_argument(
        "--search",
        action="store_true",
        help="instead: the models beside SimHash of sounds, in libraries of 10^4 and 10^5 texts",
    )
    small = commands.add_parser(
        "micro", parents=[programs], help="the Google Benchmark programs"
    )
    small.add_argument("--filter", default="", help="regular expression for --benchmark_filter")
    small.add_argument("--json", action="store_true", help="one JSON object instead of the tables")
    for name, what in (
        ("channels", "MB/s of every channel beside a copy in memory"),
        ("schemes", "MB/s of every scheme"),
    ):
        speed = commands.add_parser(name, parents=[corpus, program, programs], help=what)
        speed.add_argument(
            "--seconds", type=float, default=0.2, help="of each measurement (0.2)"
        )
    figures = argparse.ArgumentParser(add_help=False, parents=[programs])
    figures.add_argument("--rounds", type=int, default=5, help="the median is printed (5)")
    figures.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    codes = commands.add_parser(
        "hamming", parents=[figures], help="codes within a Hamming distance, beside faiss"
    )
    codes.add_argument("--codes", type=int, default=10_000_000, help="of 64 bits (10000000)")
    codes.add_argument("--no-peers", action="store_true", help="zhiwen alone")
    codes.add_argument(
        "--tables", type=int, default=24, metavar="POWER",
        help="the literature's tables hold up to 2^POWER codes, 16 bytes each (24)",
    )
    codes.add_argument(
        "--curve", type=int, nargs="+", metavar="N", help="what it costs at these sizes instead"
    )
    codes.add_argument("--plot", type=Path, help="an SVG of the curve")
    codes.add_argument(
        "--report", type=Path, help="a page of HTML: everything, with curves, in one run"
    )
    codes.add_argument(
        "--peer-python", help="a Python that has faiss (that of build/venv-peers, made if need be)"
    )
    lines = commands.add_parser(
        "lines", parents=[figures], help="the time of a random cache line, which hamming counts by"
    )
    lines.add_argument("--bytes", type=int, default=1 << 30, help="of memory (1 GiB)")
    of_library = commands.add_parser(
        "library", parents=[program, programs], help="a library of made-up texts"
    )
    of_library.add_argument(
        "--json", action="store_true", help="one JSON object instead of the table"
    )
    of_library.add_argument(
        "--documents", type=int, nargs="+", default=[10_000], help="in the library (10000)"
    )
    of_library.add_argument("--profile", default="news", help="of the library (news)")
    of_library.add_argument(
        "--peers", action="store_true", help="also datasketch with Redis, and SQLite's FTS5"
    )
    of_library.add_argument(
        "--attacks", action="store_true", help="instead: disguised copies of the news of --data"
    )
    of_library.add_argument(
        "--existence",
        action="store_true",
        help="instead: is there a document with this value? asked of the library, and of filters",
    )
    of_library.add_argument(
        "--granules",
        action="store_true",
        help="instead: radius, passages and overlap of initials_dna, on such copies",
    )
    of_library.add_argument(
        "--data", type=Path, help="with --attacks, --granules: folder with the dev corpora"
    )
    of_library.add_argument(
        "--minutes", type=float, help="instead: memory while documents are added and checked"
    )
    of_library.add_argument(
        "--profiles", nargs="+", default=["news", "novel"],
        help="with --attacks (news novel); news+granules: after derive --scheme initials_dna"
    )
    shared = commands.add_parser(
        "postings", parents=[programs], help="documents that share features, beside SQLite's FTS5"
    )
    shared.add_argument("--rounds", type=int, default=5, help="of zhiwen's queries, twice (5)")
    shared.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    shared.add_argument(
        "--documents",
        type=int,
        nargs="+",
        default=[1_000_000],
        help="made up (1000000); 100000 take FTS5 two minutes, before it is asked",
    )
    shared.add_argument("--data", type=Path, help="folder with the dev corpora, instead of those")
    shared.add_argument("--queries", type=int, default=1000, help="of zhiwen (1000)")
    shared.add_argument("--fts5-queries", type=int, default=100, help="of these, of FTS5 (100)")
    shared.add_argument(
        "--ranked-documents",
        type=int,
        default=100_000,
        help="FTS5 is asked for its own ranking, from a table of its own, up to so many (100000)",
    )
    shared.add_argument("--no-peers", action="store_true", help="zhiwen alone")
    check = commands.add_parser(
        "truth", parents=[corpus], help="compare bench/truth.py with truth_natdup_news"
    )
    check.set_defaults(needs_data=True)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if not shutil.which("zstd"):
        print("bench: the zstd program is needed (apt-get install zstd)", file=sys.stderr)
        return 7
    if getattr(options, "needs_data", False) and options.data is None:
        print("bench: truth needs --data", file=sys.stderr)
        return 2
    modules: dict[str, Any] = {
        "peers": peers,
        "channels": channel_speed,
        "hamming": hamming,
        "macro": macro,
        "library": library,
        "micro": micro,
        "phonemes": phoneme_cost,
        "plan": plan,
        "postings": postings,
        "scale": scale,
        "schemes": scheme_speed,
        "segment": segmenters,
        "truth": truth_check,
    }
    if options.command == "lines":
        return _show(options, *hamming.run_lines(options), hamming.table_of_lines)
    module = modules[options.command]
    binary = getattr(options, "zhiwen", None)
    if binary is not None and not getattr(options, "no_zhiwen", False) and not binary.exists():
        print(
            f"bench: {binary} does not exist; build it first or name it with --zhiwen",
            file=sys.stderr,
        )
        return 4
    return _show(options, *module.run(options), module.table)


def _show(
    options: argparse.Namespace, result: Any, status: int, table: Callable[[Any], str]
) -> int:
    print(json.dumps(result, ensure_ascii=False, indent=1) if options.json else table(result))
    return status


if __name__ == "__main__":
    sys.exit(main())
