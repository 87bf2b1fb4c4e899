"""Read a repository's own `config` without git, and find keys that `config_keys.txt` does not list as harmless."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from memcli.text.later import compile_later
from memcli.text.tables import rows

_BOOL = "true|false|yes|no|on|off|1|0|"
# Keys that say how this repository stores things, with the values that are harmless.
_PLAIN = {
    "core.repositoryformatversion": "0|1",
    "core.filemode": _BOOL,
    "core.ignorecase": _BOOL,
    "core.precomposeunicode": _BOOL,
    "core.symlinks": _BOOL,
    "core.autocrlf": _BOOL + "|input",
    "core.eol": "lf|crlf|native",
    "core.safecrlf": _BOOL + "|warn",
    "extensions.objectformat": "sha1|sha256",
    "user.name": r"[^\x00-\x1f<>]*",
    "user.email": r"[^\x00-\x1f<>]*",
}
_SECTION = compile_later(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]')
_KEY = compile_later(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*")
_ESCAPED = compile_later(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
UNREADABLE = "what no git config has"
KEYS = Path(__file__).with_name("config_keys.txt")

Pair = tuple[str, str]


def parse(text: str) -> list[Pair]:
    """Return every key with its value, in order; text that can't be parsed has the key UNREADABLE."""
    pairs: list[Pair] = []
    section, at = "", 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] in "#;":
            at = _line_end(text, at)
        elif match := _SECTION.match(text, at):
            section = match[1].lower() + ("" if match[2] is None else "." + _ESCAPED.sub(r"\1", match[2]))
            at = match.end()
        elif section and (match := _KEY.match(text, at)):
            value, at = _value(text, match.end()) if match[2] else ("true", _line_end(text, at))
            pairs.append((f"{section}.{match[1].lower()}", value))
        else:
            end = _line_end(text, at)
            pairs.append((UNREADABLE, text[at:end].strip()))
            at = end
    return pairs


def asking(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs of a repository's config that are not known to be harmless, without the addresses of remotes."""
    for name, value in pairs:
        harmless = (
            _is_plain(name, value)
            or any(fnmatchcase(name.lower(), each) for each in _harmless())
            or re.fullmatch(r"remote\..*\.(push)?url", name)
        )
        if not harmless and (name, value) != ("core.bare", "false") and not _is_refspec(name, value):
            yield name, value


def _is_plain(name: str, value: str) -> bool:
    return (
        name in _PLAIN and re.fullmatch(_PLAIN[name], value if name.startswith("user.") else value.lower()) is not None
    )


@cache
def _harmless() -> list[str]:
    """Return the patterns of `config_keys.txt`."""
    return [pattern for row in rows(KEYS) for line in row["harmless"] for pattern in line.split()]


def _is_refspec(name: str, value: str) -> bool:
    """Return whether this is the usual way to fetch a remote's branches: each to its own place."""
    match = re.fullmatch(r"remote\.(.*)\.fetch", name)
    return match is not None and bool(
        re.fullmatch(rf"\+?refs/heads/([\w./-]+|\*):refs/remotes/{re.escape(match[1])}/\1", value)
        or value == f"+refs/heads/*:refs/remotes/{match[1]}/*"
    )


def _value(text: str, at: int) -> tuple[str, int]:
    """Return one value as git reads it, and the offset after it: quotes, escapes, continued lines, comments."""
    out: list[str] = []
    quoted, solid = False, 0  # the length without trailing blanks
    while at < len(text):
        sign = text[at]
        if sign == "\n":
            break
        if sign == "\\" and at + 1 < len(text):
            at += 3 if text[at + 1 : at + 3] == "\r\n" else 2
            if text[at - 1] != "\n":
                out.append(_ESCAPES.get(text[at - 1], text[at - 1]))
                solid = len(out)
            continue
        if sign in "#;" and not quoted:
            at = _line_end(text, at)
            break
        if sign == '"':
            quoted, solid = not quoted, len(out)
        else:
            out.append(sign)
            solid = len(out) if quoted or not sign.isspace() else solid
        at += 1
    return "".join(out[:solid]), at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
