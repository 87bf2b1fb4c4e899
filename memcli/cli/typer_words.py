"""Turn typer's error messages into messages of `mem`, so that they can be translated."""

from __future__ import annotations

import re

from memcli.message import Message

_INT, _FLOAT = "not a whole number", "not a number"  # typer names the type of Python
# Typer returns whole sentences, so these templates extract the values. A longer template comes before a shorter one.
_SENTENCES = (
    "no such option: {option} (Possible options: {options})",
    "no such option: {option} (Possible option: {options})",
    "no such option: {option} Did you mean {options}?",
    "no such option: {option}",
    "no such command '{command}'. Did you mean {options}?",
    "no such command '{command}'",
    "invalid value for {option}: {value} is not a whole number",
    "invalid value for {option}: {value} is not a number",
    "invalid value for {option}: {value}",
    "missing argument '{argument}'",
    "option {option} requires an argument",
)
_EXTRA = re.compile(r"Got unexpected extra argument\S* \((.*)\)", re.S)  # one word or several


def translate_typer(text: str) -> str:
    """Return typer's sentence as a message."""
    if extra := _EXTRA.fullmatch(text):
        return Message("not understood: {argument}", argument=extra[1])
    text = f"{text[:1].lower()}{text[1:]}".rstrip(".")
    text = text.replace(" is not a valid int", f" is {_INT}").replace(" is not a valid float", f" is {_FLOAT}")
    for sentence in _SENTENCES:
        if match := re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(sentence)), text, re.S):
            return Message(sentence, **match.groupdict())
    return text
