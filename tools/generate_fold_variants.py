#!/usr/bin/env python3
"""Generates src/text/fold_variants.cc: what folded.v2 maps otherwise than folded.v1 (variant
characters, look-alike letters, circled numbers), what folded.v3 counts as operators, and the steps
`numbers` and `slang` of loose.v1.

In     what tools/generate_fold_tables.py reads; all character tables of OpenCC, Unihan_Variants
       and EquivalentUnifiedIdeograph of Debian's unicode-data; the lists below
Out    the table file; the same bytes on every machine
Fails  an input of another version; a mapping that changes its own result

Usage  tools/generate_fold_variants.py            writes the file
       tools/generate_fold_variants.py --check    exits 1 when a regeneration differs from the file
       tools/generate_fold_variants.py --classes  shows the classes of Han characters

docs/formats/channels.md defines the mapping, docs/decisions/007-variant-classes.md gives reasons.
"""

import bz2
import os
import unicodedata

import generate_fold_tables as folded_v1
import generated_table
from generate_fold_tables import fail

TOOL, OUTPUT = "generate_fold_variants.py", "src/text/fold_variants.cc"
OPENCC_TABLES = ("TSCharacters", "STCharacters", "TWVariants", "HKVariants", "JPVariants",
                 "JPShinjitaiCharacters")
# Two characters of GB 2312 are two words, except these; the first stands for both.
SAME_IN_GB2312 = ("着著", "余馀", "巨钜", "钟锺", "咨谘", "复覆", "借藉", "仿彷", "坂阪", "鲇鲶")
# What no table has.
ADDED = ("你妳",)
# Rows of Unihan that would make two things one: a sign is no number.
REFUSED = ("万卍",)
MOST_IN_A_CLASS = 8

# Letters of Cyrillic, Greek and the phonetic alphabet whose capital or small form is drawn as the
# Latin letter's, after case folding, so that Н is h and not n. Not among them: μ (the unit µm is
# not mm), ү (у is another letter of the same alphabets), ı (Turkish has both).
LOOK_ALIKES = {
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "н": "h", "һ": "h", "і": "i", "ј": "j",
    "к": "k", "ӏ": "l", "м": "m", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ѵ": "v",
    "ԝ": "w", "х": "x", "у": "y",
    "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "ϳ": "j", "κ": "k", "ν": "n", "ο": "o",
    "ρ": "p", "τ": "t", "υ": "y", "χ": "x", "ζ": "z",
    "ɑ": "a", "ɡ": "g",
}

# Circled digits and numbers without a compatibility form: dingbats, negative and double ones. Each
# is its value, as ① is: a digit, or what the circled number of that value becomes.
CIRCLED = ("⓿⓫⓬⓭⓮⓯⓰⓱⓲⓳⓴" "⓵⓶⓷⓸⓹⓺⓻⓼⓽⓾" "❶❷❸❹❺❻❼❽❾❿" "➀➁➂➃➄➅➆➇➈➉"
           "➊➋➌➍➎➏➐➑➒➓" "\U0001f10b\U0001f10c")

# What may be an operator: a unit beside letters and digits. All dashes are one.
OPERATORS = "!#%&*-/:?@[\\]_{}"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

# Number characters; each is the first of its row, which loose.v1 reads as a digit up to 九.
NUMBERS = {"〇": "零○", "一": "壹弌", "二": "贰弍", "三": "叁弎", "四": "肆", "五": "伍",
           "六": "陆", "七": "柒", "八": "捌", "九": "玖", "十": "拾", "百": "佰", "千": "仟"}

