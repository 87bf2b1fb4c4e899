"""The worth gate: what nobody will ever look for. Too short, too long, small talk, the output of an error without a
word on it, and what was remembered before and has only been recalled.

What a program prints stands in `language/errors.txt`, words of somebody who learnt from it in `language/*/worth.txt`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.text.small_talk import is_small_talk
from memcli.text.tables import LANGUAGE, expression, rows

SHORTEST = 3  # letters; a Chinese character counts as two
LONGEST = 50_000  # characters
LONGEST_TALK = 80  # characters of what can be small talk

# Patterns as text: they are compiled for the few texts that need them.
_OWN = r"[\u3400-\u9fff]{4}"  # words of a person beside what a program printed
_NO_WORDS = r"\[REDACTED_\w+\]|\[[^\[\]:\n]+::[^\[\]\n]*\]|(?<!\S)[#^]\S+"


def is_document(text: str) -> tuple[str, str]:
    """As `lacks`; asked before anything looks at every character of it."""
    if len(text) <= LONGEST:
        return "", ""
    return f"{len(text)} characters are a document, not a memory", "put it into knowledge/ as a file"


def lacks(text: str) -> tuple[str, str]:
    """Why a text is not worth keeping, and what would be; two empty texts when it is."""
    bare = re.sub(_NO_WORDS, " ", text)
    letters = [sign for sign in bare if sign.isalnum()]
    weight = sum(2 if sign > "\u3000" else 1 for sign in letters[: 2 * SHORTEST])
    if weight < SHORTEST or not any(map(str.isalpha, letters)):
        return "it is too short to mean anything later", "say who, what or why in a few words"
    if len(bare) <= LONGEST_TALK and is_small_talk(bare):
        return "it is small talk", "say what it was about"
    if ":" in text or "#" in text:  # in every shape of it
        from memcli.remember.echo import is_echo  # its patterns are read where there may be something to find

        if is_echo(text):
            return "it is what mem itself had printed", "leave that out"
    if _is_error(text):
        return "it is the output of an error", "say what was learnt from it"
    return "", ""


def _is_error(text: str) -> bool:
    """Most of it a program's words, and nothing of what was learnt from them."""
    cues, printed = errors()
    if not any(cue in text for cue in cues):
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    found = [re.match(printed, line) for line in lines]
    traced = [match is not None for match in found]
    own = [line for line, trace in zip(lines, traced, strict=True) if not trace]
    lesson = lessons()
    if not any(traced) or any(re.search(lesson, line, re.I) for line in own):
        return False
    if len(lines) == 1:
        beside = lines[0][found[0].end() :] if found[0] else lines[0]
        return not re.search(lesson, lines[0], re.I) and not re.search(_OWN, beside)
    code = [line for line in own if line.startswith(("    ", "\t"))]
    return (sum(traced) + len(code)) * 2 > len(lines)


@lru_cache(maxsize=1)
def errors() -> tuple[list[str], str]:
    """What a text must hold to be looked at, and how the lines of a program begin."""
    found = list(rows(LANGUAGE / "errors.txt"))
    ways = [way for row in found for way in row["says"]]
    return [cue for row in found for cue in row.get("cue", [])], rf"\s*(?:{expression(ways)})"


@lru_cache(maxsize=1)
def lessons() -> str:
    """Words of what was learnt, in any language: what a program prints is English, what is said of it need not be."""
    return "|".join(
        expression(row["says"]) for language in ("en", "zh") for row in rows(LANGUAGE / language / "worth.txt")
    )
