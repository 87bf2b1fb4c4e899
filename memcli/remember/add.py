"""`add`: one memory into today's log, or the file it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from memcli.errors import UsageError
from memcli.text.clean import harmless
from memcli.vault import edit, entries, layout
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import Written, write

# Memories of these types last, so they live in a file of their own instead of the day's log.
HOMES = {"fact": "MEMORY.md", "preference": "MEMORY.md", "insight": "insights.md", "project": "projects.md"}


@dataclass(frozen=True)
class Memory:
    """What someone wants remembered."""

    text: str
    tags: tuple[str, ...] = ()
    type: str = ""
    importance: float | None = None
    to: str = ""  # a file, or `FILE#Heading`
    agent: str | None = None


@dataclass(frozen=True)
class Added:
    entry: Entry
    written: Written


def add(vault: Vault, memory: Memory, dry_run: bool = False) -> Added:
    """Write one memory; with `dry_run` only say what would be written and where."""
    text = harmless(memory.text).strip()
    if not text:
        raise UsageError("there is nothing to remember", 'mem add "what you want remembered"')
    target, _, heading = memory.to.partition("#")
    path = _home(vault, memory, target)
    kind = layout.kind_of(path)
    lead = vault.now.strftime("%H:%M") if kind == "log" and not entries.begins_with_time(text) else ""
    new = edit.item(lead, _tagged(text, memory, vault, kind))
    header = f"# {vault.today:%Y-%m-%d %a}\n" if kind == "log" else ""
    if dry_run:
        return Added(_find(path, new, new), Written("add", ()))
    result = edit.appended(path, "", new, header, heading)  # the id is known before the file is touched
    entry = _find(path, result, new)
    written = write(
        vault, "add", [(path, lambda before: edit.appended(path, before, new, header, heading))], [entry.id]
    )
    after = written.changes[0].after or ""
    return Added(_find(path, after, new), written)


def _home(vault: Vault, memory: Memory, target: str) -> str:
    """The file a memory belongs to, relative to the vault."""
    space = f"{layout.AGENTS}/{memory.agent}/" if memory.agent else ""
    if target:
        path = space + target
        return path if path.endswith((".md", ".markdown")) else f"{path}.md"
    if memory.type in HOMES:
        return space + HOMES[memory.type]
    wanted = space + vault.now.strftime(vault.settings.write.log)
    if (vault.root / wanted).exists():
        return wanted
    others = vault.files(Filter(vault.today, vault.today, agent=memory.agent, kinds=frozenset({"log"})))
    same = [p for p in others if layout.day_of(p) == vault.today and layout.agent_of(p) == memory.agent]
    return same[0] if same else wanted


def _tagged(text: str, memory: Memory, vault: Vault, kind: str) -> str:
    """The text with what the flags said, written at the end of its first line as a person would."""
    tags = [f"#{tag.lstrip('#')}" for tag in memory.tags]
    if bad := [tag for tag in tags if entries.tags_in(tag) != [tag[1:]]]:
        raise UsageError(f"'{bad[0]}' is not a tag", "letters, digits, - _ and /, and not digits alone")
    have = {f"#{tag}" for tag in entries.tags_in(text)}
    fields: dict[str, str] = {}
    if memory.type:
        fields["type"] = memory.type
    if memory.importance is not None:
        if not 0 <= memory.importance <= 1:
            raise UsageError(f"importance {memory.importance:g} is not between 0 and 1")
        fields["importance"] = f"{memory.importance:g}"
    if kind != "log" and "[date::" not in text:
        fields["date"] = vault.today.isoformat()
    first, feed, rest = text.partition("\n")
    first = " ".join([first, *(tag for tag in dict.fromkeys(tags) if tag not in have)])
    return edit.with_fields(first, **fields) + feed + rest


def _find(path: str, text: str, new: str) -> Entry:
    """The entry just written: the last one that reads like it."""
    plain = new.replace("\r\n", "\n").rstrip()
    found = [e for e in entries.read(path, text).entries if e.raw.replace("\r\n", "\n") == plain]
    return found[-1]
