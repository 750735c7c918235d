"""Whole texts in a disguise: whether `zhiwen check` names the text that they are of, where in the
list, and how much of them it finds. Of the dev set, or the disguises of attacks.py on testdata."""

from __future__ import annotations

from collections.abc import Iterator

import attacks
import corpora
import disguises
from copied_pairs import TRUTH, mean
from copies import SET_PHRASES, Setting
from tables import markdown_table
from verdicts import Verdict, at_least, figure

LEAST_FOUND = 0.99  # of all copies
LEAST_FOUND_OF_A_KIND = 0.96


def check(setting: Setting) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    part = f"whole texts in disguise, profile {setting.options.profile}"
    data = setting.options.data
    related: set[frozenset[str]] = set()
    if all(corpora.has(data, name) for name in ("whole_doc_attacks", TRUTH)):
        of = disguises.attacked(data)
        related = {frozenset((r["id_a"], r["id_b"])) for r in corpora.load(data, TRUTH)}
    else:
        of = {
            name: [
                {"id": f"{name}/{r['id']}", "src_id": r["id"], "text": attacked}
                for r in setting.texts
                for attacked in [attacks.apply(name, r["id"], r["text"])]
            ]
            for name in attacks.ATTACKS
        }
    table, every, unfiltered = [], [], []
    milliseconds, characters = 0.0, 0
    for number, (kind, rows) in enumerate(of.items()):
        answers, _ = setting.check(f"attack{number}", rows, SET_PHRASES)
        plain = {row["id"]: row["matches"] for row in answers}
        answers, seconds = setting.check(f"attack{number}", rows)
        matches = {row["id"]: row["matches"] for row in answers}
        units = {row["id"]: row["units"] for row in answers}
        milliseconds += seconds * 1000
        characters += sum(len(row["text"]) for row in rows)
        found, first, shares, passages = [], [], [], []
        for row in rows:
            listed = [m["document"]["id"] for m in matches.get(row["id"], [])]
            unfiltered.append(
                row["src_id"] in [m["document"]["id"] for m in plain.get(row["id"], [])]
            )
            found.append(row["src_id"] in listed)
            if not found[-1]:
                continue
            match = matches[row["id"]][listed.index(row["src_id"])]
            same = (row["src_id"], listed[0])
            first.append(listed[0] == row["src_id"] or frozenset(same) in related)
            shares.append(match["matched"] / units[row["id"]])
            passages.append(len(match["passages"]))
        every += found
        line = [kind, str(len(rows)), f"{mean(unfiltered[-len(rows):]):.3f}", f"{mean(found):.3f}"]
        if first:
            line += [f"{mean(values):.3f}" for values in (first, shares, passages)]
        table.append(line + [""] * (7 - len(line)))
        if mean(found) < LEAST_FOUND_OF_A_KIND:
            yield at_least(part, f"found, {kind}", mean(found), LEAST_FOUND_OF_A_KIND)
    yield figure(part, f"found with {SET_PHRASES}", mean(unfiltered))
    yield at_least(part, "found", mean(every), LEAST_FOUND, f"of {len(every)}")
    each = milliseconds / characters * 2000
    yield figure(part, "ms of a processor for 2,000 characters", each)
    head = ["disguise", "texts", f"found with {SET_PHRASES}", "found"]
    head += ["named first, or a text that is known to resemble the original"]
    head += ["share of the text in passages", "passages"]
    setting.tables.append("Whole texts in disguise\n\n" + markdown_table(head, table))
