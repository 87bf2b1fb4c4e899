"""Find documents by name, and archive, restore or remove those on the shelf. No text is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from memcli.errors import CheckFailed, NotFound, UsageError
from memcli.evidence import Want
from memcli.features.knowledge import sources, text_copies, word_cache
from memcli.features.knowledge.documents import ACTIVE, ARCHIVED
from memcli.features.knowledge.store import DocumentTable, ShelvedDocument, open_reader
from memcli.text.clean import one_line
from memcli.vault.lock import lock_vault
from memcli.vault.vault import Vault
from memcli.vault.write import write_vault


def shelf(vault: Vault) -> DocumentTable:
    """Return the shelf. Raise CheckFailed when there is none."""
    if found := open_reader(vault):
        return found
    raise CheckFailed("nothing is on the shelf yet", "mem knowledge add PATH puts documents there")


def find_documents(vault: Vault, name: str, status: str = "") -> list[ShelvedDocument]:
    """Return the documents that a name means: the beginning of an id, an address, a file, or all in a folder.

    A title or the end of a path counts only if it means a single document. Raise NotFound when there is none.
    """
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
        raise ambiguous_name(name, loose)
    if loose:
        return loose
    raise NotFound(
        "no {KIND} document is called '{name}'",
        "mem knowledge list --all shows them",
        KIND=status or "known",
        name=name,
    )


def ambiguous_name(name: str, found: Sequence[ShelvedDocument]) -> UsageError:
    """Return the error that lists the documents which a name could mean."""
    docs = {each.doc: f"  {each.doc[:8]}  {one_line(each.place)}" for each in found}
    listed = "\n".join([*docs.values()][:10])
    return UsageError("'{name}' could be any of {n}:{list}", "give its id", name=name, n=len(docs), list=f"\n{listed}")


def archive(vault: Vault, names: Sequence[str]) -> list[ShelvedDocument]:
    """Take documents out of the search but keep them on the shelf, and return them.

    Their texts are kept in the vault, whatever happens to their files.
    """
    found = _all(vault, names, ACTIVE)
    with _locked(vault):
        text_copies.write_archived(vault, shelf(vault), [each for each in found if not sources.is_own(each.origin)])
        sources.note_action(vault, sources.ARCHIVE, [each.origin for each in found])
        shelf(vault).mark(found, ARCHIVED)
        word_cache.build(vault)
    return found


def restore(vault: Vault, names: Sequence[str]) -> list[ShelvedDocument]:
    """Make the latest archived version of each document searchable again, and return them."""
    live = {each.doc for each in shelf(vault).documents()}
    latest = {each.doc: each for each in sorted(_all(vault, names, ARCHIVED), key=lambda each: each.version)}
    found = [each for each in latest.values() if each.doc not in live]
    if not found:
        raise UsageError("a newer version is active already", "mem knowledge archive takes that one off first")
    with _locked(vault):
        sources.note_action(vault, sources.RESTORE, [each.origin for each in found])
        shelf(vault).mark(found, ACTIVE)
        word_cache.build(vault)
    return found


def remove(vault: Vault, names: Sequence[str]) -> list[ShelvedDocument]:
    """Take documents off the shelf with all versions, and return them.

    Files outside stay as they are and are ignored from now on; those in the vault go to its archive.
    """
    noted = sources.read_register(vault)
    removed = [
        each for name in names if (each := sources.name_of(vault, Path(name))) in noted.sources and each != sources.HOME
    ]
    found = []
    for name in names:
        try:
            found += find_documents(vault, name)
        except UsageError:
            if sources.name_of(vault, Path(name)) not in removed:
                raise
    with _locked(vault):
        for each in removed:
            sources.note_action(vault, sources.REMOVE, source=each)
        own = {each.origin for each in found if sources.is_own(each.origin) and (vault.root / each.origin).is_file()}
        write_vault(
            vault,
            "knowledge",
            [],
            moves=[(each, f"{text_copies.OLD}/{each.rpartition('/')[2]}") for each in sorted(own)],
        )
        rest = {each.origin for each in found if noted.owner(each.origin) not in removed} - own
        if rest:
            sources.note_action(vault, sources.REMOVE, sorted(rest))
        shelf(vault).remove(found)
        word_cache.build(vault)
    return found


def _all(vault: Vault, names: Sequence[str], status: str) -> list[ShelvedDocument]:
    return list(
        {(each.doc, each.version): each for name in names for each in find_documents(vault, name, status)}.values()
    )


def _locked(vault: Vault) -> AbstractContextManager[None]:
    return lock_vault(vault, "knowledge", "knowledge.lock", "the knowledge store is being written")
