"""The table of the channel regional: words of Taiwan, and what the mainland says
(docs/formats/channels.md, regional.v1)."""

from language import inputs, mainland

PACKAGES = mainland.PACKAGES

TO_TAIWAN = ("TWPhrases", "cc6ea1904b6f0f9d89287ab96c358d33b4f805beaf95c04de083c487778b2111")
TO_MAINLAND = ("TWPhrasesRev", "ace092d7adcd0cbca47c415681b423f46cbebc559922e4a79808ad45f76dad73")


def regional_words():
    """{word: what replaces it}, in the simplified script."""
    here = mainland.Mainland()
    rows = {here.simplify(key): [here.simplify(value) for value in values]
            for key, values in inputs.read_opencc(*TO_MAINLAND)}
    of_mainland = {here.simplify(key) for key, _ in inputs.read_opencc(*TO_TAIWAN)}
    of_mainland.update(value for values in rows.values() for value in values)
    words = {}
    for word, values in rows.items():
        replaced = word not in of_mainland and here.words[word] <= max(here.words[values[0]], 1)
        if not replaced:
            continue
        words[word] = values[0]
    # What the mainland says stays: 尼日利亚, though it begins with 尼日, which becomes 尼日尔.
    for value in {value for values in rows.values() for value in values}:
        if any(word in value for word in words):
            words.setdefault(value, value)
    return words


def write(folder):
    inputs.write_table(folder, "regional", sorted(regional_words().items()))
