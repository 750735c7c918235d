"""Readings of characters and phrases, from pypinyin's data.

readings.tsv         character, its first reading: "zhong4", ü written ü, 5 the neutral tone
phrase_readings.tsv  phrase, the readings of its characters without tones, separated by spaces
"""

import json
import unicodedata

from language import inputs

PACKAGES = [
    ("pypinyin", "0.55.0", "MIT", "readings of characters and phrases"),
]

CHARACTERS_SHA256 = "5f294c01e6c6c0a1c8e329c79335a3f8e0b27d06bf1de7a99244b765892d1e5b"
PHRASES_SHA256 = "a45ff140a6b631ca9c82127b280a2f414e0aba6bb2824a0e9d1e77fff359c665"

TONES = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}
# Syllables without a vowel: interjections (嗯 呣 噷), which have neither initial nor final.
NO_FINAL = {"m", "n", "ng", "hm", "hng"}
# A phrase that is read wrong, te zhi, and the only one of its script: as 特征 it is frequent.
WRONG_PHRASES = {"特徵"}


def split_tone(reading):
    """"zhòng" as ("zhong", "4")."""
    letters, tone = "", "5"
    for part in unicodedata.normalize("NFD", reading):
        if part in TONES:
            tone = TONES[part]
        else:
            letters += part
    letters = unicodedata.normalize("NFC", letters)
    if not all(letter in "abcdefghijklmnopqrstuvwxyzüê" for letter in letters):
        raise inputs.InputError(f"pypinyin: what reading is {reading!r}?")
    return letters, tone


def read_json(name, sha256):
    path = inputs.wheel_file("pypinyin", name)
    return json.loads(inputs.read_text(path, sha256))


def character_rows():
    rows = []
    for code_point, readings in read_json("pinyin_dict.json", CHARACTERS_SHA256).items():
        letters, tone = split_tone(readings.split(",")[0])
        if letters not in NO_FINAL:
            rows.append((chr(int(code_point)), letters + tone))
    return sorted(rows)


def phrase_rows():
    rows = []
    for phrase, readings in read_json("phrases_dict.json", PHRASES_SHA256).items():
        letters = [split_tone(alternatives[0])[0] for alternatives in readings]
        if not NO_FINAL.intersection(letters) and phrase not in WRONG_PHRASES:
            rows.append((phrase, " ".join(letters)))
    return sorted(rows)


def write(folder):
    inputs.write_table(folder, "readings", character_rows())
    inputs.write_table(folder, "phrase_readings", phrase_rows())
