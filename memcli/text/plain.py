"""Convert a text to plain characters, as it looks to a reader.

Hidden characters are removed; the look-alike letters and digits of other scripts become plain ASCII. This serves
lookups only. Every position in the plain text leads back to its position in the original.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category, decimal, normalize

# Replaces what was blacked out. It is not a letter, space or sign, so no match reaches across it.
WALL = "\ue000"

# Everything that is neither plain ASCII nor common Chinese.
_ODD = "[^\\t\\n -~\u3001\u3002\u3005\u3007\u300a-\u3011\u3400-\u4dbf\u4e00-\u9fff]"
_LOOKS = dict(
    zip(
        "АВЕЗІЈКМНОРЅТУХЬавеіјкморѕтухѵԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχıℓ\u00a0\u1680\u3000",
        "ABE3IJKMHOPSTYXbaBeijkmopstyxvdqwABEZHIKMNOPTYXavoptuxil   ",
        strict=True,
    )
)


@dataclass(frozen=True)
class Plain:
    """Hold a plain text, and map its positions back to the original."""

    text: str
    starts: tuple[int, ...] = (0,)  # places in `text` from which the distance to the original is constant
    places: tuple[int, ...] = (0,)  # the places of these in the original
    below: Plain | None = None  # set if the original is itself the plain form of another text

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return the span in the original, including hidden characters."""
        return self._place(start), self._place(stop - 1) + 1

    def _place(self, at: int) -> int:
        run = bisect_right(self.starts, at) - 1
        place = self.places[run] + at - self.starts[run]
        return self.below._place(place) if self.below else place


def plain(text: str) -> Plain:
    if text.isascii() and text.replace("\n", "").isprintable():
        return Plain(text)
    return _exchanged(text, re.compile(_ODD), lambda match: _eyed(match[0]))


def join_across_gaps(seen: Plain, gap: re.Pattern[str], cut: Callable[[re.Match[str]], bool]) -> Plain:
    """Return the text without the gaps that `cut` accepts, so that the text on either side of a gap joins."""
    return _exchanged(seen.text, gap, lambda match: "" if cut(match) else match[0], seen)


def _exchanged(
    text: str, odd: re.Pattern[str], instead: Callable[[re.Match[str]], str], below: Plain | None = None
) -> Plain:
    pieces: list[str] = []
    starts, places = [0], [0]
    done = length = 0
    for match in odd.finditer(text):
        new = instead(match)
        if new == match[0]:
            continue
        pieces += (text[done : match.start()], new)
        length += match.start() - done
        for nth in range(len(new)):  # everything that a character becomes has its place
            starts.append(length + nth)
            places.append(match.start())
        length += len(new)
        done = match.end()
        starts.append(length)
        places.append(done)
    pieces.append(text[done:])
    return Plain("".join(pieces), tuple(starts), tuple(places), below)


@lru_cache(maxsize=8192)
def _eyed(sign: str) -> str:
    if sign in _LOOKS:
        return _LOOKS[sign]
    kind = category(sign)
    if kind in ("Cc", "Cf", "Mn", "Me"):
        return ""
    if kind == "Nd":
        return str(decimal(sign))
    if kind == "Pd":
        return "-"
    if kind == "Zs":
        return " "
    same = normalize("NFKC", sign)
    return same if same.isascii() else sign
