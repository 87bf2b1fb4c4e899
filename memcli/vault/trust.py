"""What a vault may make this machine do. A vault can come from a stranger: what in it would run a command or send data
anywhere counts only after `mem trust`, given on this machine for exactly these settings and kept outside the vault.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from memcli.errors import UsageError, VaultError
from memcli.vault import json_read, settings
from memcli.vault.git import asks
from memcli.vault.layout import CONFIG

FILE = "trusted.json"  # of the user's own data folder


def guarded(root: Path) -> dict[str, str]:
    """What in this vault needs trust: guarded settings of `mem.yaml`, and what its `.git` would have git do."""
    known = settings.keys()
    found = {}
    for name, value in settings.flat(root / CONFIG).items():
        try:
            needs_trust = settings.find(name, known).asks(value)
        except UsageError:  # what is no setting does nothing
            continue
        if needs_trust:
            found[name] = json.dumps(value, ensure_ascii=False, default=str)
    found.update({f"git: {name}": value for name, value in asks.everything(root).items()})
    return found


def bars(root: Path, environ: Mapping[str, str], reading: bool = False, network: bool = False) -> str:
    """Why not even a commit may be made in this vault: what changes what is stored, and nobody agreed to. With
    `reading` or `network`, why its history may not be read, or it not be synchronised."""
    asked = asks.deep_bars(root) if reading or network else asks.bars(root)
    asked.update(asks.network(root) if network else {})
    return "" if not asked or is_trusted(root, environ) else asks.named(asked)


def lets_git_loose(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the user has agreed to what this repository asks for: then git runs on it as it is."""
    asked = asks.bars(root) or asks.network(root)
    return bool(asked) and is_trusted(root, environ)


def is_trusted(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the user has agreed to exactly what this vault asks for now."""
    agreed = json_read.noted(environ, FILE).get(str(root.resolve()))
    try:
        return agreed is not None and agreed == _digest(guarded(root))
    except VaultError:  # settings that can't be read are not the ones that were agreed to
        return False


def trust(root: Path, environ: Mapping[str, str]) -> None:
    """Remember that the user agrees to what `guarded` lists."""
    _store({**json_read.noted(environ, FILE), str(root.resolve()): _digest(guarded(root))}, environ)


def revoke(root: Path, environ: Mapping[str, str]) -> bool:
    """Forget it again; False when there was nothing to forget."""
    agreed = json_read.noted(environ, FILE)
    if agreed.pop(str(root.resolve()), None) is None:
        return False
    _store(agreed, environ)
    return True


def _digest(what: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _store(agreed: dict[str, str], environ: Mapping[str, str]) -> None:
    json_read.note(environ, FILE, agreed).chmod(0o600)
