"""Choose by the settings which model is asked: a command, or an endpoint with its key. Report it to `mem doctor`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memcli.errors import MemError, MissingPart, UsageError
from memcli.http import is_local
from memcli.message import Message
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.vault.check import Check

Hear = Callable[[str], None]  # gets an answer piece by piece
MOST_BYTES = 4 * 1024 * 1024  # of an answer, on its way
_STRENGTH = ("default", "user", "vault", "environment", "flag")
_DOOR = "/chat/completions"
_PLAIN = re.compile(r"[\w./+-]+\Z")  # a program's name or path; only a shell can parse other beginnings


class ModelFailure(MissingPart):
    """Signal that a model gave nothing usable.

    A second try makes sense after `again` seconds; None means that none does.
    """

    def __init__(
        self, message: str, hint: str = "", again: float | None = None, status: int = 0, **values: Any
    ) -> None:
        super().__init__(message, hint, **values)
        self.again = again
        self.status = status  # of HTTP, when a server refused


@dataclass(frozen=True)
class Target:
    """Describe how to reach a model: by a shell command, or at an endpoint with a model's name and perhaps a key."""

    command: str = ""
    url: str = ""
    model: str = ""
    key: str = ""

    @property
    def address(self) -> str:
        """Return the endpoint without what may be secret in it."""
        return safe_url(self.url)

    def __str__(self) -> str:
        model = f" ({self.model})" if self.model else ""
        return f"`{self.command}`" if self.command else self.address + model

    def __repr__(self) -> str:  # so that no traceback writes the key into a log
        return f"Target({self})"


def chosen_target(vault: Vault) -> Target:
    """Return the way to the model. Raise MissingPart with a hint when none is set up or none may be asked."""
    chosen, origins = vault.settings.llm, vault.resolved.origins
    if chosen.offline:
        where = "`mem config list --origin` says where it was set"
        raise MissingPart("no language model is asked: llm.offline is on", where)
    if not chosen.command and not chosen.url:
        hint = "mem config set --user llm.command 'ollama run qwen3', or llm.url and llm.model; docs/llm.md shows more"
        if {"llm.command", "llm.url"} & set(vault.resolved.ignored):
            hint = "this vault names one: `mem trust` shows it and asks"
        raise MissingPart("no language model is set up", hint)
    by_url = _STRENGTH.index(origins.get("llm.url", "default")) > _STRENGTH.index(origins.get("llm.command", "default"))
    if chosen.command and not (chosen.url and by_url):
        return Target(chosen.command)
    return Target(url=_address(chosen.url), model=chosen.model, key=_key(vault))


def available(vault: Vault) -> bool:
    """Return whether a model is set up and may be asked. The model itself is not tried."""
    try:
        return bool(chosen_target(vault))
    except MemError:
        return False


def checks(vault: Vault) -> Iterator[Check]:
    """Yield the line of `mem doctor` about the model. Nothing is sent; `mem model test llm` does that."""
    import shutil

    from memcli.vault.check import BROKEN, NOTE, OK, Check

    try:
        found = chosen_target(vault)
    except MissingPart as error:
        yield Check("llm", NOTE, "{WHY}; everything works by rules", error.hint, WHY=error.message)
        return
    except MemError as error:
        yield Check("llm", BROKEN, error.message, error.hint)
        return
    program = found.command.partition(" ")[0]
    if _PLAIN.match(program) and not shutil.which(program, path=vault.environ.get("PATH")):
        what = Message("llm.command starts `{program}`, which is not installed", program=program)
        yield Check("llm", BROKEN, what, "install it, or change it")
    elif found.key and found.url.startswith("http:") and not is_local(found.url):
        yield Check(
            "llm", NOTE, Message("{name}: prompts and key go there unencrypted", name=found), "use an https address"
        )
    else:
        yield Check("llm", OK, Message("{name}; `mem model test llm` asks it", name=found))


def safe_url(url: str) -> str:
    """Return an address without what may be secret in it: user, password, query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.removesuffix(_DOOR)}"


def _address(url: str) -> str:
    """Return the address for questions.

    Users give the server's address, with or without `/v1`. Raise UsageError when it is not an http address.
    """
    try:
        parts = urlsplit(url.strip())
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        raise UsageError("llm.url is not an http address", "http://localhost:11434/v1")
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(_DOOR) else (path or "/v1") + _DOOR, fragment="").geturl()


def _key(vault: Vault) -> str:
    """Return the key for the endpoint, or "".

    The user's own key never goes to an address that a vault set. Raise UsageError when the key has characters that no
    key has.
    """
    origins, name = vault.resolved.origins, vault.settings.llm.key_env
    if origins.get("llm.url") == "vault" and origins.get("llm.key_env") != "vault":
        return ""
    key = vault.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            "the key in {name} has characters that no key has", Message("set {name} anew", name=name), name=name
        )
    return key
