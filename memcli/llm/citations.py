"""Check a model's citations while it writes: numbers in brackets, like [1] or [2][3]."""

from __future__ import annotations

import re
from collections.abc import Callable

from memcli.text.images import ImageFilter

CITED = re.compile(
    r"(?<![ \t])[ \t]*[\[【]{1,4}(?:evidence|source|doc|证据|来源)?\s*[\^#]?(\d+(?:\s*(?:[,，、;–-]|and|和)\s*#?\d+)*)"
    r"(?:†[^\]】]{0,60})?\s*[\]】]+"
    r"(?:\([^()\s]{0,300}\))?",  # a number with a link leads where the model wants, not to the evidence
    re.I,
)
_OPEN = re.compile(
    r"(?<!\s)\s{0,200}(?:[\[【][^\]】\n]{0,60}[\]】]{0,4}(?:\([^()\s]{0,300})?)?\Z"
)  # what may still become a citation
_MOST = 100  # the most numbers that one pair of brackets stands for


class Citations:
    """Check the citations in the text of an answer, on its way to the reader.

    Citations of evidence that does not exist are removed before anybody sees them, and so are images that removing them
    would create.
    """

    def __init__(self, pieces: int, hear: Callable[[str], None] | None = None) -> None:
        """Prepare for an answer from `pieces` pieces of evidence. `hear` gets the checked text as it comes."""
        self.pieces, self.text = pieces, ""
        self.cited: dict[int, None] = {}
        self.struck: dict[int, None] = {}
        self._hear, self._images = hear, ImageFilter(self._pass_on)
        self._rest, self._last = "", ""  # what may still become a citation, and the character before it

    def add(self, piece: str) -> None:
        self._rest += piece
        opened = _OPEN.search(self._rest)
        cut = opened.start() if opened else len(self._rest)
        self._say(self._rest[:cut])
        self._rest = self._rest[cut:]

    def end(self) -> str:
        self._say(self._rest.rstrip())
        self._rest = ""
        self._images.end()
        return self.text

    def _say(self, piece: str) -> None:
        if checked := CITED.sub(self._checked, piece):
            self._last = checked[-1]
            self._images.add(checked)

    def _pass_on(self, text: str) -> None:
        self.text += text
        if self._hear:
            self._hear(text)

    def _checked(self, match: re.Match[str]) -> str:
        good = []
        for number in _numbers(match[1]):
            if 1 <= number <= self.pieces:
                self.cited[number] = None
                good.append(f"[{number}]")
            else:
                self.struck[number] = None
        space = match[0][: len(match[0]) - len(match[0].lstrip())]
        before = (self._last + match.string[: match.start()])[-1:]
        return (
            space + "".join(good) if good else " " * bool(before and (before.isdigit() or before in "[【,-"))
        )  # no new number of two


def _numbers(citation: str) -> list[int]:
    """Return the numbers of a citation: `1, 3-5` is 1, 3, 4, 5."""
    found: list[int] = []
    for part in re.split(r"[,，、;]|and|和", citation.lower()):
        ends = [int(each[:6]) for each in re.findall(r"\d+", part)]
        found += range(ends[0], min(ends[-1], ends[0] + _MOST) + 1) if ends[0] <= ends[-1] else ends
    return found
