"""A commit of a few files, made without `git commit`: no hook, filter or helper is known here that could run.

Git is asked what only it knows (who commits, what is ignored) and keeps the index; the rest is written by ourselves.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from memcli.vault import git, git_sandbox, work_tree
from memcli.vault.git_dir import Head, read_plain
from memcli.vault.git_objects import GITLINK, LINK, TREE, Leaf, Objects
from memcli.vault.git_sandbox import Sandbox

FILE, PROGRAM = b"100644", b"100755"
LOOSE = 27  # files in one of the 256 folders of loose objects: 6,900 in all, where git packs them, too


def commit(root: Path, spool: Path, paths: Iterable[str], message: str, at: datetime) -> tuple[str, str]:
    """Commit these paths alone, whatever is staged; returns (short commit id, why not)."""
    with git_sandbox.opened(root, spool) as box:
        if state := box.home.busy():
            return "", f"a git {state} is under way"
        objects = Objects(box)
        try:
            with box.home.locked("index") as lock:
                box.copy_index()
                oid, why_not = _commit(box, objects, list(dict.fromkeys(paths)), message, at, lock.put)
        finally:
            objects.close()
        if oid and len(box.home.names("objects/17")) > LOOSE:
            pack(box)
        return oid[:7], why_not


def dates(at: datetime) -> dict[str, str]:
    """The moment of a commit, as git takes it."""
    moment = at.isoformat(timespec="seconds")
    return {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}


def _commit(
    box: Sandbox, objects: Objects, paths: list[str], message: str, at: datetime, put_index: Callable[[bytes], None]
) -> tuple[str, str]:
    work_tree.rules_are_plain(box.root, paths)
    here = [path for path in paths if os.path.lexists(box.root / path)]
    asked_who = box.start_asking_who(dates(at))
    head = box.head
    before = objects.tree_of(head.oid) if head.oid else ""
    leaves: dict[str, Leaf] = {path: None for path in paths if path not in here}
    new = [path for path in here if not _is_tracked(box, objects, before, path)]
    asked_ignored = box.start_ignored(new) if new else None
    kept = {path: _leaf(box, objects, before, path) for path in here}
    ignored = git_sandbox.left_out(asked_ignored.answer()) if asked_ignored else []
    who = asked_who.answer()
    if not who.ok:
        return "", git.plain(who)
    leaves.update((path, leaf) for path, leaf in kept.items() if path not in ignored)
    if not leaves:
        return "", "the file is ignored by .gitignore"
    after = objects.edited(before, leaves) or objects.add("tree", b"")
    if after == (before or objects.add("tree", b"")):
        return "", ""
    oid = objects.add("commit", _text(after, head, who.out.strip(), message))
    objects.store()
    box.index_info([_index_line(path, leaf, box.width) for path, leaf in leaves.items()])
    with box.home.moving(
        head
    ) as move:  # the index first: killed in between, what is new is staged, and no step back is
        put_index(box.index.read_bytes())
        move(oid, who.out.strip(), message.partition("\n")[0])
    return oid, ""


def _is_tracked(box: Sandbox, objects: Objects, before: str, path: str) -> bool:
    """Whether git knows a path already, so that it is not asked whether it should be left out."""
    return bool(objects.mode(before, path)) and os.fsencode(path) + b"\0" in (box.index_data or b"")


def _leaf(box: Sandbox, objects: Objects, before: str, path: str) -> Leaf:
    """A file as it is to be stored."""
    file = box.root / path
    info = os.lstat(file)
    if stat.S_ISLNK(info.st_mode):
        return LINK, objects.add("blob", os.fsencode(os.readlink(file)))
    data = read_plain(file, path) or b""
    mode = objects.mode(before, path)
    if mode in (b"", LINK, TREE, GITLINK):
        mode = PROGRAM if info.st_mode & stat.S_IXUSR else FILE
    if b"\r" not in data and b"$Id" not in data:
        return mode, objects.add("blob", data)
    box.take_users_settings()  # line ends may have to be changed as .gitattributes and the settings say
    stored = box.must("hash-object", "-w", "--stdin", "--path", path, stdin=data, work=box.root)
    box.carry()
    return mode, stored.out.strip()


def _index_line(path: str, leaf: Leaf, width: int) -> str:
    mode, oid = leaf or (b"0", "0" * width)
    return f"{mode.decode()} {oid}\t{path}"


def _text(tree: str, head: Head, who: str, message: str) -> bytes:
    lines = [f"tree {tree}", *([f"parent {head.oid}"] if head.oid else []), f"author {who}", f"committer {who}"]
    said = message.replace("\0", "").strip()
    return ("\n".join([*lines, "", said]) + "\n").encode("utf-8", "surrogateescape")


def pack(box: Sandbox) -> None:
    """Put all loose objects into a pack. Each is taken away only once a pack that has it is safely in its place, whether
    anything refers to it or not: nothing can be lost by it.
    """
    loose = [
        f"{folder}{name}"
        for folder in box.home.names("objects")
        if len(folder) == 2
        for name in box.home.names(f"objects/{folder}")
        if len(name) == box.width - 2
    ]
    listed = "".join(f"{oid}\n" for oid in loose).encode()
    (box.folder / "objects/pack").mkdir(exist_ok=True)
    made = box.ask("pack-objects", "--quiet", "objects/pack/pack", stdin=listed, work=box.folder, timeout=300)
    if not made.ok:  # an object is damaged: git fsck tells which; all stay as they are
        return
    box.carry()
    name = f"objects/pack/pack-{made.out.strip()}"
    for part in (".pack", ".idx"):
        _sync(box.home.place(name + part))
    for oid in loose:
        box.home.place(f"objects/{oid[:2]}/{oid[2:]}").unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
