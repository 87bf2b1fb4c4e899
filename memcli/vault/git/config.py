"""A repository's own `config`, read without git, and what its keys may do: `config_keys.txt` lists what is harmless.

What is on no list there counts only after `mem trust`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from memcli.text.tables import rows

_BOOL = "true|false|yes|no|on|off|1|0|"
# Keys that say how this repository stores things. Only these are ever taken over, by value, and only such values.
_KEPT = {
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
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]')
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*")
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
UNREADABLE = "what no git config has"
KEYS = Path(__file__).with_name("config_keys.txt")

Pair = tuple[str, str]


def parse(text: str) -> list[Pair]:
    """Every key with its value, in order; what can't be understood is a pair of its own, called UNREADABLE."""
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


def kept(pairs: Iterable[Pair]) -> dict[str, str]:
    """What of a repository's config is taken over: the last value of each key that may be."""
    return {name: value for name, value in pairs if _is_kept(name, value)}


def asking(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """What in a repository's config is not known to be harmless. Remotes are looked at by `remotes`."""
    for name, value in pairs:
        harmless = _is_kept(name, value) or _is_any(name, "harmless") or re.fullmatch(r"remote\..*\.(push)?url", name)
        if not harmless and (name, value) != ("core.bare", "false") and not _is_refspec(name, value):
            yield name, value


def stores(name: str) -> bool:
    """Whether a key changes what is stored, so that without trust not even a commit can be made."""
    return name == UNREADABLE or name in _KEPT or _is_any(name, "stores")


def written(values: Iterable[Pair]) -> str:
    """These keys as the text of a config."""
    lines = []
    for name, value in values:
        section, _, key = name.rpartition(".")
        head, _, rest = section.partition(".")
        lines.append(f"[{head} {_quoted(rest)}]" if rest else f"[{head}]")
        lines.append(f"\t{key} = {_quoted(value)}")
    return "\n".join(lines) + "\n"


def _is_kept(name: str, value: str) -> bool:
    return name in _KEPT and re.fullmatch(_KEPT[name], value if name.startswith("user.") else value.lower()) is not None


def _is_any(name: str, kind: str) -> bool:
    lower = name.lower()
    return any(fnmatchcase(lower, pattern) for pattern in _keys()[kind])


@cache
def _keys() -> dict[str, list[str]]:
    """The patterns of `config_keys.txt`: those of keys that are harmless, and of those that change what is stored."""
    return {kind: " ".join(lines).split() for row in rows(KEYS) for kind, lines in row.items()}


def _is_refspec(name: str, value: str) -> bool:
    """Whether this is how a remote's branches are always fetched: each to its own place."""
    match = re.fullmatch(r"remote\.(.*)\.fetch", name)
    return match is not None and bool(
        re.fullmatch(rf"\+?refs/heads/([\w./-]+|\*):refs/remotes/{re.escape(match[1])}/\1", value)
        or value == f"+refs/heads/*:refs/remotes/{match[1]}/*"
    )


def _value(text: str, at: int) -> tuple[str, int]:
    """One value as git reads it: quotes, escapes, continued lines, comments."""
    out: list[str] = []
    quoted, solid = False, 0  # up to where what is written ends in something else than blanks
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


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
