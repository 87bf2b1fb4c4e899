"""Map the names that people give fields to those of the files, by the tables `keys.txt` and `profile.txt`."""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.text import phrases
from memcli.text.later import compile_later

TYPE, PREFERENCE = "type", "preference"
NEAR = 0.8  # likeness from which on a type is taken for a slip

# What one must do is a task if it is to be done once, by a day: "need to sleep before the match" is none.
_DUE = r"(?!(?:be|get|go|wait|eat|sleep|leave|know)\b)(?![^.;]*\b(?:every|each|always|usually|when|if)\b)"
_DUE += r"(?=[^.;]*\b(?:by|before) (?:the |this |next |my )*(?:end|tomorrow|tmrw|week|month|year|x-?mas|christmas"
_DUE += r"|easter|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)(?:[a-z]*day)?\b"
_DUE += r"|(?:january|february|march|april|august|september|october|november|december)\b"
_DUE += r"|\d+(?:st|nd|rd|th|/\d| [a-z]{3})))"
_DUE_CHINESE = r"(?![知到])(?=在?[^，,。不没]{0,6}(?:\d[号日]?|[周期月年]末?|周.|星期.|礼拜.|月底|年底|明天|后天|节)(?:之前|以前|前)(?![面天年的台后夕]))"
_MUST = r"(?:I |I['’]ve )?(?:have|need|got|have got) to |I must "
_DUTY = compile_later(rf"\s*(?:(?i:(?:{_MUST}){_DUE})|我?(?:得|要|必须|需要)(?!是|了){_DUE_CHINESE})\s*(?=\S)")
_DUTY_BEGINS = tuple("IiHhNnGg我得要必需")  # its pattern is slow to compile


def type_name(name: str) -> str:
    """Return the type that a word means: decision for 决定 and decisions. Any other word is a type of its own."""
    return _table(TYPE).get(folded(name), name)


def find_near_type(name: str) -> str:
    """Return the known type that is probably meant by an unknown one, decision for decison, or ""."""
    known = {*_table(TYPE), *_table(TYPE).values()}
    if name in known:
        return ""
    import difflib  # few types are unknown

    close = difflib.get_close_matches(name, sorted(known), 1, NEAR)
    return type_name(close[0]) if close else ""


def task_in(text: str) -> str:
    """Return what is to be done if a text begins as a task does, `todo: …`, `need to … by Friday` or 待办：…, else ""."""
    match = _task_lead().match(text)
    if not match and text.lstrip()[:1] in _DUTY_BEGINS:
        match = _DUTY.match(text)
    return text[match.end() :] if match else ""


@lru_cache(maxsize=1)
def _task_lead() -> re.Pattern[str]:
    called = [name.replace(" ", "[ -]?") for name, key in _table(TYPE).items() if key == "task"]
    chinese = "|".join(name for name in called if not name.isascii())
    asked = "(?i:(?:please )?(?:remind me to|don['’]?t forget to|remember to) )|提醒我(?:一下)?"
    asked += "|(?:千万)?(?:别|不要)忘(?:[了记]|(?![了记]))(?!我|你|他|她|的)(?:要|去)?"
    asked += "|要?记得(?!小时|那|他|她|以前|当时|上次|是|有|第|我|你|吗|[^，,。]*[了过吗])(?:要|去)?"
    asked += (
        "|(?i:to-?do )(?!(?:lists?|items?|notes?|apps?|boards?|files?|is|are|was|were|has|had|on|in|for|at|from|of)\\b)"
    )
    asked += "|要(?=[买办交做带取]\\s?[:：])|(?i:to (?=buy:))"
    return re.compile(rf"\s*(?:(?i:task|{'|'.join(called)})\s*[:：]|TODO\b|(?:{chinese})(?=\s)|{asked})\s*(?=\S)")


def preference_name(key: str) -> str:
    """Return the common name of a preference's spellings: `avoid 延安路` for avoid_延安路 and 避开延安路, and
    `coffee tea` for tea_coffee and coffee_tea."""
    plain = folded(key)
    if plain.isascii():
        return " ".join(sorted(plain.split()))
    if plain in (table := _table(PREFERENCE)):
        return table[plain]
    verb = next((word for word in _verbs() if plain.startswith(word)), "")
    return f"{_verbs()[verb]} {plain[len(verb) :].strip()}" if verb else plain


@lru_cache(maxsize=1)
def profile_names() -> dict[str, str]:
    """Return the profile's fields by every name that people have for them."""
    return {
        folded(name): row["sign"][0]
        for language in phrases.LANGUAGES
        for row in phrases.table("profile", language)
        for name in row.get("names", [""])[0].split(", ")
        if name
    }


def folded(name: str) -> str:
    """Return the form of a name in which different spellings are equal."""
    return re.sub(r"[_\s-]+", " ", name).strip().casefold()


@lru_cache(maxsize=2)
def _table(kind: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for language in phrases.LANGUAGES:
        for row in phrases.table("keys", language):
            if row["kind"] == [kind]:
                found |= dict.fromkeys(map(folded, row["names"][0].split(", ")), row["key"][0])
    return found


@lru_cache(maxsize=1)
def _verbs() -> dict[str, str]:
    rows = [row for language in phrases.LANGUAGES for row in phrases.table("keys", language) if "verb" in row]
    return {name: row["key"][0] for row in rows for name in row["names"][0].split(", ")}
