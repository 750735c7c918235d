#!/usr/bin/env python3
"""Checks the direction of every #include (STYLE.md, "Dependency direction").

  tools/check_layers.py [ROOT]

- a module of src/ includes itself and modules to its left, by the path from src/;
- a room, a folder named in ROOMS, includes itself and rooms of its parent to its left;
- kernels: *_avx2.cc and *_avx512.cc include only kernels/kernels.h and <immintrin.h>;
- include/zhiwen/ includes the standard library, tl/expected.hpp and itself;
- a public header belongs to the module that implements it, and obeys the same direction;
- headers of a third-party library appear in one folder (fmt and xxhash are exempt);
- apps include public headers and their own only.
Tests include what their module may, and support/. Exit status 1 with one line per violation.
"""

import collections
import pathlib
import re
import sys

from source_files import ROOT, list_files

MODULES = "kernels base document text feature fingerprint index match cluster".split()
MODULES += ["store", "pipeline", "crawl", "service"]
RANK = {name: rank for rank, name in enumerate(MODULES)} | {"service": len(MODULES) - 2}

# The rooms of a folder, from left to right; "." stands for the files of the folder itself. A room
# that is not named here is a violation, so that every new folder gets its place.
ROOMS = {
    "src/document": ". html office foreign picture warc archive tree types".split(),
    "src/store": ". sqlite".split(),
    "src/pipeline": "records columnar reader . batches extract library run_report word check "
    "compare evidence evaluate dedup calibrate".split(),
    "src/pipeline/dedup": "rows input sketch decide write checkpoint audit report . "
    "forecast".split(),
    "src/base": "utf8 . compress files process json scratch".split(),
    "src/index": "thresholds bands joins references line_table durable hamming codes filter "
    "minhash postings vectors".split(),
    "apps/zhiwen": ["terminal", "command_line", "views", "commands", "."],
}

# The module that implements each public header; None: plain types that every module may use.
PUBLIC = {
    "result.h": None,
    "offsets.h": None,
    "reference_rule.h": None,
    "version.h": None,
    "simd.h": "kernels",
    "picture.h": "document",
    "environment.h": "base",
    "executor.h": "base",
    "figures.h": "base",
    "file_system.h": "base",
    "text_encoding.h": "base",
    "figures.h": "base",
    "user_file.h": "base",
    "body_tree.h": "document",
    "extract.h": "document",
    "source_places.h": "document",
    "channel.h": "text",
    "language.h": "text",
    "segmenter.h": "text",
    "display.h": "text",
    "inspect.h": "text",
    "sentences.h": "text",
    "text_window.h": "text",
    "terms.h": "feature",
    "term_snapshot.h": "feature",
    "phoneme_snapshot.h": "fingerprint",
    "fingerprint.h": "fingerprint",
    "metadata.h": "fingerprint",
    "scheme.h": "fingerprint",
    "scheme_files.h": "fingerprint",
    "code_index.h": "index",
    "durability.h": "index",
    "filter.h": "index",
    "compare.h": "match",
    "passages.h": "match",
    "exclusion_reason.h": "match",
    "exclusions.h": "match",
    "compare_all.h": "pipeline",
    "compare_page.h": "pipeline",
    "comparison_table.h": "pipeline",
    "fingerprint_similarity.h": "match",
    "shared_places.h": "match",
    "stored_document.h": "store",
    "calibration.h": "pipeline",
    "code_files.h": "pipeline",
    "code_reader.h": "pipeline",
    "dedup.h": "pipeline",
    "dedup_claims.h": "pipeline",
    "named_text.h": "pipeline",
    "dedup_findings.h": "pipeline",
    "dedup_forecast.h": "pipeline",
    "document_batches.h": "pipeline",
    "page_clusters.h": "pipeline",
    "document_clusters.h": "pipeline",
    "document_results.h": "pipeline",
    "documents.h": "pipeline",
    "evaluation.h": "pipeline",
    "evidence.h": "pipeline",
    "extract_files.h": "pipeline",
    "fingerprint_file.h": "pipeline",
    "json_forms.h": "pipeline",
    "library.h": "pipeline",
    "library_derive.h": "pipeline",
    "library_files.h": "pipeline",
    "library_query.h": "pipeline",
    "library_verify.h": "pipeline",
    "check.h": "pipeline",
    "check_files.h": "pipeline",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"^[a-z_0-9]+$")
SYSTEM = re.compile(
    r"^(sys/|linux/|(unistd|fcntl|errno|signal|pthread|dirent|termios|poll|time|stdlib|string|"
    r"stdio|stdint|stddef|limits|immintrin|cpuid|malloc|execinfo|langinfo|locale)\.h$)"
)
EXEMPT_LIBRARIES = {"fmt", "xxhash"}
TEST_LIBRARIES = {"gtest", "gmock", "benchmark"}
EVERYWHERE = {"tl/expected.hpp"}


