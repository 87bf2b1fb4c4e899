"""Reading YAML with messages a person can act on. Importing a YAML parser costs 25 ms, so it happens only when needed."""

from __future__ import annotations

import re
from typing import Any

from memcli.errors import VaultError

DEEPEST = 1000  # levels that the fast loader is trusted with


def load(text: str, path: str, first_line: int = 1) -> Any:
    """The value of a YAML text; a mistake in it becomes a VaultError that names file and line."""
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        return None  # nothing but comments needs no parser
    import yaml

    loader = yaml.SafeLoader if _deep(text) else getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(text, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        last = max(0, len(text.splitlines()) - 1)  # what is missing at the end is missed on the last line
        line = first_line + min(mark.line, last) if mark else first_line
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise VaultError(f"{path}:{line}: broken YAML: {what}", f"mend line {line} of {path}") from error
    except (ValueError, RecursionError, OverflowError) as error:  # a date of 2026-13-45, nesting beyond reason
        raise VaultError(f"{path}:{first_line}: broken YAML: {error}", f"mend {path}") from error


def mapping(text: str, path: str, first_line: int = 1) -> dict[str, Any]:
    """The same where only a mapping (`key: value`) makes sense; empty is an empty one."""
    value = load(text, path, first_line)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise VaultError(f"{path}:{first_line}: expected 'key: value' lines, found a {type(value).__name__}")
    return {str(key): each for key, each in value.items()}


def _deep(text: str) -> bool:
    """Whether a text might nest so deep that libyaml would take the process down; the Python loader raises instead."""
    flows = text.count("[") + text.count("{")
    return flows > DEEPEST or re.search(rf"^[ \t?:-]{{{2 * DEEPEST}}}", text, re.M) is not None
