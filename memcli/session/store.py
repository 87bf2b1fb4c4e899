"""Start sessions, find them by a part of their name, list them, and resume them."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from memcli.errors import MemError, NotFound, UsageError
from memcli.message import Message
from memcli.session import fold
from memcli.session.fold import Session
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.text.requests import UNSAY, talk_request
from memcli.vault import cache_files, files, layout, role_files
from memcli.vault.vault import Vault

FOLDER = layout.SESSIONS
LAST = "last"  # a name for the latest
MINUTE = len("20261121-1200")  # length of the minute in a name; within it the file's time decides
_PLAIN = compile_later(r"[\w./-]{1,200}")


def start(vault: Vault, *, title: str = "", role: str = "", knowledge: bool | None = None) -> Session:
    """Return a new session, open and empty. Git never sees its file."""
    from memcli.remember import check_agent_name, redacted
    from memcli.vault import state

    check_agent_name(vault, vault.agent)
    path = f"{vault.space}{FOLDER}"
    folder = vault.place(path)
    if not folder.exists():
        files.make_cache(folder)

    role = role or state.read_state(vault).role  # a role changes between conversations, and within one only on request
    title, role = (redacted(one_line(each, 100), vars(vault.settings.gates))[0] for each in (title, role))
    with fold.lock_sessions(vault, "session start"):
        while (folder / f"{(id := f'{vault.now:%Y%m%d-%H%M}-{os.urandom(2).hex()}')}.jsonl").exists():
            pass
        at = vault.now.isoformat(timespec="seconds")
        event = {"event": "start", "at": at, "title": title, "role": role, "knowledge": knowledge, **_as(vault, role)}
        return fold.append(vault, Session(id, f"{path}/{id}.jsonl", size=0), [event])


def find_session(vault: Vault, name: str = "") -> Session:
    """Return the session whose name or last part is `name` or begins with it. `last` means the latest in which
    something was said. Without a name take `MEM_SESSION`, else the newest open one. An agent's is only meant when the
    agent asks, or by its name. Raise NotFound or UsageError if none or several fit."""
    name = name or vault.environ.get("MEM_SESSION", "").strip()
    if name == LAST and (latest := latest_session(vault)):
        return latest
    paths = _paths(vault)
    found = _called(name, paths) if name else [path for path in paths if fold.is_open(vault, path)]
    if not name:
        found = [path for path in found if path.startswith(vault.space)] or found
    elif not (found or vault.agent):
        found = _called(name, _paths(vault, *cache_files.folders(vault.root / layout.AGENTS)))
    if len(found) > 1 and not name:  # one was forgotten
        newest = max(found, key=lambda path: (_id(path)[:MINUTE], (vault.root / path).stat().st_mtime_ns))
        vault.notice("{n} sessions are open, {id} is the newest; mem session end ends it", n=len(found), id=_id(newest))
        found = [newest]
    if len(found) == 1:
        return fold.read_session(vault, found[0])
    if not found and name:
        hint = "mem session list shows them; what mem tidy archived lies in sessions/archive"
        raise NotFound("no session is called '{name}'", hint, name=one_line(name))
    if not found:
        raise UsageError("no session is open", "mem session start opens one")
    listed = "".join(
        f"\n  {_id(path)}  {one_line(fold.read_session(vault, path).title, 60)}".rstrip() for path in found[:10]
    )
    more = f"\n  … and {len(found) - 10} more" if len(found) > 10 else ""
    what = Message("'{name}' matches {n} sessions:{list}", name=one_line(name), n=len(found), list=f"{listed}{more}")
    raise UsageError(what, "--session ID or MEM_SESSION says which; mem session end ends one")


def sessions(vault: Vault, most: int = 0) -> list[Session]:
    """Return the latest sessions, newest first, at most `most` (0 means all)."""
    found = []
    for path in _paths(vault)[: most or None]:
        try:
            found.append(fold.read_session(vault, path))
        except MemError as error:
            vault.notice(error.message)
    return found


def ids(vault: Vault) -> list[str]:
    """Return the names of all sessions, newest first, without opening a file."""
    return [_id(path) for path in _paths(vault)]


def resume(vault: Vault, session: Session, *, role: str | None = None, knowledge: bool | None = None) -> Session:
    """Resume a session that has ended, or change the role and the knowledge of an open one. Return the session."""
    with fold.lock_sessions(vault, "session resume"):
        now = fold.reread_session(vault, session)
        event = {"event": "resume" if now.ended else "switch", "at": vault.now.isoformat(timespec="seconds")}
        change = {"role": None if role is None else one_line(role), "knowledge": knowledge}
        given: dict[str, object] = {key: value for key, value in change.items() if value is not None}
        given |= _as(vault, given.get("role"))
        return fold.append(vault, now, [{**event, **given}] if given or now.ended else [])


def latest_session(vault: Vault, but: str = "") -> Session | None:
    """Return the latest session in which something was said, except `but`, or None."""
    for path in _paths(vault):
        if _id(path) != but and (found := fold.read_session(vault, path)).messages:
            return found
    return None


def unsay(vault: Vault, session: Session) -> Session:
    """Remove the words of the last exchange from the file: the user's last message that is not itself such a request,
    and all that followed. Return the session."""
    with fold.lock_sessions(vault, "session unsay"):
        now = fold.reread_session(vault, session)
        user_turns = [
            at for at, message in enumerate(now.messages)
            if message.role == "user" and message.content and talk_request(message.content) != UNSAY
        ]  # fmt: skip
        return fold.blank_messages(vault, now, user_turns[-1]) if user_turns else now


def _as(vault: Vault, role: object) -> dict[str, object]:
    """Return the current content of a role's file, to be stored in the session: a conversation keeps its role even if
    the file changes."""
    content = role_files.stored_role(vault, role) if isinstance(role, str) else {}
    return {"as": content} if content else {}


def _paths(vault: Vault, *others: str) -> list[str]:
    """Return the session files that are shared, the caller's, and those of the agents in `others`, newest first."""
    found = []
    for space in map(layout.space_of, dict.fromkeys(("", vault.agent, *others))):
        try:
            home = f"{space}{FOLDER}"
            brought = cache_files.folders(vault.root / home / layout.IMPORTED)
            for folder in (home, *(f"{home}/{layout.IMPORTED}/{name}" for name in brought)):
                found += [f"{folder}/{name}" for name in cache_files.names(vault.root / folder, ".jsonl")]
        except MemError as error:
            vault.notice(error.message)
    # A name is shown to people and models, so it must hold no line feeds.
    found = [path for path in found if _PLAIN.fullmatch(path)]
    return sorted(found, key=lambda path: (_id(path), path), reverse=True)


def _id(path: str) -> str:
    return PurePosixPath(path).stem


def _called(name: str, paths: list[str]) -> list[str]:
    """Return the paths that a name fits: whole names or last parts, else beginnings of either."""
    last = {path: _id(path).rpartition("-")[2] for path in paths}
    whole = [path for path in paths if name in (_id(path), last[path])]
    return whole or [path for path in paths if _id(path).startswith(name) or last[path].startswith(name)]
