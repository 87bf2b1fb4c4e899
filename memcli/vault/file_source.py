"""Read a vault's files from disk. A long-running process reads them from memory instead (`watch.resident`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from memcli.vault import entries, files, layout
from memcli.vault.entries import Document

if TYPE_CHECKING:
    from memcli.text.words import Term
    from memcli.vault.filter import Filter
    from memcli.vault.search import Findings, LinePattern
    from memcli.vault.vault import Vault

T = TypeVar("T")


class FileSource:
    """Read the files from disk each time. The vault passes only paths that its caller may see."""

    stays = False  # whether this process keeps running with files in memory, like the watcher

    def steadily(self, vault: Vault, ask: Callable[[], T]) -> T:
        """Run `ask` on one unchanging state of the files, and return its result."""
        return ask()

    def files(self, vault: Vault, want: Filter) -> list[str]:
        """Return the wanted files that the caller may see, sorted."""
        return vault.admitted(layout.walk(vault.root, tell=vault.left_out, stamps=vault.stamps), want)

    def document(self, vault: Vault, path: str, part: Callable[[str], str]) -> Document:
        """Return a file, or a part of its text, parsed. Raise VaultError when it can't be read."""
        return entries.parse_document(path, part(files.read_file(vault.place(path), path).text))

    def unread(self, vault: Vault, paths: Sequence[str]) -> list[str]:
        """Return the files among `paths` that can't be read."""
        return [path for path in paths if not files.is_text(vault.root / path)]

    def dated(self, paths: Sequence[str], first: date, last: date) -> list[tuple[date, str]]:
        """Return (day, path) of the files whose name has a day from `first` to `last`, newest first."""
        return layout.dated(paths, first, last)

    def search(
        self, vault: Vault, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[LinePattern]
    ) -> Findings:
        """Search these files for words and patterns."""
        from memcli.vault import search

        return search.search_vault(vault, paths, terms, looks)


DISK = FileSource()
