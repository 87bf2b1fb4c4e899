"""What `mem` itself had printed, taken out of a talk: memory is not learnt a second time."""

from __future__ import annotations

import re
from collections.abc import Callable

from memcli.recall import TITLE

_OURS = re.compile(  # a line that only `mem` prints, wherever it stands
    r":\d+ \S|\S+\.(?:md|markdown):\d+(?:: |\s)|\^?[\w-]+  .*\.(?:md|markdown):\d+(?:\s|$)"
    r"|(?:USER\.md|labels\.yaml|preferences\.yaml): |(?:label|prefers) [^:\n]{1,60}: "
    r"|## \S+\.(?:md|markdown)(?: > .*)?$"
    r"|user: (?:name|occupation|city|language|timezone|interests): |<(?:notes from|facts|memory note)\b"
    r'|"\w+": ["\[{\d]|"[^"]*",?$'  # of `--json`; nobody speaks so
)
_SHAPE = re.compile(
    r"\s*$|##? |:\d+ |    |</?(?:notes|facts|memory)\b|\s*[\"{}\[\],]|-{3,}\s*$|Nothing in memory"
    r"|\s*(?:[\d.]+|true|false|null),?\s*$"
)
_QUOTE = re.compile(r"[ \t]*(?:[>|│▁-█][ \t]?)*[ \t]*")  # also the bars that a terminal gets
_LONGEST_BLOCK = 200  # lines


def unechoed(text: str, tell: Callable[[str], object] = str) -> str:
    """The text without what `mem recall` printed, in any format, quoted or indented; its lines keep their numbers."""
    lines = text.split("\n")
    drop: set[int] = set()
    under = -1  # the indentation of the memory that the lines below it may belong to
    stop = 0
    for at, line in enumerate(lines):
        quote = _QUOTE.match(line)[0]  # type: ignore[index]
        bare = line[len(quote) :]
        if at >= stop and (TITLE in line or re.match(r'[{ ]*"schema": 1\b', bare)):
            stop = _end(lines, at)
        if at < stop or _OURS.match(bare) or (0 <= under <= len(quote) - 4 and bare):
            drop.add(at)
        under = len(quote) if bare[:1] == ":" and _OURS.match(bare) else under if at in drop else -1
    if drop:
        tell("what mem itself had printed is in this conversation: it was passed over")
    return "\n".join("" if at in drop else line for at, line in enumerate(lines))


def _end(lines: list[str], start: int) -> int:
    """Behind the last line of a printed block: behind its closing mark, or where it was cut."""
    title = lines[start]
    depth = len(_QUOTE.match(title)[0])  # type: ignore[index]
    close = "</memory>" if "<memory" in title else "}" if '"schema"' in title else "---"
    rest = range(start + 1, min(len(lines), start + _LONGEST_BLOCK))
    cut = [line[depth:] if not line[:depth].strip(" \t>|│") else line for line in lines]
    if close != "}":
        for at in rest:
            if cut[at].strip(" \t>|│") == close.rstrip(">"):
                return at + 1
    return next((at for at in rest if not _SHAPE.match(cut[at])), rest.stop)
