"""Extract the typed words of a prompt, without pasted text. A prompt that no person typed counts as empty.

The phrases stand in `language/*/prompts.txt`. Pasted text is recognised by its shape, in every language.
"""

from __future__ import annotations

import re
from functools import cache

from memcli.text import phrases, small_talk, transcripts, words
from memcli.text.later import compile_later

READ = 20_000  # characters of a prompt that are read
LONGEST = 1500  # characters of the typed text that become the question
MOSTLY = 0.35  # a line counts as pasted if more than this share is neither letters nor spaces
FEW = 12  # characters; a shorter line has too little shape to judge
NOT_TYPED = ("agent", "auto", "cron", "hook", "notification", "schedul", "system", "task", "tool")  # in a `source`

_FENCED = compile_later(r"^[ \t]*(```+|~~~+)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.S | re.M)
_OBJECT = compile_later(r"[{\[][^{}\[\]\n\"']*[\"'][^{}\[\]\n:]*:[^{}\[\]\n]*[}\]]")
_COMMAND = compile_later(r"^\s*/[\w:-]+(?=\s)")
# How lines of logs, diffs, traces, listings and programs begin.
_PASTED = compile_later(
    r"""\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d[.,\]\s] | [A-Z][a-z]{2}\s+\d+\s\d\d:\d\d:\d\d  # stamps
      | diff\ --git | @@\s | index\ [0-9a-f]{7} | (?:\+\+\+|---)\s\S | [+-](?:\s{2,}|[^\s\w]|[A-Za-z_].*[;{}()=\]]$)
      | Traceback\ \( | File\ "[^"]+",\ line | at\s+[\w.$<>\[\]/]+\s?\( | Caused\ by: | \.\.\.\ \d+\ more
      | [A-Za-z][\w.$]*(?:Error|Exception|Warning)\b\s*(?:[:(]|$) | error(?:\[\w+\])?:\s
      | (?:npm|yarn|pip|cargo)\ (?:ERR|WARN|error)
      | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|E|FAILED|PASSED)\s+\S*[:.\[/(=\d] | \d+\s*\|\s | [$%]\s\S
      | (?:def|fn|func|function)\s+\w*\s*\( | class\s+[A-Za-z]\w*\s*[:({] | (?:const|let|var)\s+[A-Za-z_]\w*\s*[=:;]
      | (?:private|public|protected|static)\s+[A-Za-z].*[;{=] | from\s+[\w.]+\s+import\b
      | import\s+[\w.{*]+(?:\s+(?:as|from)\b|;|$)
      | return\b.*;$ | \#include\b | </?\w[^>]*>$ | [}\])]+[;,]?$
      | [A-Za-z_][\w.]*\(.*\)[;:]?$ | [A-Za-z_][\w.\[\]]*\s*[-+*/|&]?=\s*\S | \S+:\d+:(?:\d+:)?\s""",
    re.X,
)


def typed_text(text: str, source: str = "") -> str:
    """Return the text that a person typed, or "" if nobody typed it or it is mere small talk."""
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
    """Return whether a text only tells the agent to go on, such as "continue": all of its words are in the table."""
    known = {language: _go_on_words(language) for language in phrases.languages(text)}
    latin = set(words.words(text)) <= known.get("en", frozenset())
    return latin and all(_is_made_of(run, known["zh"]) for run in words.CJK_RUN.findall(text))


@cache
def _go_on_words(language: str) -> frozenset[str]:
    found = [
        line for row in phrases.table("hook/orders", language) if row["sign"] == ["go on"] for line in row["words"]
    ]
    return frozenset(" ".join(found).split())


def _is_made_of(run: str, known: frozenset[str]) -> bool:
    """Return whether a run of Chinese characters can be cut into known words."""
    ends = {0}
    for at in range(1, len(run) + 1):
        if any(at - size in ends and run[at - size : at] in known for size in range(1, 5)):
            ends.add(at)
    return len(run) in ends


def _without_pasted(text: str) -> str:
    """Return the lines that were typed, without JSON objects in them."""
    lines = [line for line in text.split("\n") if not is_pasted(line)]
    return _OBJECT.sub(" ", "\n".join(lines))


def is_pasted(line: str) -> bool:
    """Return whether a line looks like part of a log, a diff, a trace or a program."""
    line = line.strip()
    if line.startswith(">") or _PASTED.match(line):
        return True
    letters = sum(sign.isalpha() or sign.isspace() for sign in line)
    return len(line) >= FEW and not words.CJK_RUN.search(line) and letters < (1 - MOSTLY) * len(line)
