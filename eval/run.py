#!/usr/bin/env python3
"""How right: zhiwen's removals against independent truth. Prints each check with its target; exit
1 when one fails, or when none was made.

examples:
  python eval/run.py dedup --zhiwen build/release/bin/zhiwen
  python eval/run.py dedup --zhiwen build/release/bin/zhiwen --data ../shared/data
  python eval/run.py dedup --data ../shared/data --only news,disguises --json
  python eval/run.py channels --data ../shared/data --markdown
  python eval/run.py segment --data ../shared/data --bytes 4000000
  python eval/run.py terms --data ../shared/data --markdown
  python eval/run.py reproductions --data ../shared/data --markdown
  python eval/run.py phonemes --data ../shared/data --markdown
  python eval/run.py schemes --data ../shared/data --markdown
  python eval/run.py initials_dna --data ../shared/data --pairs 200 --markdown
  python eval/run.py streams --data ../shared/data
  python eval/run.py extract --data ../shared/data --divisions 3 --peers
  python eval/run.py pages --data ../shared/data
  python eval/run.py office --data ../shared/data
  python eval/run.py hostile
  python eval/run.py crawl --data ../shared/data
  python eval/run.py pictures --data ../shared/data
  python eval/run.py copy --data ../shared/data --part spliced,library --seed 7
  python eval/run.py encodings --data ../shared/data
Without --data the checked-in texts and seeded generators are used. Everything lies under
build/eval.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import channels  # noqa: E402
import contained  # noqa: E402
import copied_passages  # noqa: E402
import corpora  # noqa: E402
import crawl  # noqa: E402
import demo  # noqa: E402
import disguises  # noqa: E402
import editions  # noqa: E402
import encoded_texts  # noqa: E402
import english  # noqa: E402
import extract  # noqa: E402
import hostile  # noqa: E402
import initials_dna  # noqa: E402
import news  # noqa: E402
import office  # noqa: E402
import operators  # noqa: E402
import pages  # noqa: E402
import phonemes  # noqa: E402
import pictures  # noqa: E402
import reproductions  # noqa: E402
import schemes  # noqa: E402
import segment  # noqa: E402
import streams  # noqa: E402
import terms  # noqa: E402
import verdicts  # noqa: E402
from program import Program, ProgramFailed, add_forms, add_inputs  # noqa: E402

PARTS = ("demo", "news", "editions", "english", "disguises", "contained", "operators")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    dedup = commands.add_parser(
        "dedup", help="residual duplicates, wrong removals, disguises, invariance"
    )
    add_inputs(dedup)
    dedup.add_argument(
        "--scorer", type=Path, help="dedup_score.py (default: beside the data folder, if there)"
    )
    dedup.add_argument(
        "--only", default=",".join(PARTS), help="comma-separated parts: " + ", ".join(PARTS)
    )
    add_forms(dedup)
    channels.add_arguments(
        commands.add_parser("channels", help="what channels find again, and what they make equal")
    )
    segment.add_arguments(commands)
    terms.add_arguments(commands)
    reproductions.add_arguments(commands)
    phonemes.add_arguments(commands)
    schemes.add_arguments(commands)
    initials_dna.add_arguments(commands)
    extract.add_arguments(commands)
    pages.add_arguments(commands)
    office.add_arguments(commands)
    hostile.add_arguments(commands)
    crawl.add_arguments(commands)
    pictures.add_arguments(commands)
    copied_passages.add_arguments(commands)
    encoded_texts.add_arguments(commands)
    streams.add_arguments(
        commands.add_parser("streams", help="clusters of streams beside their definition")
    )
    return parser.parse_args()


def parts(
    options: argparse.Namespace, program: Program, wanted: set[str]
) -> Iterator[verdicts.Verdict]:
    """Yields the verdicts of the wanted parts."""
    data: Path | None = options.data
    if "demo" in wanted:
        yield from demo.check(program)
    for part in ("news", "editions", "english"):
        if part not in wanted:
            continue
        if data is None:
            yield verdicts.skipped(part, "all checks", "they need --data")
        elif part == "news":
            yield from news.check(program, data, options.scorer)
        elif part == "editions":
            yield from editions.check(program, data)
        else:
            yield from english.check(program, data)
    if "disguises" in wanted:
        yield from disguises.check_generated(program, demo.originals(), "testdata")
        if data and corpora.has(data, "whole_doc_attacks"):
            yield from disguises.check_generated(
                program, disguises.dev_originals(data), "the dev originals"
            )
            yield from disguises.check_dev(program, data)
    if "operators" in wanted:
        yield from operators.check(program, demo.originals(), data)
    if "contained" in wanted:
        yield from contained.check(program, demo.originals(), "testdata")
        if data and corpora.has(data, "whole_doc_attacks"):
            yield from contained.check(program, disguises.dev_originals(data), "the dev originals")


def judged(
    options: argparse.Namespace,
    wanted: set[str],
    tables: channels.Findings,
    rows: list[str],
    evaluated: schemes.Table,
    settings: initials_dna.Found,
) -> Iterator[verdicts.Verdict]:
    """Yields the verdicts of the command."""
    if options.command == "dedup":
        yield from parts(options, Program(options.zhiwen), wanted)
    elif options.command == "channels":
        yield from channels.check(options, tables)
    elif options.command == "terms":
        yield from terms.check(options, rows)
    elif options.command == "reproductions":
        yield from reproductions.check(options, rows)
    elif options.command == "phonemes":
        yield from phonemes.check(options, rows)
    elif options.command == "schemes":
        yield from schemes.check(options, evaluated)
    elif options.command == "initials_dna":
        yield from initials_dna.check(options, settings)
    elif options.command == "streams":
        yield from streams.check(options)
    elif options.command == "extract":
        yield from extract.check(options, rows)
    elif options.command == "pages":
        yield from pages.check(options)
    elif options.command == "office":
        yield from office.check(options)
    elif options.command == "crawl":
        yield from crawl.check(options, rows)
    elif options.command == "hostile":
        yield from hostile.check(options, rows)
    elif options.command == "pictures":
        yield from pictures.check(options)
    elif options.command == "copy":
        yield from copied_passages.check(options, rows)
    elif options.command == "encodings":
        yield from encoded_texts.check(options)
    else:
        yield from segment.check(options)


def main() -> int:
    options = arguments()
    wanted = {p for p in options.only.split(",") if p} if options.command == "dedup" else set()
    unknown = sorted(wanted - set(PARTS))
    if unknown:
        known = ", ".join(PARTS)
        print(f"eval: unknown part {', '.join(unknown)}; known: {known}", file=sys.stderr)
        return 2
    if not options.zhiwen.exists() or (options.data and not options.data.is_dir()):
        missing = options.zhiwen if not options.zhiwen.exists() else options.data
        print(
            f"eval: {missing} does not exist; build first, or name it with --zhiwen / --data",
            file=sys.stderr,
        )
        return 4
    if not shutil.which("zstd"):
        print("eval: the zstd program is needed (apt-get install zstd)", file=sys.stderr)
        return 7
    found: list[verdicts.Verdict] = []
    tables = channels.Findings()
    rows: list[str] = []
    evaluated = schemes.Table()
    settings: initials_dna.Found = {}
    try:
        for verdict in judged(options, wanted, tables, rows, evaluated, settings):
            found.append(verdict)
            if verdict.passed is False:
                corpora.say(
                    f"  FAIL {verdict.part}: {verdict.name}: {verdict.value} {verdict.detail}"
                )
    except (ProgramFailed, FileNotFoundError) as error:
        print(f"eval: {error}", file=sys.stderr)
        print(verdicts.table(found), file=sys.stderr)
        return 1
    if options.json:
        more = {"tables": asdict(tables)} if options.command == "channels" else {"tables": rows}
        if options.command == "schemes":
            more = {"command": evaluated.command, "found": evaluated.found}
        elif options.command == "initials_dna":
            more = {"settings": initials_dna.as_json(settings)}
        print(json.dumps(verdicts.as_json(found) | more, ensure_ascii=False, indent=1))
    elif options.command == "channels" and options.markdown:
        print(channels.markdown(tables))
        corpora.say(verdicts.table(found))
    elif options.command in ("terms", "phonemes") and options.markdown:
        print("\n".join(rows))
        corpora.say(verdicts.table(found))
    elif options.command == "initials_dna" and options.markdown:
        print(initials_dna.table(settings))
        corpora.say(verdicts.table(found))
    elif options.command == "reproductions":
        print("\n".join(rows) + "\n")
        print(verdicts.table(found), file=sys.stderr if options.markdown else sys.stdout)
    elif options.command == "schemes":
        print(schemes.markdown(evaluated))
        print("\n" + verdicts.table(found), file=sys.stderr if options.markdown else sys.stdout)
    else:
        print("\n\n".join([*rows, verdicts.table(found)]))
    if all(v.passed is None for v in found):
        print("eval: nothing was checked", file=sys.stderr)
        return 1
    return 1 if any(v.passed is False for v in found) else 0


if __name__ == "__main__":
    sys.exit(main())
