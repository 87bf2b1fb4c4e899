"""List the YAML files of a vault that have fields, and find wrong values, which readers replace by valid ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from memcli import contributions
from memcli.errors import MemError, UsageError
from memcli.vault import files, labels, preferences, profile, state, yaml_list, yaml_read
from memcli.vault.setting import Key, Section, convert, flaws
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.extend import VaultFile


class FileFields(NamedTuple):
    fields: type[Section]
    named: str = ""  # the field that names a record, if the file is a list of records
    change: str = ""  # the command that changes a value


TAGS = "tags.yaml"
WORDS = Key("", tuple, (), "words that mean the tag")
FILES = {
    profile.FILE: FileFields(profile.ProfileFields, change="mem profile set KEY VALUE"),
    preferences.FILE: FileFields(preferences.PreferenceFields, "key", "mem prefer set KEY VALUE"),
    labels.FILE: FileFields(labels.LabelFields, "name", "mem label set NAME"),
    state.FILE: FileFields(state.State, change="mem state set KEY VALUE"),
}


def wrong(vault: Vault) -> Iterator[tuple[UsageError, str]]:
    """Yield each invalid value, with the command that corrects it. Broken files are reported elsewhere."""
    for path, known in FILES.items():
        try:
            text = files.read_or_empty(files.inside(vault.root, path), path).text
            if known.named:
                found = yaml_list.records_in(text, path, known.named)
                records = [(f"{path}: {record.get(known.named)}", record) for record in found]
            elif path == profile.FILE:
                records = [(path, profile.profile_in(text))]
            else:
                continue  # checking the state needs the roles there are, and is done elsewhere
        except MemError:
            continue
        for where, record in records:
            for flaw in flaws(known.fields, record, where):
                yield flaw, known.change
    yield from _wrong_tags(vault)
    for file in contributions.vault_files():
        yield from _wrong_records(vault, file)
        yield from file.flaws(vault) if file.flaws else ()


def _wrong_records(vault: Vault, file: VaultFile) -> Iterator[tuple[UsageError, str]]:
    """Yield the invalid values of a feature's file. Where it is a bare list, that is the first of its lists."""
    try:
        found = yaml_read.load(files.read_or_empty(files.inside(vault.root, file.name), file.name).text, file.name)
    except MemError:
        return
    lists = file.lists()
    for name, fields in lists.items():
        listed = found.get(name) if isinstance(found, dict) else found if name == next(iter(lists)) else ()
        for record in listed if isinstance(listed, list) else ():
            if isinstance(record, dict):
                where = f"{file.name}: {record.get(file.rivals[0]) or name}"
                for flaw in flaws(fields, record, where):
                    yield flaw, f"mem edit {file.name}"


def _wrong_tags(vault: Vault) -> Iterator[tuple[UsageError, str]]:
    try:
        found = yaml_read.mapping(files.read_or_empty(files.inside(vault.root, TAGS), TAGS).text, TAGS)
    except MemError:
        return
    for tag, words in found.items():
        try:
            convert(WORDS, words or (), f"{TAGS}: {tag}")
        except UsageError as error:
            yield error, f"mem edit {TAGS}"
