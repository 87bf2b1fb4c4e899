"""Compute what an install or an uninstall changes, as the new text of each file, and write it with a backup."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import MemError, Refused
from memcli.features.install import json_edit, toml_edit
from memcli.features.install.agents import (
    AGENTS,
    FILE,
    ITEM,
    NAME,
    TABLE,
    SettingsPiece,
    Setup,
    is_ours,
    places,
    settings_pieces,
)
from memcli.vault import cache_files, discover, files, opener
from memcli.vault.files import FileContent

_STARTS = ("command", "args")  # the keys that say how a server is started
_HEAD = 60  # characters by which any version of our files is recognized
BACKUPS = "before-install"  # in the user's data folder


class AgentFileChange(NamedTuple):
    """Hold the change of one file. `after` is None if the file is removed."""

    path: Path
    before: FileContent
    after: str | None
    root: Path  # the user's home or the project: a folder in it that a removed file leaves empty goes, too

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
    pieces: dict[Path, list[SettingsPiece]] = {}
    root = files.real_path(setup.here if setup.project else Path(places(setup.environ)["home"]))
    for piece in settings_pieces(name, setup):
        path = files.real_path(piece.path)  # change the target of a link, which stays a link
        if setup.project and not path.is_relative_to(root):  # a repository may be a stranger's
            raise Refused(
                "{path} leads out of this folder",
                "mem install without --project writes your own files",
                path=piece.path,
            )
        pieces.setdefault(path, []).append(piece)
    found = []
    for path, own in pieces.items():
        source = files.read_or_empty(path, str(path))
        had = source.text if source.stamp is not None else None
        after = _as_before(name, own, had, _backups(path, setup.environ)) if taken else _with_all(name, own, had)
        found.append(AgentFileChange(path, source, after, root))
    return [change for change in found if change.after != change.had]


def _as_before(name: str, pieces: list[SettingsPiece], text: str | None, backups: Iterable[str]) -> str | None:
    """Return the text of a file without what is ours. It is the very text from before us, or None for no file, if
    installing into that and uninstalling again would leave what is left now."""
    if (left := _without_all(name, pieces, text)) == text:
        return text
    with suppress(MemError):
        clean: list[str | None] = [each for each in backups if _without_all(name, pieces, each) == each]
        for before in clean or [None]:
            if _without_all(name, pieces, _with_all(name, pieces, before)) == left:
                return before
    return left


def _with_all(name: str, pieces: list[SettingsPiece], text: str | None) -> str | None:
    for piece in pieces:
        text = _with(name, piece, text)
    return text


def _without_all(name: str, pieces: list[SettingsPiece], text: str | None) -> str | None:
    for piece in pieces:
        text = _without(name, piece, text)
    return text


def _with(name: str, piece: SettingsPiece, text: str | None) -> str:
    if piece.kind == FILE:
        return str(piece.value)
    text, file = text or "", str(piece.path)
    if piece.kind == ITEM:
        return json_edit.put_item(text, piece.keys, piece.value, lambda item: is_ours(item, name), file)
    held = _held(piece, text)
    if isinstance(held, dict) and held and not _is_server_of_ours(held, piece):
        raise Refused(
            "{file} has a server named {name} that is not this one",
            "give it another name there first",
            file=file,
            name=NAME,
        )
    if piece.path.suffix == ".toml":
        return toml_edit.put_table(text, piece.keys, piece.value, file)
    if not isinstance(piece.value, dict) or not isinstance(held, dict) or not held:
        wanted = {**piece.more, **piece.value} if isinstance(piece.value, dict) else piece.value
        return json_edit.put_value(text, piece.keys, wanted, file)
    wanted = {**piece.more, **held, **piece.value}
    for key in [key for key in wanted if wanted[key] != held.get(key)]:
        text = json_edit.put_value(text, (*piece.keys, key), wanted[key], file)
    return text


def _held(piece: SettingsPiece, text: str) -> Any:
    """Return what a file has under the keys of a piece, or None."""
    if piece.path.suffix == ".toml":
        return toml_edit.values_at(text, piece.keys, _STARTS, str(piece.path)) or None
    return json_edit.value_at(text, piece.keys, str(piece.path))


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


def _without(name: str, piece: SettingsPiece, text: str | None) -> str | None:
    if text is None:
        return None
    if piece.kind == FILE:
        return None if text[:_HEAD] == str(piece.value)[:_HEAD] else text
    file = str(piece.path)
    if piece.kind == ITEM:
        return json_edit.drop_items(text, piece.keys, lambda item: is_ours(item, name), file)
    held, is_table = _held(piece, text), isinstance(piece.value, dict)
    is_theirs = held is not None and not _is_server_of_ours(held, piece) if is_table else held != piece.value
    if is_theirs or not piece.keys:  # without keys it concerns the whole file
        return text
    if piece.path.suffix == ".toml":
        return toml_edit.drop_table(text, piece.keys)
    return json_edit.drop_value(text, piece.keys, file)


def write_changes(changes: Iterable[AgentFileChange], environ: Mapping[str, str], now: datetime) -> list[Path]:
    """Make the changes, and return where each file's old text is kept."""
    kept = []
    for change in changes:
        if change.had is not None:
            kept.append(_backed_up(change, environ, now))
        if change.after is None:
            files.remove(change.path)
            folder = change.path.parent
            while change.root in folder.parents and opener.removed_folder(folder):
                folder = folder.parent
        elif not files.replace(change.path, change.after, change.before):
            raise Refused("{file} has changed meanwhile", "run it again", file=change.path)
    return kept


def _backed_up(change: AgentFileChange, environ: Mapping[str, str], now: datetime) -> Path:
    folder = _backup_folder(environ) / f"{now:%Y%m%d-%H%M%S}"
    files.make_folder(folder, 0o700)
    path = folder / _backup_name(change.path)
    files.create_exclusive(path, change.had or "", 0o600)
    return path


def _backups(path: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts that a file had before each of our changes, the latest first."""
    folder = _backup_folder(environ)
    for name in sorted(cache_files.folders(folder), reverse=True):
        with suppress(MemError):
            yield files.read_file(folder / name / _backup_name(path)).text


def _backup_folder(environ: Mapping[str, str]) -> Path:
    return Path(discover.data_home(environ)) / BACKUPS


def _backup_name(path: Path) -> str:
    return str(path).replace(os.sep, "%").replace(":", "%")[-200:]


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
        return _words(_held(server, files.read_or_empty(server.path, str(server.path)).text) or {})
    except Exception:  # somebody else's file: `mem install` reports what is wrong in it
        return ()
