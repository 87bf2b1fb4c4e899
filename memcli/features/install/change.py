"""Compute what an install or an uninstall changes, as the new text of each file, and write it with a backup."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import MemError, Refused
from memcli.features.install import json_edit, json_tree, record, toml_edit
from memcli.features.install.agents import (
    AGENTS,
    FILE,
    ITEM,
    NAME,
    TABLE,
    SettingsPiece,
    Setup,
    is_ours,
    settings_pieces,
)
from memcli.features.install.record import BACKUPS, Record
from memcli.vault import discover, files
from memcli.vault.files import FileContent

_STARTS = ("command", "args")  # the keys that say how a server is started
_HEAD = 60  # characters by which any version of our files is recognized
_LEFT: tuple[dict[str, Any], ...] = ({}, {"version": 1})  # what is left in the end in a file made for us


class AgentFileChange(NamedTuple):
    """Hold the change of one file. `after` is None if the file is removed."""

    path: Path
    before: FileContent
    after: str | None
    agent: str = ""
    installs: bool = True  # false: it uninstalls
    is_first: bool = True  # nothing of ours was in the file

    @property
    def had(self) -> str | None:
        return self.before.text if self.before.stamp is not None else None

    @property
    def diff(self) -> str:
        old, new = ((text or "").splitlines(keepends=True) for text in (self.had, self.after))
        name, none = str(self.path), "/dev/null"
        lines = difflib.unified_diff(old, new, none if self.had is None else name, none if self.after is None else name)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def install_changes(name: str, setup: Setup) -> list[AgentFileChange]:
    """Return the changes that connect an agent, or [] if it is connected."""
    return _changes(name, setup, taken=False)


def uninstall_changes(name: str, setup: Setup) -> list[AgentFileChange]:
    """Return the changes that remove all that is ours. A file that nobody has changed since is restored as it was;
    from another only what we wrote is taken out."""
    return _changes(name, setup, taken=True)


def _changes(name: str, setup: Setup, taken: bool) -> list[AgentFileChange]:
    texts: dict[Path, tuple[FileContent, str | None]] = {}
    known = record.read_records(setup.environ) if taken else {}
    ours: set[Path] = set()
    for piece in settings_pieces(name, setup):
        path = files.real_path(piece.path)  # change the target of a link, which stays a link
        if setup.project and not path.is_relative_to(setup.here.resolve()):  # a repository may be a stranger's
            raise Refused(
                "{path} leads out of this folder",
                "mem install without --project writes your own files",
                path=piece.path,
            )
        if path not in texts:
            source = files.read_or_empty(path, str(path))
            texts[path] = (source, source.text if source.stamp is not None else None)
        source, text = texts[path]
        was = known.get(path)
        if not taken and text is not None and _without(name, piece, text, None) != text:
            ours.add(path)
        texts[path] = (source, _without(name, piece, text, was) if taken else _with(name, piece, text))
    found = []
    for path, (source, text) in texts.items():
        had, was = source.text if source.stamp is not None else None, known.get(path)
        if was and was.is_untouched(name, had):
            text = was.before
        elif was and not (was.before or "").strip():
            text = text if _emptied(path, text) else was.before
        found.append(AgentFileChange(path, source, text, name, not taken, path not in ours))
    return [change for change in found if change.after != change.had]


def _with(name: str, piece: SettingsPiece, text: str | None) -> str:
    if piece.kind == FILE:
        return str(piece.value)
    text, file = text or "", str(piece.path)
    if piece.kind == ITEM:
        return json_edit.put_item(text, piece.keys, piece.value, lambda item: is_ours(item, name), file)
    if piece.path.suffix == ".toml":
        if (there := toml_edit.values_at(text, piece.keys, _STARTS, file)) and not _is_server_of_ours(there, piece):
            raise _taken(file)
        return toml_edit.put_table(text, piece.keys, piece.value, file)
    if not isinstance(piece.value, dict):
        return json_edit.put_value(text, piece.keys, piece.value, file)
    held = json_edit.value_at(text, piece.keys, file)
    held = held if isinstance(held, dict) else {}
    if held and not _is_server_of_ours(held, piece):
        raise _taken(file)
    wanted = {**piece.more, **held, **piece.value}
    if not held:
        return json_edit.put_value(text, piece.keys, wanted, file)
    for key in [key for key in wanted if wanted[key] != held.get(key)]:
        text = json_edit.put_value(text, (*piece.keys, key), wanted[key], file)
    return text


def _taken(file: str) -> Refused:
    return Refused(
        "{file} has a server named {name} that is not this one",
        "give it another name there first",
        file=file,
        name=NAME,
    )


def _is_server_of_ours(held: Any, piece: SettingsPiece) -> bool:
    """Return whether we wrote the server under our name: it starts mem. A piece without a command counts as ours."""
    if "command" not in piece.value:
        return True
    words = _words(held) if isinstance(held, dict) else ()
    return bool(words) and Path(words[0].replace("\\", "/")).stem == NAME and "mcp" in words


def _words(server: dict[str, Any]) -> tuple[str, ...]:
    """Return the words of the command that starts a server: some agents have one list, others a text and a list."""
    command = server.get("command", ())
    return (*([command] if isinstance(command, str) else map(str, command)), *map(str, server.get("args", ())))


def _without(name: str, piece: SettingsPiece, text: str | None, was: Record | None) -> str | None:
    if text is None:
        return None
    if piece.kind == FILE:
        return None if was or text[:_HEAD] == str(piece.value)[:_HEAD] else text
    file = str(piece.path)
    stays = _common(was.before, piece.keys) if was and was.before and piece.path.suffix != ".toml" else 0
    if piece.kind == ITEM:
        return json_edit.drop_items(text, piece.keys, lambda item: is_ours(item, name), file, stays)
    if piece.path.suffix == ".toml":
        there = toml_edit.values_at(text, piece.keys, _STARTS, file)
        return text if there and not _is_server_of_ours(there, piece) else toml_edit.drop_table(text, piece.keys)
    if not piece.keys or (
        not isinstance(piece.value, dict) and json_edit.value_at(text, piece.keys, file) != piece.value
    ):
        return text  # it concerns the whole file, or somebody set another value
    held_json = json_edit.value_at(text, piece.keys, file)
    if isinstance(piece.value, dict) and held_json is not None and not _is_server_of_ours(held_json, piece):
        return text
    return json_edit.drop_value(text, piece.keys, file, stays)


def _common(text: str, keys: tuple[str, ...]) -> int:
    """Return how many of these nested keys a file had before us."""
    with suppress(MemError):
        return sum(json_edit.value_at(text, keys[: at + 1]) is not None for at in range(len(keys)))
    return 0


def _emptied(path: Path, text: str | None) -> str | None:
    """Return the text of a file that we made, or None if nothing is left in it."""
    if text is None or not text.strip():
        return None
    is_bare = path.suffix == ".json" and "//" not in text and "/*" not in text
    return None if is_bare and json_tree.parse(text, str(path)).value in _LEFT else text


def write_changes(changes: Iterable[AgentFileChange], environ: Mapping[str, str], now: datetime) -> list[Path]:
    """Make the changes, and return where each file's old text is kept."""
    kept = []
    for change in changes:
        backup = None
        if change.had is not None:
            kept.append(backup := _backed_up(change, environ, now))
        if change.after is None:
            files.remove(change.path)
        elif not files.replace(change.path, change.after, change.before):
            raise Refused("{file} has changed meanwhile", "run it again", file=change.path)
        if change.installs:
            record.note_change(environ, change.path, change.agent, change.had, change.after, backup, change.is_first)
        else:
            record.forget_agent(environ, change.path, change.agent, change.after)
    return kept


