"""Decide what a vault may make this machine do.

A vault can come from a stranger: settings that run a command or send data away count only after `mem trust`. Git runs
in it only after that, or where `mem init` made the repository. The owner's consent is kept outside the vault, for this
machine and for exactly what was asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from memcli.errors import Refused, UsageError, VaultError
from memcli.message import Message
from memcli.vault import json_read, settings
from memcli.vault.git.fingerprint import could_run
from memcli.vault.git.repository import is_repository
from memcli.vault.layout import CONFIG

FILE = "trusted.json"  # a file in the user's own data folder
SETTINGS, GIT = "settings", "git"  # what the owner agrees to, each separately
NEVER = "`mem trust` turns on commits, history and sync by git"


def guarded(root: Path) -> dict[str, str]:
    """Return by name what needs the owner's consent in this vault: guarded settings, and what git would run."""
    found = _settings(root)
    if is_repository(root):
        found["git"] = "commits, history and sync, with the hooks and filters that are configured"
        found.update({f"git: {name}": value for name, value in could_run(root).items()})
    return found


def runs_git(root: Path, environ: Mapping[str, str]) -> bool:
    """Return whether git may run in this folder: it is a repository, and the owner's consent still holds."""
    return is_repository(root) and not why_no_git(root, environ)


def why_no_git(root: Path, environ: Mapping[str, str]) -> str:
    """Return why git does not run in this repository, or ""."""
    agreed = _agreed(root, environ).get(GIT)
    now = could_run(root)
    if agreed == _digest(now):
        return ""
    if agreed is None:
        return NEVER
    return Message(
        "what git would run here has changed ({names}); `mem trust` shows it and asks",
        names=", ".join(now) or "less than before",
    )


def must_run_git(root: Path, environ: Mapping[str, str]) -> None:
    """Raise Refused when git must not run in this repository."""
    if why := why_no_git(root, environ):
        raise Refused("git does not run in this vault: {WHY}", "mem trust shows and asks", WHY=why)


def is_trusted(root: Path, environ: Mapping[str, str]) -> bool:
    """Return whether the user agreed to exactly the settings for which this vault now asks."""
    try:
        return _agreed(root, environ).get(SETTINGS) == _digest(_settings(root))
    except VaultError:  # unreadable settings are not those that the user agreed to
        return False


def is_agreed(root: Path, environ: Mapping[str, str]) -> bool:
    """Return whether the user agreed to everything that `guarded` lists."""
    settled = not _settings(root) or is_trusted(root, environ)
    return settled and not (is_repository(root) and why_no_git(root, environ))


def trust(root: Path, environ: Mapping[str, str]) -> None:
    """Record that the user agrees to everything that `guarded` lists."""
    _remember(root, environ, {SETTINGS: _digest(_settings(root)), GIT: _digest(could_run(root))})


def trust_git(root: Path, environ: Mapping[str, str]) -> None:
    """Record that git may run here, because the user had this repository made."""
    _remember(root, environ, {**_agreed(root, environ), GIT: _digest(could_run(root))})


def revoke(root: Path, environ: Mapping[str, str]) -> bool:
    """Forget what the user agreed to. Return False when there was nothing to forget."""
    name = str(root.resolve())
    if name not in json_read.read_notes(environ, FILE):
        return False
    json_read.change_notes(environ, FILE, lambda noted: {root: mark for root, mark in noted.items() if root != name})
    return True


def _settings(root: Path) -> dict[str, str]:
    known = settings.keys()
    found = {}
    for name, value in settings.flat(root / CONFIG).items():
        try:
            needs_trust = settings.find_setting(name, known).asks(value)
        except UsageError:  # an unknown setting does nothing
            continue
        if needs_trust:
            found[name] = json.dumps(value, ensure_ascii=False, default=str)
    return found


def _agreed(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    agreed = json_read.read_notes(environ, FILE).get(str(root.resolve()))
    return agreed if isinstance(agreed, dict) else {}


def _remember(root: Path, environ: Mapping[str, str], fingerprint: dict[str, str]) -> None:
    json_read.change_notes(environ, FILE, lambda noted: {**noted, str(root.resolve()): fingerprint})


def _digest(fingerprint: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(fingerprint, sort_keys=True).encode()).hexdigest()
