"""Every pair of a small corpus at or above a resemblance, exactly, in plain Python (prefix
filter)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import referee

Pair = tuple[str, str]


def exact_pairs(texts: dict[str, str], threshold: float) -> dict[Pair, float]:
    """Returns the pairs of ids, in the order of `texts`, whose shingle sets reach the threshold.
    `texts` are
    sequences of units (referee.units)."""
    sets = {i: referee.shingles(t) for i, t in texts.items()}
    frequency = Counter(s for members in sets.values() for s in members)
    meeting: dict[str, list[str]] = defaultdict(list)
    found: dict[Pair, float] = {}
    for identity, members in sets.items():
        prefix = len(members) - math.ceil(threshold * len(members) - 1e-9) + 1
        rare = [
            s for s in sorted(members, key=lambda s: (frequency[s], s))[:prefix] if frequency[s] > 1
        ]
        for other in dict.fromkeys(o for s in rare for o in meeting[s]):
            similarity = referee.resemblance(members, sets[other])
            if similarity >= threshold:
                found[(other, identity)] = similarity
        for shingle in rare:
            meeting[shingle].append(identity)
    return found