# 火星文: characters that stand for common ones in such text and are rare in any other. No data
# package has such a list; this one is written by hand and short.
SLANG = {
    "的": "の菂ㄉ", "我": "莪硪涐珴", "你": "沵祢", "是": "湜昰", "不": "芣吥", "了": "ㄌ", "吗": "ㄇ",
    "吧": "ㄅ", "呢": "ㄋ", "啊": "ㄚ", "喔": "ㄛ", "人": "亽魜", "好": "恏", "很": "佷", "就": "僦",
    "么": "尛", "没": "莈", "天": "兲婖", "心": "杺伈", "快": "赽", "生": "泩苼珄", "年": "姩",
    "家": "宊", "中": "妕狆", "大": "汏夶", "小": "仦", "水": "氺", "火": "吙", "月": "仴", "来": "唻",
    "去": "呿厺", "死": "迉", "男": "侽莮娚", "多": "茤", "友": "伖", "朋": "萠", "那": "郍",
    "爱": "僾", "在": "侢",
}


def in_gb2312(character):
    try:
        return len(character.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


def read_unihan(field):
    """Yields (character, [variants]) of a field of Unihan_Variants."""
    with bz2.open(os.path.join(folded_v1.UNICODE_DIR, "Unihan_Variants.txt.bz2"), "rt",
                  encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 3 and fields[1] == field:
                targets = [chr(int(v.split("<")[0][2:], 16)) for v in fields[2].split()]
                yield chr(int(fields[0][2:], 16)), targets


class Classes:
    """Sets of Han characters that are one; at most one of GB 2312, but for SAME_IN_GB2312."""

    def __init__(self):
        self.parent = {}
        self.members = {}

    def find(self, character):
        while character in self.parent:
            character = self.parent[character]
        return character

    def members_of(self, character):
        root = self.find(character)
        return self.members.get(root, {root})

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        union = self.members_of(a) | self.members_of(b)
        words = {c for c in union if in_gb2312(c)}
        allowed = len(words) < 2 or any(words <= set(pair) for pair in SAME_IN_GB2312)
        if not allowed or any(set(pair) <= union for pair in REFUSED):
            return
        if len(union) > MOST_IN_A_CLASS:
            fail(f"a class of {len(union)}: {''.join(sorted(union))}")
        self.parent[b] = a
        self.members[a] = union

    def representatives(self):
        """Returns {member: representative} of the members that are none."""
        result = {}
        for root in [c for c in self.members if c not in self.parent]:
            union = self.members[root]
            words = {c for c in union if in_gb2312(c)}
            pair = next((p for p in SAME_IN_GB2312 if words == set(p)), None)
            chosen = pair[0] if pair else min(words or union)
            result.update({c: chosen for c in union if c != chosen})
        return result


def make_classes(unicode, script_table):
    def script(character):
        normal = unicodedata.normalize("NFKC", character)
        return chr(script_table.get(ord(normal), ord(normal))) if len(normal) == 1 else character

    def is_han(character):
        return folded_v1.classify(unicode, ord(character)) == "han"

    classes = Classes()
    for pair in ADDED:
        classes.join(*pair)
    for target in script_table.values():
        classes.join(script(chr(target)), chr(target))  # so that folding twice changes nothing
    for table in OPENCC_TABLES:
        for source, targets in folded_v1.dump_opencc(table):
            for target in targets.split(" "):
                if len(source) == len(target) == 1 and is_han(source) and is_han(target):
                    classes.join(script(target), script(source))
    for field in ("kZVariant", "kSemanticVariant"):
        for source, targets in read_unihan(field):
            reached = {script(t) for t in targets if is_han(script(t))} - {script(source)}
            words = {t for t in reached if in_gb2312(t)}
            # A rare character that means several words is none of them.
            if is_han(script(source)) and not in_gb2312(script(source)) and len(words) == 1:
                classes.join(words.pop(), script(source))
    return classes


def make_variants(unicode, script_table):
    """Returns {folded.v1's code point: folded.v2's}."""
    mapping = make_classes(unicode, script_table).representatives()
    for code_point, fields in folded_v1.read_property("EquivalentUnifiedIdeograph.txt"):
        if 0x2E80 <= code_point < 0x2FE0 and unicode.nfkc([code_point]) == [code_point]:
            target = chr(script_table.get(int(fields[0], 16), int(fields[0], 16)))
            mapping[chr(code_point)] = mapping.get(target, target)
    mapping.update(LOOK_ALIKES)
    mapping.update({c: circled_target(int(unicodedata.numeric(c))) for c in CIRCLED})
    for code_point in unicode.decomposition:  # ё is ë as е is e
        base, *marks = unicodedata.normalize("NFD", chr(code_point))
        composed = unicodedata.normalize("NFC", LOOK_ALIKES.get(base, "") + "".join(marks))
        if base in LOOK_ALIKES and marks and len(composed) == 1:
            mapping[chr(code_point)] = composed
    return {ord(source): ord(target) for source, target in mapping.items()}


def circled_target(value):
    return str(value) if value < 10 else chr(ord("⑩") + value - 10)


def spread(table):
    """Returns {ord(source): ord(target)} of {target: sources}."""
    return {ord(source): ord(target) for target, sources in table.items() for source in sources}


def make_operators(v2):
    """Returns {code point: the ASCII operator that it is}."""
    operators = {ord(c): ord(c) for c in OPERATORS} | {ord(c): ord("-") for c in DASHES}
    return {c: operators[m] for c, m in v2.items() if m in operators}


def compose(first, second):
    """Returns where `second` after `first` differs from `first`, by first's code points."""
    return {c: second[m] for c, m in first.items() if m in second}


def check_stable(name, folded, mapping):
    for source, target in mapping.items():
        if mapping.get(target, target) != target or folded.get(target, target) != target:
            fail(f"{name}: {chr(source)} becomes {chr(target)}, which becomes another")


def write_patches(name, patches):
    items = [f"{{{folded_v1.short(c)}, {folded_v1.short(t)}}}" for c, t in sorted(patches.items())]
    return (f"const size_t {name}Size = {len(items)};\n"
            + folded_v1.write_array("FoldPatch", name, items, str))


def generate():
    unicode = folded_v1.Unicode()
    script_table = folded_v1.read_opencc()
    v1 = {}
    for code_point in range(folded_v1.LIMIT):
        if not 0xD800 <= code_point < 0xE000:
            mapped, _ = folded_v1.map_alone(unicode, script_table, code_point)
            if len(mapped) == 1:
                v1[code_point] = mapped[0]
    variants = make_variants(unicode, script_table)
    check_stable("variants", v1, variants)
    variant_patches = compose(v1, variants)
    v2 = {**v1, **variant_patches}
    numbers, slang = spread(NUMBERS), spread(SLANG)
    for name, mapping in (("numbers", numbers), ("slang", slang)):
        check_stable(name, v2, {**numbers, **mapping})
    taken = [f"{chr(c)} {chr(v2[c])}" for c in {**numbers, **slang} if v2[c] != c]
    if taken:
        fail(f"folded.v2 maps already: {', '.join(taken)}")
    body = (
        '#include "text/fold_variants.h"\n\n'
        "namespace zhiwen {\n\n"
        "// clang-format off\n"
        + write_patches("kFoldVariants", variant_patches) + "\n"
        + write_patches("kFoldOperators", make_operators(v2)) + "\n"
        + write_patches("kFoldNumbers", compose(v2, numbers)) + "\n"
        + write_patches("kFoldSlang", compose(v2, slang))
        + "// clang-format on\n\n}  // namespace zhiwen\n")
    return generated_table.signed(TOOL, folded_v1.SOURCES, body)


def show_classes():
    script_table = folded_v1.read_opencc()
    mapping = make_classes(folded_v1.Unicode(), script_table).representatives()
    by_target = {}
    for source, target in sorted(mapping.items()):
        by_target.setdefault(target, []).append(source)
    for target, sources in sorted(by_target.items()):
        print(f"{target} {''.join(sources)}")


def main():
    parser = generated_table.parser(__doc__)
    parser.add_argument("--classes", action="store_true", help="show the classes, write nothing")
    arguments = parser.parse_args()
    if arguments.classes:
        show_classes()
        return
    generated_table.write_or_check(TOOL, OUTPUT, generate(), arguments.check)


if __name__ == "__main__":
    main()
