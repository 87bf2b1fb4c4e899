"""What a person asked for in a prompt: without what was pasted, and nothing at all where no person typed it.

The forms of language stand in `language/*/prompts.txt`; what is pasted is told by its shape, which no language has.
"""

from __future__ import annotations

import re
from functools import cache

from memcli.text import phrases, small_talk, transcripts, words

READ = 20_000  # characters of a prompt that are looked at
LONGEST = 1500  # characters of what was typed that are asked for
MOSTLY = 0.35  # share of a line that is neither letters nor spaces, from which on nobody typed it
FEW = 12  # characters; so short a line says nothing by its shape
NOT_TYPED = ("agent", "auto", "cron", "hook", "notification", "schedul", "system", "task", "tool")  # in a `source`

_FENCED = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.S | re.M)
_OBJECT = re.compile(r"[{\[][^{}\[\]\n]*[\"'][^{}\[\]\n]*:[^{}\[\]\n]*[}\]]")
_COMMAND = re.compile(r"^\s*/[\w:-]+(?=\s)")
# How a line of a log, a diff, a trace, a listing or a program begins.
_PASTED = re.compile(
    r"""\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d[.,\]\s] | [A-Z][a-z]{2}\s+\d+\s\d\d:\d\d:\d\d  # stamps
      | diff\ --git | @@\s | index\ [0-9a-f]{7} | (?:\+\+\+|---)\s\S | [+-](?:\s{2,}|[^\s\w]|[A-Za-z_].*[;{}()=\]]$)
      | Traceback\ \( | File\ "[^"]+",\ line | at\s+[\w.$<>\[\]/]+\s?\( | Caused\ by: | \.\.\.\ \d+\ more
      | [A-Za-z][\w.$]*(?:Error|Exception|Warning)\b\s*(?:[:(]|$) | error(?:\[\w+\])?:\s
      | (?:npm|yarn|pip|cargo)\ (?:ERR|WARN|error)
      | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|E|FAILED|PASSED)\s+\S*[:.\[/(=\d] | \d+\s*\|\s | [$%]\s\S
      | (?:def|fn|func|function)\s+\w*\s*\( | class\s+[A-Za-z]\w*\s*[:({] | (?:const|let|var)\s+[A-Za-z_]\w*\s*[=:;]
      | (?:private|public|protected|static)\s+[A-Za-z]\w*.*[;{=] | from\s+[\w.]+\s+import\b
      | import\s+[\w.{*]+(?:\s+(?:as|from)\b|;|$)
      | return\b.*;$ | \#include\b | </?\w[^>]*>$ | [}\])]+[;,]?$
      | [A-Za-z_][\w.]*\(.*\)[;:]?$ | [A-Za-z_][\w.\[\]]*\s*[-+*/|&]?=\s*\S | \S+:\d+:(?:\d+:)?\s""",
    re.X,
)


def typed(text: str, source: str = "") -> str:
    """What a person typed and may want to be remembered of; empty where nobody did, or where it is talk alone."""
    text = text[:READ].strip()
    low = source.lower()
    if not text or any(word in low for word in NOT_TYPED):
        return ""
    text = transcripts.own_words(text)
    text = _COMMAND.sub("", transcripts.untagged(_FENCED.sub("\n", text)))
    text = _without_pasted(text).strip()[:LONGEST]
    if not any(map(str.isalpha, text)) or goes_on(text) or small_talk.is_small_talk(text):
        return ""
    return text


def goes_on(text: str) -> bool:
    """Whether it is an order to go on and nothing else: every word of it is one of the table."""
    known = {language: _go_on_words(language) for language in phrases.languages(text)}
    latin = set(words.words(text)) <= known.get("en", frozenset())
    return latin and all(_is_made_of(run, known["zh"]) for run in words.CJK_RUN.findall(text))


@cache
def _go_on_words(language: str) -> frozenset[str]:
    found = [line for row in phrases.table("prompts", language) if row["sign"] == ["go on"] for line in row["words"]]
    return frozenset(" ".join(found).split())


def _is_made_of(run: str, known: frozenset[str]) -> bool:
    """Whether a run of signs can be cut into words of the table."""
    ends = {0}
    for at in range(1, len(run) + 1):
        if any(at - size in ends and run[at - size : at] in known for size in range(1, 5)):
            ends.add(at)
    return len(run) in ends


def _without_pasted(text: str) -> str:
    """The lines that were typed, without objects of a program in them."""
    lines = [line for line in text.split("\n") if not is_pasted(line)]
    return _OBJECT.sub(" ", "\n".join(lines))


def is_pasted(line: str) -> bool:
    """Whether a line comes from a log, a diff, a trace or a program, by its shape."""
    line = line.strip()
    if line.startswith(">") or _PASTED.match(line):
        return True
    letters = sum(sign.isalpha() or sign.isspace() for sign in line)
    return len(line) >= FEW and not words.CJK_RUN.search(line) and letters < (1 - MOSTLY) * len(line)
