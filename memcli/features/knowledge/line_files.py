"""Follow which files of many documents a run reads as a whole, to know what was taken out of them."""

from __future__ import annotations

from memcli.features.knowledge.documents import ACTIVE, Part
from memcli.features.knowledge.intake import SourceResult
from memcli.features.knowledge.store import ShelvedDocument


class LineFiles:
    """The JSON lines of a run, and the documents that they hold now."""

    def __init__(self) -> None:
        self._held: dict[str, set[str]] = {}  # by file
        self._in_part: set[str] = set()  # read in part, or with lines that can't be read and may be known ones

    def reads(self, part: Part) -> None:
        if part.kind == "jsonl":
            self._held.setdefault(part.origin, set())

    def skips(self, part: Part) -> None:
        self._in_part.add(part.origin)

    def add(self, result: SourceResult) -> None:
        """Note what a part held."""
        if result.broken:
            self._in_part.add(result.part.origin)
        self._held.get(result.part.origin, set()).update(result.lines)

    def has_lost(self, document: ShelvedDocument) -> bool:
        """Return whether the file of an active document was read as a whole and does not hold it any more."""
        ends = (at for at, sign in enumerate(document.origin) if sign == "#")
        file = next((document.origin[:at] for at in ends if document.origin[:at] in self._held), None)
        if file is None or file in self._in_part or document.status != ACTIVE:
            return False
        return document.doc not in self._held[file]
