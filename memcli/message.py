"""Define the message to a person: an English text that keeps its template and values, so that it can be translated.

The English template is the key. The table `language/*/messages.txt` of its feature has the translations.
`memcli/text/messages.py` finds them.
"""

from __future__ import annotations


class Message(str):
    """Hold a message with named values: `Message("no open task holds '{words}'", words=words)`.

    As a string it is the English text. A value whose name is in capitals, `{WHY}`, is translated, too. `{s}` is the
    plural of `{n}`. A slice of a message, or the result of `+`, is a plain string.
    """

    key: str
    values: dict[str, object]

    def __new__(cls, key: str, /, **values: object) -> Message:
        if "{s}" in key and "s" not in values:
            values["s"] = "" if str(values["n"]) == "1" else "s"
        message = super().__new__(cls, key.format(**values))
        message.key, message.values = key, values
        return message

    def __str__(self) -> str:
        """Return the message itself: `str(error)` keeps what it was made of."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """Copy and pickle it by key and values."""
        return (self.key,), self.values


def filled(text: str, values: dict[str, object]) -> str:
    """Return a message made of a text and its values. Without values, braces in the text are kept."""
    return Message(text, **values) if values else text


def joined(*parts: str, by: str = "; ") -> str:
    """Join the parts that are not empty to one message, separated by `by`."""
    present = [part for part in parts if part]
    whole = present[0] if present else ""
    for part in present[1:]:
        whole = Message("{A}" + by + "{B}", A=whole, B=part)
    return whole


def some(parts: list[str] | tuple[str, ...], most: int) -> str:
    """Join at most `most` parts, and add how many were left out."""
    listed, more = joined(*parts[:most], by=", "), len(parts) - most
    return Message("{A} and {n} more", A=listed, n=more) if more > 0 else listed
