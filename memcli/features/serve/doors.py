"""Define what the server needs from its neighbours: who a caller is, a vault to work on, and a way to run a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from memcli.errors import MemError
from memcli.features.serve.access import Access
from memcli.vault.vault import Vault

Opener = Callable[..., Vault]  # takes what `open_vault` takes
Hear = Callable[[str], None]  # receives a command's output while it is printed


class OpenVault(Protocol):
    """Keeps a vault in memory."""

    def reading(self, root: Path, *settings: Any) -> Vault:
        """Return the vault for a command that reads: from memory, with any changes in its files taken in."""

    def writing(self, root: Path, *settings: Any) -> Vault:
        """Return the vault for a command that writes: from its files."""

    def wrote(self) -> None:
        """Take in a finished write, so that the next reader sees it."""


def confined(opener: Opener, access: Access) -> Opener:
    """Return an opener of vaults in which an agent's token changes nothing outside the agent's own space."""
    return lambda *given, **more: opener(*given, **more).changed(confined=access.agent or "")


class Vaults(Protocol):
    def at(self, root: Path) -> OpenVault: ...


class Tokens(Protocol):
    def access_of(self, secret: str) -> Access | None: ...


@dataclass(frozen=True)
class CommandResult:
    """Holds how a command ended: its exit code, what it printed, and its error, if any."""

    code: int
    out: str
    err: str
    error: MemError | None = None


class Run(Protocol):
    """Runs the words of a command with piped input, in the name of a caller. It is the same code as in a terminal."""

    def __call__(
        self, words: Sequence[str], stdin: bytes, access: Access, opener: Opener, hear: Hear | None = None
    ) -> CommandResult: ...


class Readers(Protocol):
    """Runs commands that read in several processes, each with vaults of its own in memory."""

    many: int

    def run(self, words: Sequence[str], stdin: bytes, access: Access) -> CommandResult:
        """Run a command like `Run`, on a vault that includes every write reported by `wrote`."""

    def wrote(self, root: Path) -> None:
        """Report that a write to a vault is done."""