def includes_of(path):
    """Yields (line number, '<' or '"', name)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found.group(1), found.group(2)


def library_of(name):
    return name.split("/")[0].removesuffix(".h").removesuffix(".hpp").lower()


def is_test(path):
    return bool(re.search(r"_(test|test_support|benchmark)\.(cc|h)$", path))


def problem_in_public(name):
    if STANDARD.match(name) or name in EVERYWHERE or name.startswith("zhiwen/"):
        return None
    return "public headers include the standard library, tl/expected.hpp and zhiwen/ only"


def problem_in_module(module, path, name):
    """The rule for a project header or a kernel, or None."""
    level = re.search(r"_avx(2|512)\.cc$", path)
    if module == "kernels" and level:
        if name not in ("kernels/kernels.h", "immintrin.h"):
            return "a file of one instruction set includes kernels/kernels.h and <immintrin.h> only"
        return None
    first, _, rest = name.partition("/")
    if first == "zhiwen":
        if rest not in PUBLIC:
            return f"tools/check_layers.py does not know whose header {name} is: add it to PUBLIC"
        owner = PUBLIC[rest]
    elif first in RANK and rest:
        owner = first
    elif first == "support" and not is_test(path):
        return "only tests include support/"
    else:
        return None
    if owner is not None and RANK[owner] > RANK[module]:
        return f"{module} is to the left of {owner}"
    return None


def room_of(folder, path):
    """The room of `folder` that `path`, a path below it, lies in."""
    first, _, rest = path.removeprefix(folder + "/").partition("/")
    return first if rest else "."


def include_root(path):
    """The folder that the includes of `path` are relative to: src, or the folder of an app."""
    return "src" if path.startswith("src/") else "/".join(path.split("/")[:2])


def problem_in_rooms(path, name):
    """The rule for rooms, at every level that `path` and the included file share, or None."""
    included = f"{include_root(path)}/{name}"
    for folder, rooms in ROOMS.items():
        if not path.startswith(folder + "/"):
            continue
        here = room_of(folder, path)
        if here not in rooms:
            return f"{folder}/{here} has no place among the rooms of {folder}: add it to ROOMS"
        if not included.startswith(folder + "/"):
            continue
        there = room_of(folder, included)
        if there in rooms and rooms.index(there) > rooms.index(here):
            return f"in {folder}, room {here} is to the left of room {there}"
    return None


def problem_of(root, path, quote, name):
    """What is wrong with one include, or None."""
    parts = path.split("/")
    if parts[0] == "include":
        return problem_in_public(name)
    if parts[0] == "src":
        if parts[1] not in RANK:
            return f"src/{parts[1]} is no module: see STYLE.md"
        if quote == '"' and ((root / path).parent / name).exists():
            return "project headers are included by their path from src/ or include/"
        if problem := problem_in_module(parts[1], path, name):
            return problem
    if parts[0] == "apps" and name.partition("/")[0] in RANK and not is_test(path):
        return "apps include public headers only"
    return None if is_test(path) or quote == "<" else problem_in_rooms(path, name)


def third_party(root, path, name):
    """The library an include belongs to, when it is one that must stay in one folder."""
    first = name.split("/")[0]
    if STANDARD.match(name) or SYSTEM.match(name) or name in EVERYWHERE:
        return None
    if (root / include_root(path) / name).exists():
        return None
    library = library_of(name)
    if first in RANK or first in ("zhiwen", "support") or library in EXEMPT_LIBRARIES:
        return None
    if library in TEST_LIBRARIES and (is_test(path) or path.startswith(("tests/", "fuzz/"))):
        return None
    return library


def check(root):
    """Returns the violations, one line each."""
    problems, folders = [], collections.defaultdict(dict)
    for path in list_files(root):
        if not path.startswith(("include/", "src/", "apps/")) or not path.endswith((".h", ".cc")):
            continue
        for number, quote, name in includes_of(root / path):
            if problem := problem_of(root, path, quote, name):
                problems.append(f"{path}:{number}: includes {name}: {problem}")
            library = third_party(root, path, name)
            if library and not is_test(path):
                folder = str(pathlib.PurePath(path).parent)
                folders[library].setdefault(folder, f"{path}:{number}")
    for library, places in sorted(folders.items()):
        if len(places) > 1:
            where = ", ".join(sorted(places.values()))
            problems.append(f"{where}: headers of {library} belong in one folder")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    problems = check(root)
    print("\n".join(problems) if problems else "layers: every include points to the left")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
