"""What the server asks of its neighbours: who somebody is, a vault to work on, and to run a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from memcli.errors import MemError
from memcli.serve.access import Access
from memcli.vault.vault import Vault

Opener = Callable[..., Vault]  # as `open_vault`
Hear = Callable[[str], None]  # gets what a command prints, while it prints it


class OpenVault(Protocol):
    """A vault that is kept in memory."""

    def reading(self, root: Path, *settings: Any) -> Vault:
        """The vault as a command that reads opens it: from memory, and what changed in its files is seen."""

    def writing(self, root: Path, *settings: Any) -> Vault:
        """The vault as a command that writes opens it: from its files."""

    def wrote(self) -> None:
        """A write is done: the next one who reads must see it."""


def confined(opener: Opener, access: Access) -> Opener:
    """Return an opener of vaults in which an agent's token changes nothing but the agent's own space."""
    return lambda *given, **more: replace(opener(*given, **more), confined=access.agent or "")


class Vaults(Protocol):
    def at(self, root: Path) -> OpenVault: ...


class Tokens(Protocol):
    def access_of(self, secret: str) -> Access | None: ...


@dataclass(frozen=True)
class Ran:
    """How a command ended: its exit code, what it printed, and what went wrong, if anything."""

    code: int
    out: str
    err: str
    error: MemError | None = None


class Run(Protocol):
    """Runs the words of a command with what is piped into it, in the name of somebody. The very same code as in a
    terminal."""

    def __call__(
        self, words: Sequence[str], stdin: bytes, access: Access, opener: Opener, hear: Hear | None = None
    ) -> Ran: ...


class Readers(Protocol):
    """Processes that run the commands that read, each with vaults of its own in memory."""

    many: int

    def run(self, words: Sequence[str], stdin: bytes, access: Access) -> Ran:
        """As `Run`, on the vault as it is after all that was told by `wrote`."""

    def wrote(self, root: Path) -> None:
        """A write is done in a vault."""
