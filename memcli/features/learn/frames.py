"""Blank out words of a message that are not its author's own: quotes, text to translate, roles they play.

Each blanked character is replaced by one sign, so that the rest keeps its position.
"""

from __future__ import annotations

import re
from bisect import bisect

from memcli.features.learn.language import Language, languages_of, normalized
from memcli.text import words

BLANK = "\ue000"  # replaces words that are not the user's; no rule matches it
# No quote holds its own opening sign: a row of signs that nobody closes is read once, not once for each.
_QUOTES = re.compile(
    r"“[^“”\n]+”|\"[^\"\n]+\"|「[^「」\n]+」|『[^『』\n]+』|【[^【】\n]+】|《[^《》\n]+》"
    r"|\bquote\b[^\n]{3,2000}?\b(?:unquote|end quote)\b"  # a dictated quote
    r"|‘[^‘’\n]{6,}’|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w)"
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b|我|咱|俺", re.I)
_BEGINS = re.compile(r"\s*(?:i|i'm|i've|my|we|our)\b|\s*(?:我|咱|俺)", re.I)
_LONG_QUOTE = 7  # words or Chinese characters: longer than a name or a term
_LONGEST_LEAD = 500  # characters before a colon that may announce pasted text
_COLON = re.compile(r"[:：](?!//|\d|[a-z_]+:)(?<!\d:)|\n")
# Lines not by a person: of a log, a program or a list of settings; the head of a mail with what follows at once; a
# comment of a page; a JSON object.
_MAIL = r"(?:From|To|Cc|Bcc|Subject|Sent|Date|发件人|收件人|主题|发送时间)[:：][^\n]*\n"
_STATEMENT = r"(?:const|let|var|def|class|import|from|return|public|SELECT|INSERT|UPDATE|DELETE)\b[^\n]*[=({*;:][^\n]*"
_WRITTEN = re.compile(
    r"^[ \t]*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b)[^\n]*$"
    r"|^[ \t]*(?:npm (?:ERR|WARN)|Traceback )[^\n]*$"
    rf"|^{_MAIL}(?:[^\n]*\S[^\n]*(?:\n|\Z))*|<!--[\s\S]{{0,5000}}?-->|\{{[ \t]*\"[^\n]{{0,5000}}\}}"
    rf"|^[ \t]*(?:{_STATEMENT}|[\w.]+[ \t]*=[ \t]*[\w.]*[\[({{'\"][^\n]*|[\w.]+\([^\n]*\);?|[{{}}\[\]();]+)[ \t]*$",
    re.M,
)
_SENTENCE_END = re.compile(r"[.!?。！？\n]\s*")


def without_foreign_words(text: str) -> str:
    """Return the text with quotes and pasted material blanked out."""
    text = _WRITTEN.sub(lambda match: _blank(match[0]), text)
    return _without_material(without_quotes(text))


def without_quotes(text: str) -> str:
    """Return the text with the quoted speech of others blanked out."""
    return _QUOTES.sub(lambda match: _blank(match[0]) if _is_speech(match[0]) else match[0], text)


def begins_role(text: str) -> bool:
    """Return whether the text asks to play a role from here on."""
    return _has_sign(text, "play")


def ends_role(text: str) -> bool:
    return _has_sign(text, "play_over")


def asks_not_to_keep(sentence: str) -> bool:
    """Return whether a sentence asks to keep nothing of it: `130 kilos, don't save that`."""
    return _has_sign(sentence, "not_kept") or takes_back(sentence)


def takes_back(sentence: str) -> bool:
    """Return whether a sentence asks to forget what was said before it."""
    return _has_sign(sentence, "not_kept_before")


def says_it_was_a_joke(sentence: str) -> bool:
    """Return whether a sentence says that what was said before it is not so."""
    return _has_sign(sentence, "joked")


def _has_sign(text: str, sign: str) -> bool:
    return any(language.signs[sign].search(normalized(text)) for language in languages_of(text))


def _is_speech(quoted: str) -> bool:
    """Return whether quoted text is speech, and no name or term."""
    inner = quoted[1:-1]
    return (
        bool(_FIRST_PERSON.search(normalized(inner)))
        or len(words.WORD.findall(inner)) + len("".join(words.CJK_RUN.findall(inner))) > _LONG_QUOTE
    )


def _without_material(text: str) -> str:
    """Blank out everything after `Translate this:` and similar leads, to the end of the message."""
    low = normalized(text)
    languages = languages_of(text)
    ends = [(end.start(), end.end()) for end in _SENTENCE_END.finditer(low)]
    for colon in _COLON.finditer(low):
        window = max(0, colon.start() - _LONGEST_LEAD)
        stop = window + len(low[window : colon.start()].rstrip(" ?？\n"))
        before = bisect(ends, (stop,))
        start = max(min(ends[before - 1][1], stop) if before else 0, window)
        lead = low[start:stop].strip()
        speech = colon[0] != "\n" and _BEGINS.match(low, colon.end())
        if lead and any(_announces(language, lead, bool(speech)) for language in languages):
            return text[: colon.end()] + _blank(text[colon.end() :])
    return text


def _announces(language: Language, lead: str, speech: bool) -> bool:
    """Return whether a lead announces pasted material. An `I` after a colon is somebody else's, unless the lead is
    the user's."""
    signs = language.signs
    return bool(signs["material"].search(lead)) or (speech and not signs["own_lead"].search(lead))


def _blank(text: str) -> str:
    return "".join(sign if sign == "\n" else BLANK for sign in text)
