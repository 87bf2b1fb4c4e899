"""Share what agents found; list, rename and archive their spaces."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from memcli.errors import MemError, UsageError
from memcli.remember.gates import duplicate
from memcli.remember.gates.gate import check_agent_name, sensitive_in
from memcli.text.clean import one_line
from memcli.vault import cache_files, edit, files, labels, layout, markdown, preferences, vault_language
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import Edit, WriteResult, write_vault

TEXTS = (".md", ".markdown", ".yaml", ".yml", ".jsonl", ".json")


@dataclass(frozen=True)
class SharedMemory:
    """Hold a memory that was shared, and where it stands now."""

    entry: Entry
    place: str
    known: bool = False  # it was already known there


@dataclass(frozen=True)
class Space:
    """Count what lies in an agent's own space."""

    name: str
    memories: int
    sessions: int
    preferences: int
    labels: int
    latest: date | None
    kinds: dict[str, int]  # number of memories by kind of file


def share_memory(vault: Vault, entry: Entry, to: str = "", why: str = "") -> SharedMemory:
    """Share what an agent found, noting who, when and why. It moves to the shared memories, or one other agent gets
    a copy. The text passed the gates when it was first kept; where it is known already it is not written again."""
    source = layout.agent_of(entry.path)
    if source is None or not layout.is_memory(entry.path):
        raise UsageError("{place} is not in an agent's space", "what is shared all agents see", place=entry.place)
    if to == source:
        raise UsageError("{id} has it already", id=to)
    if what := sensitive_in(vault, why):
        raise UsageError("the reason holds {what}", "say it without", what=what)
    check_agent_name(vault, to and layout.agent_name(to))
    target = f"{layout.space_of(to)}{_home(entry.path)}"
    seen_there = vault.with_values(agent=to)
    known = duplicate.find_duplicate(seen_there, entry.words, target, entry.day or vault.today)
    item = _handed_on(entry, source, vault.today, one_line(why, 200))
    header = (
        f"# {vault_language.day_heading(vault, day)}\n"
        if (day := layout.day_of(target)) and vault.settings.write.heading
        else ""
    )
    edits: list[tuple[str, Edit]] = (
        [] if known else [(target, lambda text: edit.append_item(target, text, item, header))]
    )
    if not to:  # the finder sees it among the shared ones
        edits.append((entry.path, lambda text: edit.remove_entry(entry.path, text, entry)))
    write_vault(vault.with_values(agent=""), "share", edits, [entry.id])
    return SharedMemory(entry, known.place if known else _place(seen_there, target, item), known is not None)


def _home(path: str) -> str:
    """Return the path in another space: the same place; for a snapshot, which would fade, the facts."""
    own = layout.split(path)[1]
    return own if layout.kind_of(path) != "snapshot" else "MEMORY.md"


def _handed_on(entry: Entry, source: str, day: date, why: str) -> str:
    fields = {"by": source, "shared": day.isoformat(), **({"why": why.translate(_INLINE)} if why else {})}
    if entry.day and layout.kind_of(entry.path) != "log" and "date" not in entry.fields:
        fields["date"] = entry.day.isoformat()
    if markdown.is_item(entry.raw):
        return edit.with_fields(entry.raw.replace("\r\n", "\n"), **fields)
    return edit.list_item("", entry.raw, [f"[{name}:: {value}]" for name, value in fields.items()])


_INLINE = str.maketrans("[]", "()")  # these would end the field


def _place(vault: Vault, path: str, item: str) -> str:
    written = [each for each in vault.document(path).entries if each.raw.replace("\r\n", "\n") == item.rstrip()]
    return written[-1].place if written else path


def find_memory(vault: Vault, name: str) -> Entry:
    """Return a memory of any space: one that the caller sees, or for the owner that of any agent."""
    views = [vault] if vault.agent else [vault.seen_by(each) for each in agent_names(vault)]
    found = {
        (each.path, each.line): each for view in views for each in view.matches(name) if layout.agent_of(each.path)
    }
    if len(found) > 1:
        listed = ", ".join(one_line(each.place) for each in found.values())
        raise UsageError("'{name}' could be any of {list}", "give path:line", name=name, list=listed)
    return next(iter(found.values())) if found else vault.find_entry(name)


def agent_names(vault: Vault) -> list[str]:
    """Return the agents that have a space."""
    return [each for each in cache_files.folders(vault.root / layout.AGENTS) if layout.NAME.fullmatch(each)]


def space_of_agent(vault: Vault, name: str) -> Space:
    """Return what an agent has of its own."""
    if name not in agent_names(vault):
        raise UsageError("there is no agent '{name}'", "mem agent list shows them", name=name)
    view = vault.seen_by(name)
    own = [path for path in view.files() if path.startswith(view.space)]
    held = list(view.entries(Filter(), own))
    return Space(
        name, len(held), len(cache_files.names(vault.root / view.space / "sessions", ".jsonl")),
        _own(view, preferences.FILE, "key"), _own(view, labels.FILE, "name"),
        max((each.day for each in held if each.day), default=None),
        dict(Counter(each.kind for each in held).most_common()),
    )  # fmt: skip


def _own(view: Vault, file: str, key: str) -> int:
    """Return how many records an agent's file has; a broken one has none, and a notice says so."""
    from memcli.vault import yaml_list  # reads YAML, which few commands do

    try:
        return len(yaml_list.read_records(view, view.space + file, key))
    except MemError as error:
        view.notice(error.message)
        return 0


def rename_agent(vault: Vault, name: str, new: str) -> WriteResult:
    """Rename an agent: move its space and change the places that are named in it."""
    space_of_agent(vault, name)
    check_agent_name(vault, layout.agent_name(new))
    if (vault.root / layout.space_of(new)).exists():
        raise UsageError("there is an agent '{name}' already", "mem agent show says what it has", name=new)
    old, there = layout.space_of(name), layout.space_of(new)
    paths = [
        path
        for path in layout.walk(vault.root / old, TEXTS)
        if old in files.read_or_empty(vault.root / old / path).text
    ]
    changed: list[tuple[str, Edit]] = [(old + path, lambda text: text.replace(old, there)) for path in paths]
    return write_vault(vault, "agent", changed, [name, new], moves=[(old[:-1], there[:-1])])


def archive_agent(vault: Vault, name: str) -> WriteResult:
    """Archive an agent's space, so that it is no longer listed."""
    space_of_agent(vault, name)
    place = layout.space_of(name)[:-1]
    to, number = f"{layout.ARCHIVE}/{place}", 1
    while (vault.root / to).exists():
        number += 1
        to = f"{layout.ARCHIVE}/{place}-{number}"
    return write_vault(vault, "agent", [], [name], moves=[(place, to)])
