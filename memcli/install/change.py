"""What an install or an uninstall changes: first the new text of each file, then the writing, with a backup."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import Refused
from memcli.install import json_edit, json_tree, toml_edit
from memcli.install.agents import AGENTS, FILE, ITEM, TABLE, Piece, Setup, is_ours, pieces
from memcli.vault import discover, files
from memcli.vault.files import Source

BACKUPS = "before-install"  # in the user's data folder
_LEFT: tuple[dict[str, Any], ...] = ({}, {"version": 1})  # what a file that was made for us holds in the end


class Change(NamedTuple):
    """One file. None: there is none."""

    path: Path
    before: Source
    after: str | None

    @property
    def had(self) -> str | None:
        return self.before.text if self.before.stamp is not None else None

    @property
    def diff(self) -> str:
        old, new = ((text or "").splitlines(keepends=True) for text in (self.had, self.after))
        name, none = str(self.path), "/dev/null"
        lines = difflib.unified_diff(old, new, none if self.had is None else name, none if self.after is None else name)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def install(name: str, setup: Setup) -> list[Change]:
    """What has to change so that an agent is connected; nothing when it is."""
    return _changes(name, setup, taken=False)


def uninstall(name: str, setup: Setup) -> list[Change]:
    """What has to change so that nothing of ours is left."""
    return _changes(name, setup, taken=True)


def _changes(name: str, setup: Setup, taken: bool) -> list[Change]:
    texts: dict[Path, tuple[Source, str | None]] = {}
    for piece in pieces(name, setup):
        path = piece.path.resolve()  # of a link what it leads to is changed, and it stays a link
        if setup.project and not path.is_relative_to(setup.here.resolve()):  # a repository may be a stranger's
            raise Refused(
                f"{piece.path} leads out of this folder", "mem install without --project writes your own files"
            )
        if path not in texts:
            source = files.read_or_empty(path, str(path))
            texts[path] = (source, source.text if source.stamp is not None else None)
        source, text = texts[path]
        texts[path] = (source, _without(name, piece, text) if taken else _with(name, piece, text))
    found = [Change(path, source, _emptied(path, text) if taken else text) for path, (source, text) in texts.items()]
    return [change for change in found if change.after != change.had]


def _with(name: str, piece: Piece, text: str | None) -> str:
    if piece.kind == FILE:
        return str(piece.value)
    text, file = text or "", str(piece.path)
    if piece.kind == ITEM:
        return json_edit.put_item(text, piece.keys, piece.value, lambda item: is_ours(item, name), file)
    if piece.path.suffix == ".toml":
        return toml_edit.put(text, piece.keys, piece.value, file)
    if not isinstance(piece.value, dict):
        return json_edit.put(text, piece.keys, piece.value, file)
    held = json_edit.value_at(text, piece.keys, file)
    held = held if isinstance(held, dict) else {}
    wanted = {**piece.more, **held, **piece.value}
    if not held:
        return json_edit.put(text, piece.keys, wanted, file)
    for key in [key for key in wanted if wanted[key] != held.get(key)]:
        text = json_edit.put(text, (*piece.keys, key), wanted[key], file)
    return text


def _without(name: str, piece: Piece, text: str | None) -> str | None:
    if text is None or piece.kind == FILE:
        return None
    file = str(piece.path)
    if piece.kind == ITEM:
        return json_edit.drop_items(text, piece.keys, lambda item: is_ours(item, name), file)
    if piece.path.suffix == ".toml":
        return toml_edit.drop(text, piece.keys)
    if not piece.keys or (
        not isinstance(piece.value, dict) and json_edit.value_at(text, piece.keys, file) != piece.value
    ):
        return text  # it holds for all of the file, or somebody has set it to something else
    return json_edit.drop(text, piece.keys, file)


def _emptied(path: Path, text: str | None) -> str | None:
    """None for a file in which nothing is left."""
    if text is None or not text.strip():
        return None
    is_bare = path.suffix == ".json" and "//" not in text and "/*" not in text
    return None if is_bare and json_tree.parse(text, str(path)).value in _LEFT else text


def write(changes: Iterable[Change], environ: Mapping[str, str], now: datetime) -> list[Path]:
    """Make the changes; where each file's old text is kept."""
    kept = []
    for change in changes:
        if change.had is not None:
            kept.append(_backed_up(change, environ, now))
        if change.after is None:
            files.remove(change.path)
        elif not files.replace(change.path, change.after, change.before):
            raise Refused(f"{change.path} has changed meanwhile", "run it again")
    return kept


def _backed_up(change: Change, environ: Mapping[str, str], now: datetime) -> Path:
    folder = Path(discover.data_home(environ)) / BACKUPS / f"{now:%Y%m%d-%H%M%S}"
    files.make_folder(folder, 0o700)
    path = folder / str(change.path).replace(os.sep, "%").replace(":", "%")[-200:]
    files.create_exclusive(path, change.had or "", 0o600)
    return path


class Installed(NamedTuple):
    """What is there of an agent on this machine, and of us in its settings."""

    name: str
    title: str
    found: bool
    user: tuple[str, ...]  # the command that is configured; empty: none
    project: tuple[str, ...]


def installed(name: str, setup: Setup) -> Installed:
    """How it stands with one agent. A file that can't be read counts as one in which nothing is configured."""
    from shutil import which

    from memcli.install.agents import places

    agent = AGENTS[name]
    home = agent.home.format(**places(setup.environ))
    found = os.path.isdir(home) or which(agent.program, path=setup.environ.get("PATH")) is not None
    commands = [_configured(name, setup._replace(project=project)) for project in (False, True)]
    return Installed(name, agent.title, found, *commands)


def _configured(name: str, setup: Setup) -> tuple[str, ...]:
    """The command by which an agent would start our server."""
    if setup.project and not AGENTS[name].servers[1]:
        return ()
    server = next(piece for piece in pieces(name, setup._replace(hooks=False)) if piece.kind == TABLE)
    try:
        text = files.read_or_empty(server.path, str(server.path)).text
        held: Any
        if server.path.suffix == ".toml":
            held = toml_edit.table_at(text, server.keys) or {}
            held = {key: json_tree.parse(value).value for key, value in held.items()}
        else:
            held = json_edit.value_at(text, server.keys, str(server.path)) or {}
        command = held.get("command", ())
        words = [command] if isinstance(command, str) else list(command)
        return (*map(str, words), *map(str, held.get("args", ())))
    except Exception:  # somebody else's file: whatever is wrong in it, `mem install` says so when it comes to it
        return ()
