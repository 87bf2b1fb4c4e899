"""Say something to a person: an English text that remembers how it was made, to be told in another language.

The English template is the key. Beside it, in the table `language/*/messages.txt` of its feature, stand its words in
other languages. `memcli/text/messages.py` finds them.
"""

from __future__ import annotations


class Message(str):
    """A message with named values: `Message("no open task holds '{words}'", words=words)`.

    It is its English text. A name in capitals, `{WHY}`, stands for a value that is told in the person's language, too.
    `{s}` is the plural of `{n}`. What is cut from a message, or joined to it with `+`, is plain English again.
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
    """Return a text with its values as a message; without any it stays as it is, braces and all."""
    return Message(text, **values) if values else text


def joined(*parts: str, by: str = "; ") -> str:
    """Return the parts that say something as one message, with this between them."""
    said = [part for part in parts if part]
    whole = said[0] if said else ""
    for part in said[1:]:
        whole = Message("{A}" + by + "{B}", A=whole, B=part)
    return whole


def some(parts: list[str] | tuple[str, ...], most: int) -> str:
    """Return a list of at most so many parts, with the number of those that are left out."""
    listed, more = joined(*parts[:most], by=", "), len(parts) - most
    return Message("{A} and {n} more", A=listed, n=more) if more > 0 else listed
