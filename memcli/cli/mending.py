"""Give the commands that can mend a broken `mem.yaml` their vault all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memcli.cli.terminal import Terminal
from memcli.errors import MemError
from memcli.message import joined
from memcli.vault import settings
from memcli.vault.layout import CONFIG
from memcli.vault.vault import Vault


@contextmanager
def mendable_vault(terminal: Terminal) -> Iterator[Vault]:
    """Yield the vault, whatever its `mem.yaml` says, and say what is wrong there when the command is done."""
    vault = terminal.vault(forgiving=True)
    if _flaw(vault):
        vault.notices.clear()  # what was wrong before says nothing of what is wrong after
    try:
        yield vault
    finally:
        if flaw := _flaw(vault):
            vault.notice(flaw)


def _flaw(vault: Vault) -> str:
    try:
        settings.resolve(vault.root / CONFIG, vault.environ, {}, trusted=False)
    except MemError as error:
        return joined(error.message, settings.MEND)
    return ""
