"""Where a vault may be synchronised to without being trusted: by https or ssh, or to a plain repository outside it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from memcli.errors import Refused
from memcli.vault.git import config
from memcli.vault.git.config import Pair
from memcli.vault.git.dot_git import read_plain

PROTOCOLS = "https:ssh:file"
_HOST = r"(?:(?!-)[\w.~+%:-]+@)?(?:(?!-)[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])"
_URL = re.compile(rf"(?:https|ssh)://{_HOST}(?::\d+)?/[^\x00-\x20\x7f]*")
_SCP_LIKE = re.compile(rf"{_HOST}:(?!-)(?!:)[^\x00-\x20\x7f]*")  # user@host:path; `ext::…` is a program
_NAME = re.compile(r"(?![-.])[\w.-]+")
_ADDRESS = re.compile(r"remote\.(.*)\.(url|pushurl)")
_QUIET_HOST = "git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c gc.auto=0 -c receive.autogc=false "


@dataclass(frozen=True, slots=True)
class Remote:
    name: str
    url: str
    push_url: str = ""


def listed(pairs: list[Pair]) -> list[Remote]:
    """The remotes of a repository; `origin` first, the others as they stand there."""
    addresses: dict[str, dict[str, str]] = {}
    for name, value in pairs:
        if match := _ADDRESS.fullmatch(name):
            addresses.setdefault(match[1], {})[match[2]] = value
    remotes = [Remote(name, kinds.get("url", ""), kinds.get("pushurl", "")) for name, kinds in addresses.items()]
    return sorted((remote for remote in remotes if remote.url), key=lambda remote: remote.name != "origin")


def odd(root: Path, pairs: list[Pair]) -> Iterator[Pair]:
    """Addresses that count only in a trusted vault, each with why."""
    seen = set()
    for name, value in pairs:
        if match := _ADDRESS.fullmatch(name):
            why = "there are two of it" if name in seen else why_not(root, value)
            if not _NAME.fullmatch(match[1]):
                why = "the remote has no plain name"
            seen.add(name)
            if why:
                yield name, f"{value} ({why})"


def settings(root: Path, remote: Remote) -> dict[str, str]:
    """A remote as the config of a sandbox has it."""
    here = {f"remote.{remote.name}.url": address(root, remote.url)}
    here[f"remote.{remote.name}.fetch"] = f"+refs/heads/*:refs/remotes/{remote.name}/*"
    if remote.push_url:
        here[f"remote.{remote.name}.pushurl"] = address(root, remote.push_url)
    if _is_local(remote.url) and not remote.push_url:
        here[f"remote.{remote.name}.uploadpack"] = _QUIET_HOST + "upload-pack"
        here[f"remote.{remote.name}.receivepack"] = _QUIET_HOST + "receive-pack"
    return here


def address(root: Path, url: str) -> str:
    """A remote's address, wherever git is started from."""
    return str(_folder(root, url)) if _is_local(url) else url


def why_not(root: Path, url: str) -> str:
    """Why nobody should go to this address for a stranger's sake; empty when there is no reason."""
    if _is_local(url):
        return _why_not_folder(root, _folder(root, url))
    if _URL.fullmatch(url) or ("://" not in url and "::" not in url and _SCP_LIKE.fullmatch(url)):
        return ""
    return "neither https nor ssh"


def _is_local(url: str) -> bool:
    """Whether git takes this for a path, as it does: what has no colon before its first slash."""
    return url.startswith("file://") or (":" not in url.split("/", 1)[0] and bool(url)) or os.path.isabs(url)


def _folder(root: Path, url: str) -> Path:
    path = unquote(url.removeprefix("file://")) if url.startswith("file://") else url
    return Path(os.path.normpath(os.path.join(root, path)))


def _why_not_folder(root: Path, folder: Path) -> str:
    home = root.resolve()
    try:
        real = folder.resolve()
    except (OSError, RuntimeError):
        return "a link that leads round in a circle"
    for one in (folder, real):
        if one.is_relative_to(home) or one.is_relative_to(root) or home.is_relative_to(one):
            return "lies in the vault itself"
    for suffix in ("", ".git", "/.git", ".git/.git"):  # where git looks for it
        place = Path(f"{real}{suffix}")
        if place.is_file() or place.is_symlink():
            return "is a file, not a repository"
        try:
            if (place / "HEAD").exists() and (why := _why_not_repository(place)):
                return why
        except (OSError, Refused) as error:
            return str(error)
    return ""


def _why_not_repository(place: Path) -> str:
    hooks = place / "hooks"
    live = [hook.name for hook in hooks.glob("*") if not hook.name.endswith(".sample") and os.access(hook, os.X_OK)]
    if live:
        return f"has hooks: {', '.join(sorted(live))}"
    if (place / "commondir").exists() or (place / "config.worktree").exists():
        return "is not a repository of its own"
    text = (read_plain(place / "config", "its config", 2**20) or b"").decode("utf-8", "replace")
    asked = [name for name, value in config.asking(config.parse(text)) if (name, value) != ("core.bare", "true")]
    return f"has its own {', '.join(asked)}" if asked else ""
