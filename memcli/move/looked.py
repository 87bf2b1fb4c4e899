"""What the gates found nothing in: whoever plans an import and then brings it looks at every text once, not twice."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from memcli.remember import redacted


class Looked:
    """Texts in which nothing was found, in the order they came: eight bytes each. The second pass meets the same ones
    in the same order; what is not the next of them has changed since, and is looked at again."""

    def __init__(self) -> None:
        self._clean = array("q")
        self._next = -1  # -1: the first pass

    def again(self) -> Looked:
        """The same, for the second pass."""
        self._next = 0
        return self

    def redacted(self, text: str, rules: Mapping[str, str], contacts: bool = False) -> tuple[str, list[str]]:
        """As the gate's own."""
        mark = hash((text, *rules.values()))  # seeded anew in each process: nobody can make two that are the same
        if 0 <= self._next < len(self._clean) and self._clean[self._next] == mark:
            self._next += 1
            return text, []
        plain, kinds = redacted(text, rules, contacts)
        if self._next < 0 and not kinds:
            self._clean.append(mark)
        return plain, kinds
