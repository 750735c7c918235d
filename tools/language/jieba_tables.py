"""Tables of the segmenter, from Debian's python3-jieba: its dictionary and both hidden Markov
models. A double is written as Python writes it, so that the same double is read back."""

from language import inputs

PACKAGES = [
    (
        "jieba",
        "0.42.1",
        "MIT",
        "dictionary, hidden Markov models and tags of the segmenter",
    )
]

FOLDER = "/usr/lib/python3/dist-packages/jieba/"
DICTIONARY = (
    "dict.txt",
    "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8",
)
FINALSEG = {
    "prob_start": "14c5706ced5cd3b42eb4873d4b88f7f52a7bdf80fbd767bc4423d361e20c5330",
    "prob_trans": "54dfbc252ed71480d4f0cdfdf516ecfbe44efd0f6c3c64b158e7039f2906c91b",
    "prob_emit": "27d46b1c9efe4dd148fde8be042a21be40e3562d0c7f1273f9de7abae12ebb8d",
}
POSSEG = {
    "prob_start": "b43aaebcd8b21c2d7e9f67efaeb22c26835e47083356cba0c23ef6d9a37eb8f2",
    "prob_trans": "24328e8b81388f3b0eed6127f597cad8ef9f54cbd44efe1db486e0c2ddd0cbbc",
    "prob_emit": "dd82a34938b4059be6026ffed621c3f7121013ae587038269ee8419bdaaada81",
    "char_state_tab": "9de75c6c08fcb9b72d6546fcfc7c23a6385152a5515c7cd3fad6aedd0f1c0a6c",
}
ABSENT = "-"


def is_han(character):
    """Whether the models are ever asked about it: jieba gives them runs of these."""
    return "\u4e00" <= character <= "\u9fd5"


def read_model(module, name, sha256):
    """The dictionary P of a Python file of constants."""
    values = {}
    exec(inputs.read_text(f"{FOLDER}{module}/{name}.py", sha256), values)
    return values["P"]


def write_dictionary(folder):
    words, occurrences = {}, 0
    for line in inputs.read_text(FOLDER + DICTIONARY[0], DICTIONARY[1]).splitlines():
        word, frequency, tag = line.split(" ")
        words[word] = (int(frequency), tag)  # of a word that is there twice the last one
        occurrences += int(frequency)  # but all of them are counted
    inputs.write_table(folder, "segmenter_words", sorted((w, *row) for w, row in words.items()))
    inputs.write_table(folder, "segmenter_total", [(occurrences,)])


def write_word_model(folder):
    start, moves, emissions = (
        read_model("finalseg", name, FINALSEG[name])
        for name in ("prob_start", "prob_trans", "prob_emit")
    )
    inputs.write_table(folder, "segmenter_word_start", sorted(start.items()))
    inputs.write_table(
        folder,
        "segmenter_word_moves",
        sorted((one, two, value) for one, row in moves.items() for two, value in row.items()),
    )
    characters = sorted({c for row in emissions.values() for c in row if is_han(c)})
    inputs.write_table(
        folder,
        "segmenter_word_emissions",
        [(c, *(emissions[state].get(c, ABSENT) for state in "BEMS")) for c in characters],
    )


def write_tag_model(folder):
    start, moves, emissions, listed = (
        read_model("posseg", name, POSSEG[name])
        for name in ("prob_start", "prob_trans", "prob_emit", "char_state_tab")
    )
    inputs.write_table(
        folder, "segmenter_tag_states", [(*state, start[state]) for state in sorted(start)]
    )
    inputs.write_table(
        folder,
        "segmenter_tag_moves",
        sorted((*two, *one, value) for one, row in moves.items() for two, value in row.items()),
    )
    rows = {}
    for state, row in emissions.items():
        rows.update({(c, *state): value for c, value in row.items() if is_han(c)})
    expected = {(c, *state) for c, states in listed.items() for state in states if is_han(c)}
    inputs.write_table(
        folder,
        "segmenter_tag_emissions",
        [
            (*row, rows.get(row, ABSENT), "listed" if row in expected else "")
            for row in sorted(rows.keys() | expected)
        ],
    )


def write(folder):
    write_dictionary(folder)
    write_word_model(folder)
    write_tag_model(folder)
