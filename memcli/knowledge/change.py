"""Documents by name, and what is done to those on the shelf: archive, restore, remove. Nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from memcli.errors import CheckFailed, NotFound, UsageError
from memcli.knowledge import hurried, kept, sources
from memcli.knowledge.documents import ACTIVE, ARCHIVED, Want
from memcli.knowledge.store import DocumentTable, Shelved, reader
from memcli.text.clean import one_line
from memcli.vault.lock import locked
from memcli.vault.vault import Vault
from memcli.vault.write import write


def shelf(vault: Vault) -> DocumentTable:
    """The shelf, for those who can't do without."""
    if found := reader(vault):
        return found
    raise CheckFailed("nothing is on the shelf yet", "mem knowledge add PATH puts documents there")


def find(vault: Vault, name: str, status: str = "") -> list[Shelved]:
    """The documents that a name means: the beginning of an id, an address, a file, all in a folder; a title or the end
    of a path only if that is one document alone."""
    path = sources.name_of(vault, Path(name))
    known = shelf(vault).documents(Want(status=status))
    ways = (
        lambda each: re.fullmatch("[0-9a-f]{4,}", name) and each.doc.startswith(name),
        lambda each: name in (each.origin, each.place) or path in (each.origin, each.origin.partition("#")[0]),
        lambda each: each.origin.startswith((path + "/", name.rstrip("/") + "/")),
    )
    for way in ways:
        if found := [each for each in known if way(each)]:
            return found
    loose = [each for each in known if each.title.lower() == name.lower() or f"{each.origin}#".find(f"/{name}#") >= 0]
    if len({each.doc for each in loose}) > 1:
        raise which(name, loose)
    if loose:
        return loose
    raise NotFound(f"no {status or 'known'} document is called '{name}'", "mem knowledge list --all shows them")


def which(name: str, found: Sequence[Shelved]) -> UsageError:
    """What to say when it could be any of these."""
    docs = {each.doc: f"  {each.doc[:8]}  {one_line(each.place)}" for each in found}
    listed = "\n".join([*docs.values()][:10])
    return UsageError(f"'{name}' could be any of {len(docs)}:\n{listed}", "give its id")


def archive(vault: Vault, names: Sequence[str]) -> list[Shelved]:
    """Off the search, not off the shelf; their texts are kept in the vault, whatever becomes of their files."""
    found = _all(vault, names, ACTIVE)
    with _locked(vault):
        kept.archived(vault, shelf(vault), [each for each in found if not kept.is_own(each.origin)])
        sources.note(vault, sources.ARCHIVE, [each.origin for each in found])
        shelf(vault).mark(found, ARCHIVED)
        hurried.build(vault)
    return found


def restore(vault: Vault, names: Sequence[str]) -> list[Shelved]:
    """The latest archived version of each is found again."""
    live = {each.doc for each in shelf(vault).documents()}
    latest = {each.doc: each for each in sorted(_all(vault, names, ARCHIVED), key=lambda each: each.version)}
    found = [each for each in latest.values() if each.doc not in live]
    if not found:
        raise UsageError("a newer version is active already", "mem knowledge archive takes that one off first")
    with _locked(vault):
        sources.note(vault, sources.RESTORE, [each.origin for each in found])
        shelf(vault).mark(found, ACTIVE)
        hurried.build(vault)
    return found


def remove(vault: Vault, names: Sequence[str]) -> list[Shelved]:
    """Off the shelf with all versions. Files outside stay as they are and are left out from now on; those in the vault
    go to its archive."""
    noted = sources.noted(vault)
    told = [
        each for name in names if (each := sources.name_of(vault, Path(name))) in noted.sources and each != sources.HOME
    ]
    found = []
    for name in names:
        try:
            found += find(vault, name)
        except UsageError:
            if sources.name_of(vault, Path(name)) not in told:
                raise
    with _locked(vault):
        for each in told:
            sources.note(vault, sources.REMOVE, source=each)
        own = {each.origin for each in found if kept.is_own(each.origin) and (vault.root / each.origin).is_file()}
        write(vault, "knowledge", [], moves=[(each, f"{kept.OLD}/{each.rpartition('/')[2]}") for each in sorted(own)])
        rest = {each.origin for each in found if noted.owner(each.origin) not in told} - own
        if rest:
            sources.note(vault, sources.REMOVE, sorted(rest))
        shelf(vault).remove(found)
        hurried.build(vault)
    return found


def _all(vault: Vault, names: Sequence[str], status: str) -> list[Shelved]:
    return list({(each.doc, each.version): each for name in names for each in find(vault, name, status)}.values())


def _locked(vault: Vault) -> AbstractContextManager[None]:
    wait = vault.settings.write.lock_timeout
    return locked(vault.cache / "knowledge.lock", wait, "knowledge", doing="the knowledge store is being written")
