"""Open a vault with a broken `mem.yaml` for the commands that can repair it."""

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
def open_with_broken_settings(terminal: Terminal) -> Iterator[Vault]:
    """Yield the vault even if its `mem.yaml` is broken, and add a notice about remaining errors when the command is
    done."""
    vault = terminal.vault(forgiving=True)
    if _find_flaw(vault):
        vault.notices.clear()  # the command may repair these errors; those left are reported below
    try:
        yield vault
    finally:
        if flaw := _find_flaw(vault):
            vault.notice(flaw)


def _find_flaw(vault: Vault) -> str:
    try:
        resolved = settings.resolve(vault.root / CONFIG, vault.environ, {}, trusted=False)
    except MemError as error:
        return joined(error.message, settings.HOW_TO_EDIT)
    return joined(*resolved.odd)