def _backed_up(change: AgentFileChange, environ: Mapping[str, str], now: datetime) -> Path:
    folder = Path(discover.data_home(environ)) / BACKUPS / f"{now:%Y%m%d-%H%M%S}"
    files.make_folder(folder, 0o700)
    path = folder / str(change.path).replace(os.sep, "%").replace(":", "%")[-200:]
    files.create_exclusive(path, change.had or "", 0o600)
    return path


class AgentState(NamedTuple):
    """Hold whether an agent is on this machine, and how mem is configured in it."""

    name: str
    title: str
    found: bool
    user: tuple[str, ...]  # the configured command; empty: none
    project: tuple[str, ...]


def agent_state(name: str, setup: Setup) -> AgentState:
    """Return the state of one agent. A file that can't be read counts as not configured."""
    from shutil import which

    from memcli.features.install.agents import places

    agent = AGENTS[name]
    home = agent.home.format(**places(setup.environ))
    found = os.path.isdir(home) or which(agent.program, path=setup.environ.get("PATH")) is not None
    commands = [_configured(name, setup._replace(project=project)) for project in (False, True)]
    return AgentState(name, agent.title, found, *commands)


def _configured(name: str, setup: Setup) -> tuple[str, ...]:
    """Return the command by which an agent would start our server, or ()."""
    if setup.project and not AGENTS[name].servers[1]:
        return ()
    server = next(piece for piece in settings_pieces(name, setup._replace(hooks=False)) if piece.kind == TABLE)
    try:
        text = files.read_or_empty(server.path, str(server.path)).text
        in_toml = server.path.suffix == ".toml"
        held = toml_edit.values_at(text, server.keys, _STARTS) if in_toml else json_edit.value_at(text, server.keys)
        return _words(held or {})
    except Exception:  # somebody else's file: `mem install` reports what is wrong in it
        return ()
