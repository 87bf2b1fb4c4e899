"""Give a vault its files from the disk. A process that keeps running gives them from memory (`watch.resident`)."""

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
    """Read the files each time. The vault has decided what its caller may see before it asks."""

    stays = False  # whether this process keeps running and is warm, like the watcher

    def steadily(self, vault: Vault, ask: Callable[[], T]) -> T:
        """Run `ask` while what is known of the files stays the same."""
        return ask()

    def files(self, vault: Vault, want: Filter) -> list[str]:
        """Return the wanted files that the caller may see, sorted."""
        return vault.admitted(layout.walk(vault.root, tell=vault.left_out, stamps=vault.stamps), want)

    def document(self, vault: Vault, path: str, part: Callable[[str], str]) -> Document:
        """Return a file, or a part of its text, parsed. Raise VaultError when it can't be read."""
        return entries.parse_document(path, part(files.read_file(vault.place(path), path).text))

    def unread(self, vault: Vault, paths: Sequence[str]) -> list[str]:
        """Return those of these files that can't be read."""
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
