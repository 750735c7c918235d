"""The Viterbi of jieba's model of tags (jieba/posseg/viterbi.py), the same answer to the last bit,
many times as fast: sums are rounded in the same order, and rounding keeps order, so that whatever
cannot be the largest need not be added."""

from __future__ import annotations

from typing import Any

State = tuple[str, str]
MIN_FLOAT = -3.14e100  # of jieba: a character that a state never had
FEW = 8  # states before a state, that are looked at one by one


class Model:
    """Its tables, by the state that is gone to."""

    def __init__(self, posseg: Any) -> None:
        self.states: dict[str, tuple[State, ...]] = posseg.char_state_tab_P
        self.start, self.goes_to, self.emits = posseg.start_P, posseg.trans_P, posseg.emit_P
        self.every_state = tuple(self.goes_to)
        self.comes_from: dict[State, dict[State, float]] = {}
        for source, targets in self.goes_to.items():
            for target, probability in targets.items():
                self.comes_from.setdefault(target, {})[source] = probability
        self.likeliest = {y: max(sources.values()) for y, sources in self.comes_from.items()}
        self.few_sources = {
            y: tuple(self.comes_from.get(y, {}).items())
            for y in self.every_state
            if len(self.comes_from.get(y, {})) <= FEW
        }
        self.expected: dict[tuple[State, ...], set[State]] = {}

    def viterbi(self, characters: str) -> tuple[float, list[State]]:
        """Returns what jieba.posseg.viterbi does of its own tables."""
        first = characters[0]
        values = {
            y: self.start[y] + self.emits[y].get(first, MIN_FLOAT)
            for y in self.states.get(first, self.every_state)
        }
        paths: list[dict[State, Any]] = [dict.fromkeys(values, "")]
        for character in characters[1:]:
            values, path = self._step(character, values)
            paths.append(path)
        probability, state = max((value, y) for y, value in values.items())
        route = []
        for path in reversed(paths):
            route.append(state)
            state = path[state]
        return probability, route[::-1]

    def _step(
        self, character: str, before: dict[State, float]
    ) -> tuple[dict[State, float], dict[State, State]]:
        sources = [y for y in before if self.goes_to[y]]
        expected = self._expected(tuple(sources))
        targets = set(self.states.get(character, self.every_state)) & expected
        ordered = _Ordered(sources, before)
        values, path = {}, {}
        for y in targets or expected or self.every_state:
            emitted = self.emits[y].get(character, MIN_FLOAT)
            values[y], path[y] = self._best_source(y, emitted, before, ordered)
        return values, path

    def _expected(self, sources: tuple[State, ...]) -> set[State]:
        if sources not in self.expected:
            if len(self.expected) > 1 << 16:
                self.expected.clear()
            self.expected[sources] = {y for x in sources for y in self.goes_to[x]}
        return self.expected[sources]

    def _best_source(
        self, y: State, emitted: float, before: dict[State, float], ordered: _Ordered
    ) -> tuple[float, State]:
        """Returns the largest (value, state) of all sources; one that does not go to y has -inf."""
        best, state = float("-inf"), ordered.last
        few = self.few_sources.get(y)
        if few is not None:
            for x, probability in few:
                value = before.get(x)
                if value is not None:
                    value = value + probability + emitted
                    if value > best or (value == best and x > state):
                        best, state = value, x
            return best, state
        comes_from, likeliest = self.comes_from[y], self.likeliest[y]
        for value, x, largest_left in ordered.rows:
            # Neither this one nor what follows is larger.
            bound = value + likeliest + emitted
            if bound < best or (bound == best and largest_left < state):
                break
            if x in comes_from:
                value = value + comes_from[x] + emitted
                if value > best or (value == best and x > state):
                    best, state = value, x
        return best, state


class _Ordered:
    """Sources, the largest value first; with each the largest state from there on."""

    def __init__(self, sources: list[State], before: dict[State, float]) -> None:
        self.last = max(sources)
        self.rows: list[tuple[float, State, State]] = []
        largest = None
        for value, x in sorted((before[x], x) for x in sources):
            largest = x if largest is None or x > largest else largest
            self.rows.append((value, x, largest))
        self.rows.reverse()
