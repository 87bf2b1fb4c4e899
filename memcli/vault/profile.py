"""Who the user is: the front matter of `USER.md`, read and changed."""

from __future__ import annotations

import re
from typing import Any

from memcli.errors import UsageError
from memcli.vault import entries, files, markdown
from memcli.vault.setting import Section, convert, setting
from memcli.vault.vault import Vault

FILE = "USER.md"
_KEY = re.compile(r"[^\W\d][\w-]*")


class Fields(Section):
    """What every profile may say; any other word can be a key, too."""

    name: str = setting("", "what you are called")
    occupation: str = setting("", "what you do")
    city: str = setting("", "where you live")
    language: str = setting("", "a language, like English or zh", like=r"[^\W\d_].*")
    timezone: str = setting("", "a time zone, like Asia/Shanghai")
    interests: tuple[str, ...] = setting((), "what you like to do")
    mbti: str = setting("", "four letters, like INTP", like=r"(?i:[EI][NS][FT][JP](-[AT])?)")
    age_range: Any = setting("", "how old you are, roughly")


KNOWN = tuple(Fields.settings)


def read(vault: Vault) -> dict[str, Any]:
    """All keys of the front matter, in their order."""
    return dict(of(files.read_or_empty(files.inside(vault.root, FILE), FILE).text))


def of(text: str) -> dict[str, Any]:
    head = _head(text)
    return entries.front_matter(FILE, head.text) if head else {}


def with_value(text: str, key: str, value: Any) -> str:
    """`USER.md` with one key set, or taken out when the value is None; made when there is none yet."""
    from memcli.vault import yaml_edit

    of(text)  # broken, it is named by the line of the file
    head = _head(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    if head is None:
        body = text.removeprefix("\ufeff")
        return f"---{newline}{yaml_edit.with_value('', FILE, [key], value)}---{newline}{body}"
    first, *inner, last = markdown.lines_of(head.text)
    new = yaml_edit.with_value("".join(inner), FILE, [key], value)
    return text[: head.start] + first + new + last + text[head.stop :]


def checked(key: str, value: Any) -> Any:
    """A value as the profile can hold it; UsageError when it makes no sense."""
    if not _KEY.fullmatch(key):
        raise UsageError(f"'{key}' is not a name for a line of the profile", "one word, like occupation")
    if key in KNOWN:
        convert(Fields.settings[key], value)
    if key == "timezone":
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(str(value))
        except (ValueError, OSError, KeyError) as error:
            raise UsageError(f"there is no timezone '{value}'", "as in Asia/Shanghai") from error
    return str(value).upper() if key == "mbti" else value


def _head(text: str) -> markdown.Block | None:
    return next((block for block in markdown.blocks(text)[:2] if block.kind == markdown.FRONT), None)
