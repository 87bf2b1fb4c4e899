"""What a vault may make this machine do. A vault can come from a stranger: what in it would run a command or send data
anywhere counts only after `mem trust`, given on this machine for exactly these settings and kept outside the vault.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from memcli.errors import MissingPart, UsageError, VaultError
from memcli.vault import files, git, settings
from memcli.vault.layout import CONFIG

# Keys of a repository's own config that name programs or other places. `mem` never runs hooks.
_RISKY_GIT = re.compile(
    r"^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|diff\..*\.(command|textconv)|core\.(sshcommand|gitproxy|"
    r"askpass|alternaterefscommand|worktree|attributesfile)|credential(\..*)?\.helper|gpg(\..*)?\.program|"
    r"remote\..*\.(uploadpack|receivepack|proxy|vcs)|url\..*\.(insteadof|pushinsteadof)|include(if\..*)?\.path|"
    r"http\..*proxy|ssh\.variant|uploadpack\.packobjectshook)$"
)


def guarded(root: Path) -> dict[str, str]:
    """What in this vault needs trust: guarded settings of `mem.yaml`, and programs named in its `.git/config`."""
    known = settings.keys()
    found = {}
    for name, value in settings.flat(root / CONFIG).items():
        try:
            asks = settings.find(name, known).asks(value)
        except UsageError:  # what is no setting does nothing
            continue
        if asks:
            found[name] = json.dumps(value, ensure_ascii=False, default=str)
    found.update({f"git: {name}": value for name, value in risky_git(root).items()})
    return found


def risky_git(root: Path) -> dict[str, str]:
    """Programs that the vault's own repository config would have git run."""
    if not git.is_repository(root):
        return {}
    try:
        listed = git.ask(root, "config", "--list", "--show-scope", "-z").out.split("\0")
    except MissingPart:
        return {}
    found = {}
    for scope, pair in zip(listed[::2], listed[1::2], strict=False):
        name, _, value = pair.partition("\n")
        if scope in ("local", "worktree") and _RISKY_GIT.match(name.lower()):
            found[name] = value
    return found


def bars(root: Path, environ: Mapping[str, str]) -> str:
    """Why git must not be let loose in this vault: programs its config names that nobody has agreed to; else nothing."""
    risky = risky_git(root)
    if not risky or is_trusted(root, environ):
        return ""
    return f"this repository's config runs {', '.join(risky)}"


def is_trusted(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the user has agreed to exactly what this vault asks for now."""
    agreed = _agreed(environ).get(str(root.resolve()))
    try:
        return agreed is not None and agreed == _digest(guarded(root))
    except VaultError:  # settings that can't be read are not the ones that were agreed to
        return False


def trust(root: Path, environ: Mapping[str, str]) -> None:
    """Remember that the user agrees to what `guarded` lists."""
    _store({**_agreed(environ), str(root.resolve()): _digest(guarded(root))}, environ)


def revoke(root: Path, environ: Mapping[str, str]) -> bool:
    """Forget it again; False when there was nothing to forget."""
    agreed = _agreed(environ)
    if agreed.pop(str(root.resolve()), None) is None:
        return False
    _store(agreed, environ)
    return True


def _digest(what: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _file(environ: Mapping[str, str]) -> Path:
    return settings.data_home(environ) / "trusted.json"


def _agreed(environ: Mapping[str, str]) -> dict[str, str]:
    try:
        agreed = json.loads(files.read(_file(environ)).text)
    except (VaultError, ValueError, RecursionError):
        return {}
    return agreed if isinstance(agreed, dict) else {}


def _store(agreed: dict[str, str], environ: Mapping[str, str]) -> None:
    file = _file(environ)
    files.replace(file, json.dumps(agreed, indent=1) + "\n", files.read_or_empty(file))
    file.chmod(0o600)
