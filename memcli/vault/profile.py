"""Read and change the profile of the user, the front matter of `USER.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memcli.errors import UsageError
from memcli.text.later import compile_later
from memcli.vault import entries, files, markdown, names
from memcli.vault.setting import Section, convert, setting
from memcli.vault.vault import Vault

FILE = "USER.md"
_KEY = compile_later(r"[^\W\d][\w-]*")


class ProfileFields(Section):
    """Define the fields that every profile may have; any other word can be a key, too."""

    name: str = setting("", "what you are called")
    occupation: str = setting("", "what you do")
    city: str = setting("", "where you live")
    language: str = setting("", "a language, like English or zh", like=r"[^\W\d_].*")
    timezone: str = setting("", "a time zone, like Asia/Shanghai")
    interests: tuple[str, ...] = setting((), "what you like to do")
    mbti: str = setting("", "a type like INTP or ENFP", like=r"(?i:[EI][NS][FT][JP](-[AT])?)")
    age_range: Any = setting("", "how old you are, roughly")


KNOWN = tuple(ProfileFields.settings)


def read_profile(vault: Vault) -> dict[str, Any]:
    """Return all keys and values of the front matter, in their order."""
    return dict(profile_in(files.read_or_empty(files.inside(vault.root, FILE), FILE).text))


def is_told(value: object) -> bool:
    """Return whether a field has a value: `false` and 0 count, an empty text or list does not."""
    return value not in (None, "", [], ())


def profile_in(text: str) -> dict[str, Any]:
    return {field_name(key): value for key, value in _written(text).items()}


def _written(text: str) -> dict[str, Any]:
    """Return the front matter with its keys as they are written: 城市 stays 城市."""
    head = _head(text)
    return entries.front_matter(FILE, head.text) if head else {}


def field_name(key: str) -> str:
    """Return the known field that a key names, `city` for 城市, or the key itself when it names none."""
    if key in KNOWN or key.isascii():  # most keys are, and every recall reads them
        return key
    return known if (known := names.profile_names().get(names.folded(key), "")) in KNOWN else key


def matching_key(values: Mapping[str, Any], key: str) -> str:
    """Return the key among `values` that names the same field as `key`, else the known field, else `key`."""
    if key in values:
        return key
    field = names.profile_names().get(names.folded(key), key)
    same = (each for each in values if names.profile_names().get(names.folded(each), each) == field)
    return next(same, field if field in KNOWN else key)


def with_value(text: str, key: str, value: Any) -> str:
    """Return the text of `USER.md` with one key set, or removed when the value is None."""
    from memcli.vault import yaml_edit

    written = _written(text)  # an error names the line of the file
    key, *others = [each for each in reversed(written) if matching_key({each: 1}, key) == each] or [
        matching_key({}, key)
    ]
    for other in others:  # a field stands only once, whatever it was called
        text = with_value(text, other, None)
    head = _head(text)
    newline = markdown.newline_of(text)
    if head is None:
        body = text.removeprefix("\ufeff")
        return f"---{newline}{yaml_edit.with_value('', FILE, [key], value)}---{newline}{body}"
    first, *inner, last = markdown.lines_of(head.text)
    new = yaml_edit.with_value("".join(inner), FILE, [key], value)
    return text[: head.start] + first + new + last + text[head.stop :]


def check_value(key: str, value: Any) -> Any:
    """Return a value as the profile can hold it. Raise UsageError when it makes no sense."""
    if not _KEY.fullmatch(key):
        raise UsageError("'{key}' is not a name for a line of the profile", "one word, like occupation", key=key)
    if key in KNOWN:
        convert(ProfileFields.settings[key], value)
    if key == "timezone":
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(str(value))
        except (ValueError, OSError, KeyError) as error:
            raise UsageError("there is no timezone '{value}'", "as in Asia/Shanghai", value=value) from error
    return str(value).upper() if key == "mbti" else value


def _head(text: str) -> markdown.MarkdownBlock | None:
    return next((block for block in markdown.blocks(text)[:2] if block.kind == markdown.FRONT), None)
