"""The worth gate: what nobody will ever look for. Too short or long, small talk, keys pressed at random, the output of
a program without a word on it, and what was remembered before and has only been recalled.

What a program prints stands in `language/errors.txt`, words of somebody who learnt from it in `language/*/worth.txt`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.text import words
from memcli.text.chatter import is_chatter, tells_of_day
from memcli.text.small_talk import is_small_talk
from memcli.text.tables import LANGUAGE, expression, rows

SHORTEST = 3  # letters; a Chinese character counts as two
LONGEST = 50_000  # characters
LONGEST_TALK = 120  # characters of what can be small talk
MOST_EMPTY = 8  # words of a text that may say nothing
KEYS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm")  # rows of keyboards
HOME, KEYS_ALONE = "asdfghjkl", ("asdf", "hjkl", "qwer", "zxcv", "jkjk")

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
    if re.search("[:#]|  ", text):  # in every shape of it
        from memcli.remember.echo import is_echo  # its patterns are read where there may be something to find

        if is_echo(text):
            return "it is what mem itself had printed", "leave that out"
    if _says_nothing(bare):
        return "it says nothing that could be asked for", "say who, what or why in a few words"
    if _is_printed(text):
        return "it is the output of a program", "say what was learnt from it"
    if len(bare) <= LONGEST_TALK and _is_chatter(bare):
        return "it is chatter of the moment", "say who, what or why in a few words"
    return "", ""


def _is_chatter(text: str) -> bool:
    """Return whether it is chatter that neither tells of a day nor says how somebody is reached."""
    reach = re.search(r"\w@\w+\.\w|\d{3}[ -]?\d{4}", text)
    return is_chatter(text) and not reach and not tells_of_day(text) and not re.search(lessons(), text, re.I)


def _says_nothing(text: str) -> bool:
    """Whether there is nothing in it that could be asked for: words that only hold others together, or keys pressed at
    random."""
    said = words.words(text)
    if not said or len(said) > MOST_EMPTY or re.search(r"\d", text):
        return _is_mash(text.strip().lower())
    alone = not words.CJK_RUN.search(text)
    return alone and (all(map(words.is_stop, said)) or all(map(_is_mash, said)))


def _is_mash(text: str) -> bool:
    """Whether this is one or two signs again and again, or a run along the keyboard."""
    if not re.fullmatch(r"[^\W\d_]{4,}", text):
        return False
    if len(set(text)) <= (1 if len(text) == 4 else 2):
        return True
    if not text.isascii() or len(text) == 4:
        return text in KEYS_ALONE
    once = re.sub(r"^(.{3,}?)\1+.?$", r"\1", text)  # asdfasdf
    runs = [text[at : at + 5] for at in range(len(text) - 4)] + ([once] if once != text else [])
    vowels = sum(sign in "aeiouy" for sign in text)
    unspoken = len(text) > 7 and vowels * 6 < len(text)
    at_home = len(text) > 5 and {*text} <= {*HOME} and vowels * 5 <= len(text)
    return unspoken or at_home or any(run in row or run[::-1] in row for run in runs for row in KEYS)


def _is_printed(text: str) -> bool:
    """Most of it a program's words, and nothing of what was learnt from them."""
    cues, printed, sure = programs()
    if not any(cue in text for cue in cues):
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    found = [re.match(printed, line) for line in lines]
    traced = [match is not None for match in found]
    own = [line for line, trace in zip(lines, traced, strict=True) if not trace]
    lesson = lessons()
    if not any(traced) or any(re.search(lesson, line, re.I) for line in own):
        return False
    if len(lines) == 1 and not re.match(sure, lines[0]):
        beside = lines[0][found[0].end() :] if found[0] else lines[0]
        return not re.search(lesson, lines[0], re.I) and not re.search(_OWN, beside)
    code = [line for line in own if line.startswith(("    ", "\t"))]
    return (sum(traced) + len(code)) * 2 > len(lines)


@lru_cache(maxsize=1)
def programs() -> tuple[list[str], str, str]:
    """What a text must hold to be looked at, how the lines of a program begin, and those that nobody writes by hand."""
    found = list(rows(LANGUAGE / "errors.txt"))
    every, sure = ([way for row in found for way in row["says"] if sure <= ("sure" in row)] for sure in (False, True))
    cues = [cue for row in found for cue in row.get("cue", [])]
    return cues, rf"\s*(?:{expression(every)})", rf"\s*(?:{expression(sure)})"


@lru_cache(maxsize=1)
def lessons() -> str:
    """Words of what was learnt, in any language: what a program prints is English, what is said of it need not be."""
    return "|".join(
        expression(row["says"]) for language in ("en", "zh") for row in rows(LANGUAGE / language / "worth.txt")
    )
