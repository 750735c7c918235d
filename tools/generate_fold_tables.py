#!/usr/bin/env python3
"""Generates src/text/fold_tables.cc: the tables of the channels folded.v1 and exact.v1.

In     Debian's unicode-data 15.0.0 (/usr/share/unicode) and libopencc-data 1.1.6
       (TSCharacters.ocd2, dumped with opencc_dict of the package opencc)
Out    the table file; the same bytes on every machine
Fails  an input of another version; a result that is not stable under NFKC or under itself

Usage  tools/generate_fold_tables.py            writes the file
       tools/generate_fold_tables.py --check    exits 1 when a regeneration differs from the file

The definition of the tables is docs/formats/channels.md; the layout is src/text/fold_tables.h.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile

import generated_table

UNICODE_VERSION = "15.0.0"
OPENCC_VERSION = "1.1.6"
SOURCES = f"Unicode {UNICODE_VERSION} and OpenCC {OPENCC_VERSION}"
UNICODE_DIR = "/usr/share/unicode"
OPENCC_DIR = "/usr/share/opencc"
OPENCC_SHA256 = {
    "TSCharacters": "85291e0173e972bbca58c848fb90b3bb41c79674cb61a75645e01bd884ad5927",
    "STCharacters": "4c7398b4ceedf9b58b5ea77cdd911bc7807c50c7491111dc9b4073c68ad5a2bb",
    "TWVariants": "390f07a1867ad56aa60a7af23b6e4b3acc96ea48d893c06ede3dffb1c576c2bc",
    "HKVariants": "62750cb79eef18a407030b05bd4abe0e102bec2254d04b2d2310792f44519321",
    "JPVariants": "e7f9daaa4bee07cbc70a3e186bdb42f2f4fb300df895a1cfd472c4fde0d52831",
    "JPShinjitaiCharacters": "970d1ff54460ed4ef3c0e7dab7cd176c917ded0aaeef4299e77de32d94995914",
}
TOOL, OUTPUT = "generate_fold_tables.py", "src/text/fold_tables.cc"

LIMIT = 0x110000
FOLD_BLOCK = 64
NFC_BLOCK = 64

# The order is that of FoldClass in fold_tables.h.
CLASSES = ["dropped", "transparent", "mark", "han", "kana", "hangul", "sea", "symbol", "run",
           "digit", "point", "expansion"]
CLASS = {name: number for number, name in enumerate(CLASSES)}
# The order is that of GraphemeBreak in fold_tables.h.
BREAKS = ["Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend",
          "SpacingMark", "L", "V", "T", "LV", "LVT", "Extended_Pictographic"]
COMPATIBILITY_BIT = 1 << 29
SCRIPT_BIT = 1 << 30
DELTA_MASK = (1 << 21) - 1


def fail(message):
    sys.exit(f"generate_fold_tables: {message}")


def read_lines(name):
    path = os.path.join(UNICODE_DIR, name)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield line


def check_version(name):
    head = next(read_lines(name))
    if UNICODE_VERSION not in head and not head.startswith("# emoji-data"):
        fail(f"{name} is not of Unicode {UNICODE_VERSION}: {head.strip()}")


def read_property(name):
    """Yields (code point, [fields]) of a file in the format of the Unicode character database."""
    check_version(name)
    for line in read_lines(name):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        fields = [field.strip() for field in line.split(";")]
        first, _, last = fields[0].partition("..")
        for code_point in range(int(first, 16), int(last or first, 16) + 1):
            yield code_point, fields[1:]


class Unicode:
    """The properties that the channels use, indexed by code point."""

    def __init__(self):
        self.category = ["Cn"] * LIMIT
        self.combining_class = [0] * LIMIT
        self.decomposition = {}  # canonical and compatibility: (is_canonical, [code points])
        self.read_unicode_data()
        excluded = {c for c, f in read_property("DerivedNormalizationProps.txt")
                    if f[0] == "Full_Composition_Exclusion"}
        self.nfc_not_yes = {c for c, f in read_property("DerivedNormalizationProps.txt")
                            if f[0] == "NFC_QC"}
        self.nfkc_not_yes = {c for c, f in read_property("DerivedNormalizationProps.txt")
                             if f[0] == "NFKC_QC"}
        self.composition = {tuple(d): c for c, (canonical, d) in self.decomposition.items()
                            if canonical and len(d) == 2 and c not in excluded}
        self.case_folding = {}
        for code_point, fields in read_property("CaseFolding.txt"):
            if fields[0] in "CF":
                self.case_folding[code_point] = [int(x, 16) for x in fields[1].split()]
        self.ignorable = {c for c, f in read_property("DerivedCoreProperties.txt")
                          if f[0] == "Default_Ignorable_Code_Point"}
        self.white_space = {c for c, f in read_property("PropList.txt") if f[0] == "White_Space"}
        self.script = ["Zzzz"] * LIMIT
        for code_point, fields in read_property("Scripts.txt"):
            self.script[code_point] = fields[0]
        self.extensions = {c: set(f[0].split()) for c, f in read_property("ScriptExtensions.txt")}
        self.grapheme_break = ["Other"] * LIMIT
        for code_point, fields in read_property("auxiliary/GraphemeBreakProperty.txt"):
            self.grapheme_break[code_point] = fields[0]
        for code_point, fields in read_property("emoji/emoji-data.txt"):
            if fields[0] == "Extended_Pictographic":
                if self.grapheme_break[code_point] != "Other":
                    fail(f"U+{code_point:04X} is pictographic and not Other")
                self.grapheme_break[code_point] = "Extended_Pictographic"

    def read_unicode_data(self):
        first = None
        for line in read_lines("UnicodeData.txt"):
            fields = line.split(";")
            code_point = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = code_point
                continue
            for c in range(first if first is not None else code_point, code_point + 1):
                self.category[c] = fields[2]
                self.combining_class[c] = int(fields[3])
            first = None
            if fields[5]:
                canonical = not fields[5].startswith("<")
                mapping = re.sub(r"<\w+>", "", fields[5]).split()
                self.decomposition[code_point] = (canonical, [int(x, 16) for x in mapping])

    def decompose(self, code_point, out):
        """Appends the full compatibility decomposition."""
        if 0xAC00 <= code_point < 0xAC00 + 11172:
            index = code_point - 0xAC00
            out += [0x1100 + index // 588, 0x1161 + index % 588 // 28]
            out += [0x11A7 + index % 28] if index % 28 else []
        elif code_point in self.decomposition:
            for part in self.decomposition[code_point][1]:
                self.decompose(part, out)
        else:
            out.append(code_point)

    def compose_pair(self, a, b):
        if 0x1100 <= a < 0x1113 and 0x1161 <= b < 0x1176:
            return 0xAC00 + ((a - 0x1100) * 21 + b - 0x1161) * 28
        if 0xAC00 <= a < 0xAC00 + 11172 and (a - 0xAC00) % 28 == 0 and 0x11A7 < b < 0x11C3:
            return a + b - 0x11A7
        return self.composition.get((a, b))

    def nfkc(self, text):
        """UAX #15: decompose, order, compose."""
        parts = []
        for code_point in text:
            self.decompose(code_point, parts)
        ccc = self.combining_class
        start = 0
        while start < len(parts):
            end = start + 1
            if ccc[parts[start]]:
                while end < len(parts) and ccc[parts[end]]:
                    end += 1
                parts[start:end] = sorted(parts[start:end], key=lambda c: ccc[c])
            start = end
        out, starter, last_class = [], -1, 0
        for code_point in parts:
            this_class = ccc[code_point]
            adjacent = starter >= 0 and starter == len(out) - 1
            if starter >= 0 and (adjacent or last_class < this_class):
                composite = self.compose_pair(out[starter], code_point)
                if composite is not None:
                    out[starter] = composite
                    continue
            if this_class == 0:
                starter = len(out)
            last_class = this_class
            out.append(code_point)
        return out

    def fold(self, text):
        return [f for c in text for f in self.case_folding.get(c, [c])]

    def scripts_of(self, code_point):
        names = {"Han": "Hani", "Hiragana": "Hira", "Katakana": "Kana"}
        script = self.script[code_point]
        return self.extensions.get(code_point, {names.get(script, script)})


