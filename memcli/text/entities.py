"""Find the names, numbers and technical terms of an English or Chinese text. Two texts on one matter share them."""

from __future__ import annotations

import re

_NAME = (
    r"(?<=[\w,;:)] )[A-Z][\w'-]*[a-z][\w'-]*(?: [A-Z][\w'-]+)*"
    r"|\b(?:[A-Z]{2,}[\w.+-]*|\w*[a-z][A-Z]\w*|[A-Za-z]+[-_.]?\d[\w.-]*|\w+_\w+)\b|\d+(?:[.,:]\d+)*"
    r"|(?<=[一-鿿]) ?[A-Za-z][\w.+#-]+|《([^》]{1,20})》|“([^”]{1,8})”|[一-鿿]{2,4}(?:市|省|县|路|街|大学|医院|公司|银行)"
)


def entities(text: str) -> set[str]:
    """Return the names, numbers and technical terms of a text in lower case."""
    return {next(filter(None, [*match.groups(), match[0]])).strip().lower() for match in re.finditer(_NAME, text)}


def named_in_both(question: str, text: str) -> float:
    """Return the share, 0 to 1, of a question's entities that a text also has."""
    asked = entities(question)
    return len(asked & entities(text)) / len(asked) if asked else 0.0
