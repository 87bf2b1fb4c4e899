"""Read YAML within limits, with messages that a person can act on: a few lines of it can nest or unfold without end.

Importing a YAML parser costs 25 ms, so it happens only when needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from memcli.errors import VaultError
from memcli.message import Message
from memcli.text.later import compile_later

LARGEST = 2**18  # characters of a text
MOST = 20_000  # lines and commas, so about as many values; more would take seconds
DEEPEST = 100  # levels to which values may be nested
UNFOLDED = 10_000  # values that aliases may add to those written out
LONGEST_NUMBER = 250  # digits; Python takes time quadratic in their number to read some
SWITCHES = {"yes": True, "no": False, "on": True, "off": False}  # booleans for other programs, text for this one

_TOO_DEEP = f"nested more than {DEEPEST} levels deep"
_DIGITS = compile_later(r"0x[\da-fA-F_]+|[\d_:]+")
_STEEP = compile_later(rf"^[ \t?:-]{{{DEEPEST}}}", re.M)


def load(text: str, path: str, first_line: int = 1) -> Any:
    """Return the value of a YAML text. A mistake in it raises a VaultError that names file and line."""
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        return None  # mere comments need no parser
    if len(text) > LARGEST:
        raise _beyond(path, first_line, f"more than {LARGEST // 1024} KB of YAML")
    if text.count("\n") + text.count(",") > MOST:
        raise _beyond(path, first_line, f"more than {MOST:,} values")
    if len(text) > LONGEST_NUMBER and any(len(digits) > LONGEST_NUMBER for digits in _DIGITS.findall(text)):
        raise _beyond(path, first_line, f"a number of more than {LONGEST_NUMBER} digits")
    import yaml

    loader = loader_of_yaml()
    try:
        # Such a text might nest deep or unfold; others need not be parsed twice.
        if "&" in text or text.count("[") + text.count("{") > DEEPEST or _STEEP.search(text):
            _measured(yaml.parse(text, loader), path, first_line)
        return yaml.load(text, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        last = max(0, len(text.splitlines()) - 1)  # what is missing at the end is reported on the last line
        line = first_line + min(mark.line, last) if mark else first_line
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        if "maximum nesting depth" in what:  # libyaml has a limit of its own, and looks ahead
            raise _beyond(path, line, _TOO_DEEP) from error
        hint = Message("mend line {n} of {path}", n=line, path=path)
        raise VaultError("{place}: broken YAML: {WHAT}", hint, place=f"{path}:{line}", WHAT=what) from error
    except (ValueError, RecursionError, OverflowError) as error:  # such as a date of 2026-13-45
        place, hint = f"{path}:{first_line}", Message("mend {path}", path=path)
        raise VaultError("{place}: broken YAML: {WHAT}", hint, place=place, WHAT=str(error)) from error


@cache
def loader_of_yaml() -> Any:
    """Return the one loader of YAML: a key is the text that is written, and only `true` and `false` are booleans."""
    import yaml

    safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text, kinds = "tag:yaml.org,2002:str", ("bool", "int", "float", "null", "timestamp")
    others = {f"tag:yaml.org,2002:{kind}" for kind in kinds}

    class Loader(safe):  # type: ignore[misc]
        yaml_implicit_resolvers = {
            first: [(tag, form) for tag, form in rules if first in "tTfF" or not tag.endswith(":bool")]
            for first, rules in safe.yaml_implicit_resolvers.items()
        }

        def flatten_mapping(self, node: Any) -> None:
            super().flatten_mapping(node)
            for key, _ in node.value:
                if key.tag in others:
                    key.tag = text

    return Loader


def mapping(text: str, path: str, first_line: int = 1) -> dict[str, Any]:
    """Return the mapping (`key: value`) in a YAML text; {} when it is empty."""
    value = load(text, path, first_line)
    if value is None:
        return {}
    if not isinstance(value, dict):
        rows = [row.strip() for row in text.splitlines()]
        said = (n for n, row in enumerate(rows, first_line) if row not in ("", "---") and not row.startswith("#"))
        line = next(said, first_line)
        hint = Message("mend line {n} of {path}", n=line, path=path)
        why, kind = "{place}: expected 'key: value' lines, found a {kind}", type(value).__name__
        raise VaultError(why, hint, place=f"{path}:{line}", kind=kind)
    return {str(key): each for key, each in value.items()}


def key_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the keys of a mapping that can be read, and those of mappings in it as `key.below`, each with its line."""
    import yaml

    root = yaml.compose(text, loader_of_yaml())
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        yield str(key.value), key.start_mark.line + 1
        below = value.value if isinstance(value, yaml.MappingNode) else ()
        yield from ((f"{key.value}.{each.value}", each.start_mark.line + 1) for each, _ in below)


def _measured(events: Any, path: str, first_line: int) -> None:
    """Raise VaultError when a text nests too deep or its aliases stand for too much, before any value is built."""
    import yaml

    above: list[tuple[str | None, int]] = []  # for each open list or mapping: its anchor, and the count before it
    weights: dict[str, int] = {}  # for each anchor: the number of values below it, with aliases unfolded
    counted = unfolded = 0
    for event in events:
        line = first_line + event.start_mark.line
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = above.pop()
            if anchor:
                weights[anchor] = counted - before
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in weights:
                raise _beyond(path, line, f"*{event.anchor} stands for nothing that ends before it")
            counted += weights[event.anchor]
            unfolded += weights[event.anchor]
        elif isinstance(event, yaml.NodeEvent):
            if isinstance(event, yaml.CollectionStartEvent):
                above.append((event.anchor, counted))
            elif event.anchor:
                weights[event.anchor] = 1
            counted += 1
        if len(above) > DEEPEST:
            raise _beyond(path, line, _TOO_DEEP)
        if unfolded > UNFOLDED:
            raise _beyond(path, line, f"aliases that stand for more than {UNFOLDED:,} values")


def _beyond(path: str, line: int, name: str) -> VaultError:
    hint = Message("mend line {n} of {path}", n=line, path=path)
    return VaultError("{place}: broken YAML: {what}, left out", hint, place=f"{path}:{line}", what=name)
