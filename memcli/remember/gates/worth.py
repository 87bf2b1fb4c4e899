"""Recognize texts that are not worth keeping, because nobody will search for them: too short or long, small talk,
random keys, a program's output without a comment, and memories that were only recalled.

`language/errors.txt` has the output of programs, and `language/*/worth.txt` the words of people who learnt from it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.message import Message
from memcli.text import words
from memcli.text.chatter import is_chatter, likeness_to_chatter, tells_of_day
from memcli.text.small_talk import is_small_talk
from memcli.text.tables import LANGUAGE_FOLDER, expression, rows

SHORTEST = 3  # letters; a Chinese character counts as two
LONGEST = 50_000  # characters
LONGEST_TALK = 120  # characters of small talk, at most
MOST_EMPTY = 8  # longest text, in words, that is checked for saying nothing
KEYS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm")  # rows of keyboards
HOME, KEYS_ALONE = "asdfghjkl", ("asdf", "hjkl", "qwer", "zxcv", "jkjk")

# A date, a time, a way to reach somebody, a commit or another identifier, and how long something takes.
_STATED = (
    r"\w@\w+\.\w|\d{3}[ -]?\d{4}|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\d月\d|^\d{1,2}/\d{1,2}(?![\d/])"
    r"|\b(?=\w*\d)(?=\w*[a-fA-F])(?:0x)?[\dA-Fa-f]{7,40}\b"
    r"|\b[Tt]akes (?:about )?[\w-]+ (?:second|minute|hour|day|week)s?\b"
)
# Patterns as text: they are compiled for the few texts that need them.
_OWN = r"[\u3400-\u9fff]{4}"  # words of a person beside a program's output
_RESOLVED = r" ?[(（]\d{4}-\d\d-\d\d[)）]"  # what `resolve_days` wrote beside a word: see you tomorrow (2026-11-13)
_NO_WORDS = r"\[REDACTED_\w+\]|\[[^\[\]:\n]+::[^\[\]\n]*\]|(?<!\S)[#^]\S+"


def is_document(text: str) -> tuple[str, str]:
    """Return the reason and hint if a text is too long, like `why_worthless`. It runs before anything that reads every
    character."""
    if len(text) <= LONGEST:
        return "", ""
    return Message("{n} characters are a document, not a memory", n=len(text)), "put it into knowledge/ as a file"


def why_worthless(text: str, is_labelled: bool = False) -> tuple[str, str]:
    """Return why a text is not worth keeping, and a hint; two empty strings if it is. A text to which a person gave a
    tag, a type or a place is no chatter."""
    bare = re.sub(_NO_WORDS, " ", text)
    letters = [sign for sign in bare if sign.isalnum()]
    weight = sum(2 if sign > "\u3000" else 1 for sign in letters[: 2 * SHORTEST])
    if weight < SHORTEST or not any(map(str.isalpha, letters)):
        return "it is too short to mean anything later", "say who, what or why in a few words"
    if len(bare) <= LONGEST_TALK and is_small_talk(re.sub(_RESOLVED, "", bare)):
        return "it is small talk", "say what it was about"
    if re.search("[:#]|  ", text):  # any output of mem has one of these
        from memcli.remember.echo import is_echo  # its patterns are compiled only when needed

        if is_echo(text):
            return "it is what mem itself had printed", "leave that out"
    if _says_nothing(bare):
        return "it says nothing that could be asked for", "say who, what or why in a few words"
    if _is_printed(text):
        return "it is the output of a program", "say what was learnt from it"
    if not is_labelled and len(bare) <= LONGEST_TALK and _is_chatter(bare):
        return "it is chatter of the moment", "say who, what or why in a few words"
    return "", ""


def _is_chatter(text: str) -> bool:
    """Return whether a text is chatter without an event of a day, a time, or a way to reach somebody."""
    stated = re.search(_STATED, text)
    return is_chatter(text) and not stated and not tells_of_day(text) and not re.search(lessons(), text, re.I)


def _says_nothing(text: str) -> bool:
    """Return whether a text has nothing to search for: only function words, or random keys."""
    found_words = words.words(text)
    if not found_words or len(found_words) > MOST_EMPTY or re.search(r"\d", text):
        return _is_mash(text.strip().lower())
    alone = not words.CJK_RUN.search(text)
    return alone and (all(map(words.is_stop, found_words)) or all(map(_is_mash, found_words)))


def _is_mash(text: str) -> bool:
    """Return whether a text repeats one or two characters, or runs along the keyboard."""
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
    """Return whether most of a text is a program's output, without a word about what was learnt from it."""
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
        is_own = re.search(lesson, lines[0], re.I) or re.search(_OWN, beside)
        return not is_own and likeness_to_chatter(lines[0]) > 0  # people, too, write "Warning: the blue cable is live"
    code = [line for line in own if line.startswith(("    ", "\t"))]
    return (sum(traced) + len(code)) * 2 > len(lines)


@lru_cache(maxsize=1)
def programs() -> tuple[list[str], str, str]:
    """Return the cues that a printed text must hold, and two patterns for its lines. The first matches lines of
    programs, the second lines that nobody writes by hand."""
    found = list(rows(LANGUAGE_FOLDER / "errors.txt"))
    every, sure = ([way for row in found for way in row["says"] if sure <= ("sure" in row)] for sure in (False, True))
    cues = [cue for row in found for cue in row.get("cue", [])]
    return cues, rf"\s*(?:{expression(every)})", rf"\s*(?:{expression(sure)})"


@lru_cache(maxsize=1)
def lessons() -> str:
    """Return a pattern for words about what was learnt, in any language. Programs print English, but people comment
    in any language."""
    return "|".join(
        expression(row["says"]) for language in ("en", "zh") for row in rows(LANGUAGE_FOLDER / language / "worth.txt")
    )
