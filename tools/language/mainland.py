"""What is written on the mainland, as far as other tables ask: the simplified script, and how
frequent words are."""

import collections

from language import inputs

PACKAGES = [
    ("jieba", "0.42.1", "MIT", "how frequent words and characters are, for shape and regional"),
    ("OpenCC", "1.1.6", "Apache-2.0", "words of Taiwan and of the mainland, scripts"),
]

JIEBA = ("/usr/lib/python3/dist-packages/jieba/dict.txt",
         "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8")
SCRIPT = ("TSCharacters", "85291e0173e972bbca58c848fb90b3bb41c79674cb61a75645e01bd884ad5927")


class Mainland:
    def __init__(self):
        self._script = {key: values[0] for key, values in inputs.read_opencc(*SCRIPT)}
        self.words = collections.Counter()
        self.characters = collections.Counter()
        for row in inputs.read_text(*JIEBA).splitlines():
            word, count, _ = row.split(" ")
            word = self.simplify(word)
            self.words[word] += int(count)
            for character in word:
                self.characters[character] += int(count)

    def simplify(self, text):
        return "".join(self._script.get(character, character) for character in text)
