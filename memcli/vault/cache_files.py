"""List and clear `.mem/` and mem's other own folders, which a stranger may have filled with traps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memcli.vault import files, opener


def names(folder: Path, suffix: str) -> list[str]:
    """Return the sorted names of the regular files in a folder that end with `suffix`; a missing folder has none."""
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
    """Return the sorted names of the folders in a folder, without links."""
    return sorted(each.name for each in _listed(folder) if each.is_dir(follow_symlinks=False))


def walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield every entry below a folder without following links."""
    for each in _listed(folder):
        yield each
        if each.is_dir(follow_symlinks=False):
            yield from walk(Path(each.path))


def size(folder: Path) -> int:
    """Return how many bytes all files below a folder take."""
    paths = (Path(each.path) for each in walk(folder) if each.is_file(follow_symlinks=False))
    return sum(map(files.size_of, paths))  # a file that vanished meanwhile counts 0


def cleared(path: Path) -> Path:
    """Return `path`, for a library that opens cache files on its own, once whatever is neither a regular file nor a
    folder is removed from it and from beside it, under names that begin alike."""
    try:
        with opener.place(path / "_"):  # refuses a way that leads through links
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
    """Remove a folder of the cache as far as possible."""
    import shutil  # brings compression along, and every hook loads this module

    cleared(folder)
    shutil.rmtree(folder, ignore_errors=True)


def sweep(spool: Path) -> None:
    """Remove what a killed writer left half prepared. Call it under the lock, so that nothing of it is in use."""
    for path in spool.glob(f".*{opener.TEMPORARY}"):
        files.remove(path)


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
