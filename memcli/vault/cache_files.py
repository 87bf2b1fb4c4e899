"""What lies in `.mem/` and in other folders of mem's own, which may be filled with traps: listed and cleared."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from memcli.vault import files, opener


def names(folder: Path, suffix: str) -> list[str]:
    """The names of the regular files in a folder, sorted; none without a folder, VaultError when it can't be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                each.name for each in entries if each.name.endswith(suffix) and each.is_file(follow_symlinks=False)
            )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise files.unreadable(folder.name, error) from None


def folders(folder: Path) -> list[str]:
    """The names of the folders in a folder, sorted; links are none."""
    return sorted(each.name for each in _listed(folder) if each.is_dir(follow_symlinks=False))


def walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Whatever lies below a folder; no link is followed."""
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return
    for each in listed:
        yield each
        if each.is_dir(follow_symlinks=False):
            yield from walk(Path(each.path))


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    kept = (Path(each.path) for each in walk(folder) if each.is_file(follow_symlinks=False))
    return sum(map(files.size_of, kept))  # what is gone meanwhile has none


def cleared(path: Path) -> Path:
    """A file or folder of the cache, for a library that opens it by itself: without anything that is neither a regular
    file nor a folder, in it and beside it under the same name. What can't be cleared is refused."""
    try:
        with opener.place(path / "_"):  # the way there has no links
            pass
    except FileNotFoundError:
        return path
    except OSError:
        if path.is_symlink() or not path.is_file():
            files.remove(path)
    beside = [each for each in _listed(path.parent) if each.name.startswith(path.name)]
    for each in [*beside, *walk(path)]:
        if not (each.is_file(follow_symlinks=False) or each.is_dir(follow_symlinks=False)):
            files.remove(Path(each.path))
    return path


def remove_tree(folder: Path) -> None:
    """Take a folder of the cache away, as far as that can be done."""
    cleared(folder)
    shutil.rmtree(folder, ignore_errors=True)


def sweep(spool: Path) -> None:
    """Remove what a killed writer left half prepared; called under the lock, so none of it is in use."""
    for path in spool.glob(f".*{opener.TEMPORARY}"):
        files.remove(path)


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
