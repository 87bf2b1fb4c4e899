"""Read `labels.yaml`, names for places and people; look labels up exactly or roughly, and count their uses.

Each machine counts what its recalls show in a folder of the journal that git ignores: a recall must not change what
`git status` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from memcli.errors import MemError
from memcli.text import words
from memcli.text.later import compile_later
from memcli.vault import files, journal, yaml_list
from memcli.vault.layout import JOURNAL
from memcli.vault.setting import Section, setting
from memcli.vault.vault import Vault
from memcli.vault.yaml_list import Record

FILE = "labels.yaml"
USES = "local/labels"
VALUE_FIELDS = ("address", "value", "phone")  # the fields with the value of a label; the first one present counts
PLACE_FIELDS = ("poi_id", "lat", "lon")
LEAST_SIMILARITY = 0.6  # from this similarity (0 to 1) on two names are taken for the same

_NAME = compile_later(rf"[{words.CJK}]{{2,4}}|(?:[^\W\d_a-z][^\W\d_]*(?:[-'’][^\W\d_]+)*(?: |$)){{1,3}}")
_ASIDE = r"\b(?:my|our|the)\b|[我们]*的|[\W_]+"


class LabelFields(Section):
    """Define the fields of a record of `labels.yaml`; other keys are kept."""

    name: Any = setting("", "what it is called; needed")
    aliases: tuple[str, ...] = setting((), "other names")
    address: Any = setting("", "where it is")
    value: Any = setting("", "what else it stands for")
    phone: Any = setting("", "its number")
    poi_id: Any = setting("", "its number on a map")
    lat: float = setting(0.0, "its latitude", least=-90, most=90)
    lon: float = setting(0.0, "its longitude", least=-180, most=180)
    use_count: int = setting(0, "how often it was used, before this machine counted")
    last_used: date = setting("", "the day of it")


class Label(NamedTuple):
    """Hold one record of `labels.yaml`."""

    name: str
    aliases: tuple[str, ...] = ()
    value: str = ""  # the address, value or phone number, or ""
    uses: int = 0
    last_used: str = ""
    record: Record = {}

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    @property
    def all_names(self) -> tuple[str, ...]:
        """Return the names and what the value begins with, where that is a name, too: 叶敏 of 老婆, Soo-jin Park of
        "Soo-jin Park, accountant"."""
        value = re.split("[,，;；(（]", str(self.record.get("value") or ""))[0].strip()
        return tuple(dict.fromkeys((*self.names, value) if _NAME.fullmatch(value) else self.names))

    @property
    def details(self) -> str:
        """Return all that is stored for the names, in one text."""
        values = [_join_values(self.record[key]) for key in VALUE_FIELDS if self.record.get(key)]
        place = [f"{key} {self.record[key]}" for key in PLACE_FIELDS if self.record.get(key) is not None]
        return "; ".join(dict.fromkeys([*values, *place]))


def read_labels(vault: Vault) -> list[Label]:
    """Return all labels with the uses that the file states; an agent's own hide shared ones of the same name."""
    own = _read(vault, vault.space + FILE) if vault.agent else []
    names = {_fold_name(name) for each in own for name in each.names}
    return [*own, *(each for each in _read(vault, FILE) if not names or _fold_name(each.name) not in names)]


def _read(vault: Vault, path: str) -> list[Label]:
    return list(_labels_in(files.read_or_empty(vault.place(path), path).text, path))


@lru_cache(maxsize=4)
def _labels_in(text: str, path: str) -> tuple[Label, ...]:
    """Return the labels of a file. A recall reads them twice: for the words of a question and for what it shows."""
    found = yaml_list.records_in(text, path, "name")
    return tuple(make_label(each) for each in found if each.get("name") is not None)


def make_label(record: Record) -> Label:
    aliases, uses = record.get("aliases") or [], record.get("use_count")
    return Label(
        str(record.get("name", "")),
        tuple(map(str, aliases if isinstance(aliases, list) else [aliases])),
        next((_join_values(record[key]) for key in VALUE_FIELDS if record.get(key)), ""),
        uses if isinstance(uses, int) else 0,
        str(record.get("last_used") or ""),
        record,
    )


def find_field(record: Record, given_field: str, value: str) -> str:
    """Return the field of a label that a value belongs to, where none is given: one without digits never replaces an
    address, and a new address replaces the old one, even where that was stored as a plain `value`."""
    where = given_field or ("address" if record.get("address") and _is_address(value) else "value")
    stands_as_value = where == "address" and not record.get("address") and _is_address(record.get("value"))
    return "value" if stands_as_value else where


def _is_address(value: object) -> bool:
    return bool(re.search(r"\d", str(value or "")))


def find_labels(labels: Sequence[Label], name: str) -> list[tuple[Label, float]]:
    """Return the labels that a name may mean with their similarity, best first: only equal ones (1.0) if there are
    any."""
    wanted = _fold_name(name)
    likeness = {own: _measure_similarity(_fold_name(own), wanted) for each in labels for own in each.all_names}
    found = [
        (each, max(likeness[own] * (1 if own in each.names else 0.99) for own in each.all_names)) for each in labels
    ]
    exact = [each for each in found if each[1] == 1.0]
    close = exact or [each for each in found if each[1] >= LEAST_SIMILARITY]
    return sorted(close, key=lambda each: (-each[1], -each[0].uses))


def count_uses(vault: Vault, names: Sequence[str]) -> None:
    """Record that these labels were used. Errors in writing are ignored, since the answer matters more than the
    count."""
    try:
        files.make_cache(files.inside(vault.root, f"{JOURNAL}/{USES}").parent)
        journal.append(vault.root, USES, {"at": vault.now.isoformat(timespec="seconds"), "labels": list(names)})
    except MemError:
        pass


def add_uses(vault: Vault, labels: Iterable[Label]) -> list[Label]:
    """Return the labels with the uses counted on this machine added to those that the file states."""
    counted: dict[str, tuple[int, str]] = {}
    for record in journal.read_journal(vault.root, USES, vault.notice, journal.LATEST):
        listed = record.get("labels")
        for name in map(str, listed if isinstance(listed, list) else ()):
            number, last = counted.get(name, (0, ""))
            counted[name] = (number + 1, max(last, str(record.get("at") or "")[:10]))
    found = ((each, *counted.get(each.name, (0, ""))) for each in labels)
    return [each._replace(uses=each.uses + n, last_used=max(each.last_used, last)) for each, n, last in found]


def _join_values(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _fold_name(name: str) -> str:
    from unicodedata import normalize  # look-ups are rare, and reading should not pay for this import

    return re.sub(_ASIDE, "", normalize("NFKC", name).casefold())


def _measure_similarity(first: str, second: str) -> float:
    short, long = sorted((first, second), key=len)
    if first == second or len(short) < 2:  # a single character, such as 家, stands in too many words
        return 1.0 if first == second != "" else 0.0
    if short in long:
        return 0.8 + 0.19 * len(short) / len(long)
    from difflib import SequenceMatcher

    return min(0.79, SequenceMatcher(None, first, second).ratio())