def classify(unicode, code_point):
    """The class of a mapped code point: docs/formats/channels.md, "Classes"."""
    category = unicode.category[code_point]
    if code_point in unicode.ignorable or category == "Cf":
        return "transparent"
    if category[0] in "PZ" or category in ("Cc", "Cs") or code_point in unicode.white_space:
        return "point" if code_point in (0x2E, 0x2C) else "dropped"
    south_east = unicode.script[code_point] in ("Thai", "Lao", "Khmer", "Myanmar")
    if category[0] == "M":
        alone = unicode.grapheme_break[code_point] == "Other"
        return "sea" if south_east and alone else "mark"
    if category[0] in "LN":
        scripts = unicode.scripts_of(code_point)
        if "Hani" in scripts:
            return "han"
        if scripts <= {"Hira", "Kana"}:
            return "kana"
        if unicode.script[code_point] == "Hangul":
            return "hangul"
        if south_east:
            return "sea"
        return "digit" if category == "Nd" else "run"
    return "symbol"


def dump_opencc(table):
    """Returns the rows of an OpenCC table: (source, targets, separated by spaces)."""
    path = os.path.join(OPENCC_DIR, f"{table}.ocd2")
    with open(path, "rb") as data:
        if hashlib.sha256(data.read()).hexdigest() != OPENCC_SHA256[table]:
            fail(f"{path} is not that of OpenCC {OPENCC_VERSION}")
    with tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "table.txt")
        subprocess.run(["opencc_dict", "-i", path, "-o", dump, "-f", "ocd2", "-t", "text"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(dump, encoding="utf-8") as lines:
            return [line.rstrip("\n").split("\t") for line in lines]


def read_opencc():
    table = {}
    for source, targets in dump_opencc("TSCharacters"):
        target = targets.split(" ")[0]
        if len(source) != 1 or len(target) != 1:
            fail(f"not a character: {source} {target}")
        table[ord(source)] = ord(target)
    return table


def map_alone(unicode, script_table, code_point):
    """(the code points that `code_point` alone becomes, record flags)"""
    normal = unicode.nfkc([code_point])
    folded = unicode.nfkc(unicode.fold(normal))
    mapped = [script_table.get(c, c) for c in folded]
    flags = (COMPATIBILITY_BIT if normal != [code_point] else 0) | (
        SCRIPT_BIT if mapped != folded else 0)
    if unicode.nfkc(mapped) != mapped:
        fail(f"U+{code_point:04X} becomes a text that is not NFKC")
    if unicode.nfkc(unicode.fold(folded)) != folded:
        fail(f"U+{code_point:04X}: a second folding changes the result")
    return mapped, flags


def check_opencc(unicode, script_table):
    """The program applies the script table last and to Han characters that stay Han."""
    for source, target in script_table.items():
        for code_point in (source, target):
            if unicode.nfkc([code_point]) == [code_point]:
                if classify(unicode, code_point) != "han":
                    fail(f"U+{code_point:04X} of the script table is not Han")


def make_fold_records(unicode, script_table):
    records, expansions, offsets = [], [], {}
    for code_point in range(LIMIT):
        if 0xD800 <= code_point < 0xE000:
            mapped, flags = [code_point], 0
        else:
            mapped, flags = map_alone(unicode, script_table, code_point)
        if len(mapped) == 1:
            field = (mapped[0] - code_point) & DELTA_MASK
            kind = classify(unicode, mapped[0])
        else:
            if any(script_table.get(part, part) != part for part in mapped):
                fail(f"U+{code_point:04X} becomes a text that the script table changes again")
            key = tuple(mapped)
            if key not in offsets:
                offsets[key] = len(expansions)
                expansions += [len(mapped)] + mapped
            field, kind = offsets[key], "expansion"
        grapheme_break = BREAKS.index(unicode.grapheme_break[code_point])
        records.append(field | CLASS[kind] << 21 | grapheme_break << 25 | flags)
    return records, expansions


def make_nfc_values(unicode):
    """255: not NFC_Quick_Check=Yes; otherwise the combining class."""
    return [255 if c in unicode.nfc_not_yes else unicode.combining_class[c] for c in range(LIMIT)]


def make_trie(values, block_size, first_block=None):
    blocks, stage = {}, []
    if first_block is not None:
        blocks[tuple(first_block)] = 0
    for start in range(0, LIMIT, block_size):
        block = tuple(values[start:start + block_size])
        stage.append(blocks.setdefault(block, len(blocks)))
    return stage, [value for block in blocks for value in block]


def write_array(kind, name, values, form):
    items = [form(value) for value in values]
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 98:
            lines.append(line)
            line = "   "
        line += f" {item},"
    lines.append(line)
    return f"const {kind} {name}[{len(values)}] = {{\n" + "\n".join(lines) + "\n};\n"


def short(value):
    """The shorter of decimal and hexadecimal."""
    return min(str(value), hex(value), key=len)


def generate():
    unicode = Unicode()
    script_table = read_opencc()
    check_opencc(unicode, script_table)
    records, expansions = make_fold_records(unicode, script_table)
    stage, blocks = make_trie(records, FOLD_BLOCK)
    nfc_stage, nfc_blocks = make_trie(make_nfc_values(unicode), NFC_BLOCK, [0] * NFC_BLOCK)
    body = (
        '#include "text/fold_tables.h"\n\n'
        "namespace zhiwen {\n\n"
        "// clang-format off\n"
        f'const char kTablesUnicodeVersion[] = "{UNICODE_VERSION}";\n'
        f'const char kTablesOpenccVersion[] = "{OPENCC_VERSION}";\n\n'
        + write_array("uint16_t", "kFoldStage", stage, short) + "\n"
        + f"const size_t kFoldBlocksSize = {len(blocks)};\n"
        + write_array("uint32_t", "kFoldBlocks", blocks, short) + "\n"
        + write_array("uint32_t", "kFoldExpansions", expansions, short) + "\n"
        + write_array("uint16_t", "kNfcStage", nfc_stage, short) + "\n"
        + write_array("uint8_t", "kNfcBlocks", nfc_blocks, short)
        + "// clang-format on\n\n}  // namespace zhiwen\n")
    return generated_table.signed(TOOL, SOURCES, body)


def main():
    arguments = generated_table.parser(__doc__).parse_args()
    generated_table.write_or_check(TOOL, OUTPUT, generate(), arguments.check)


if __name__ == "__main__":
    main()
