"""A commit of a few files, made without `git commit`: no hook, filter or helper is known here that could run.

Git is asked what only it knows (who commits, what is ignored) and keeps the index; blobs, trees and commits are read
and written by ourselves (`Objects`).
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memcli import system
from memcli.errors import Refused
from memcli.vault.git import program, sandbox, work_tree
from memcli.vault.git.dot_git import GitDir, Head, read_plain
from memcli.vault.git.sandbox import Sandbox

FILE, PROGRAM = b"100644", b"100755"
LOOSE = 27  # files in one of the 256 folders of loose objects: 6,900 in all, where git packs them, too
TREE, LINK, GITLINK = b"40000", b"120000", b"160000"
LARGEST_TREE = 64 * 1024 * 1024
Leaf = tuple[bytes, str] | None  # mode and object of a file; None: it is gone


def commit(root: Path, spool: Path, paths: Iterable[str], message: str, at: datetime) -> tuple[str, str]:
    """Commit these paths alone, whatever is staged; returns (short commit id, why not)."""
    with sandbox.opened(root, spool) as box:
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
    ignored = sandbox.left_out(asked_ignored.answer()) if asked_ignored else []
    who = asked_who.answer()
    if not who.ok:
        return "", program.plain(who)
    leaves.update((path, leaf) for path, leaf in kept.items() if path not in ignored)
    if not leaves:
        return "", "the file is ignored by .gitignore"
    after = objects.edited(before, leaves) or objects.add("tree", b"")
    if after == (before or objects.add("tree", b"")):
        return "", ""
    oid = objects.add("commit", _text(after, head, who.out.strip(), message))
    objects.store()
    modes = ((path, *(leaf or (b"0", "0" * box.width))) for path, leaf in leaves.items())
    box.index_info([f"{mode.decode()} {named}\t{path}" for path, mode, named in modes])
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


def _text(tree: str, head: Head, who: str, message: str) -> bytes:
    lines = [f"tree {tree}", *([f"parent {head.oid}"] if head.oid else []), f"author {who}", f"committer {who}"]
    said = message.replace("\0", "").strip()
    return ("\n".join([*lines, "", said]) + "\n").encode("utf-8", "surrogateescape")


def pack(box: Sandbox) -> None:
    """Put all loose objects into a pack. Each is taken away only once a pack that has it is safely in its place,
    whether anything refers to it or not: nothing can be lost by it.
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


@dataclass
class Objects:
    """The objects of a vault. What is packed is read by one `git cat-file`, started when it is needed first."""

    box: Sandbox
    written: list[tuple[str, bytes]] = field(default_factory=list)  # not on disk before `store`
    _asked: subprocess.Popen[bytes] | None = None
    _trees: dict[str, dict[bytes, tuple[bytes, str]]] = field(default_factory=dict)

    @property
    def home(self) -> GitDir:
        return self.box.home

    def add(self, kind: str, data: bytes) -> str:
        """The name of an object that `store` will write."""
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        oid = (hashlib.sha256 if self.box.width == 64 else hashlib.sha1)(whole).hexdigest()
        self.written.append((oid, whole))
        return oid

    def store(self) -> None:
        """Write what was added, whole files under their final names only."""
        for oid, whole in self.written:
            name = f"objects/{oid[:2]}/{oid[2:]}"
            if self.home.has(name):
                continue
            temporary = self.home.new(
                f"objects/{oid[:2]}/tmp_obj_{os.urandom(6).hex()}", zlib.compress(whole, 1), 0o444
            )
            system.replace(temporary, self.home.place(name))
        self.written.clear()

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""
        data = self.read(commit, "commit")
        head, _, tree = data.split(b"\n", 1)[0].partition(b" ")
        if head != b"tree":
            raise Refused(f"commit {commit[:10]} has no tree", "git fsck tells more")
        return tree.decode("ascii", "replace")

    def edited(self, tree: str, leaves: Mapping[str, Leaf]) -> str:
        """A tree with these paths set or gone; empty when nothing is left in it. Only trees on their way are read."""
        entries: dict[bytes, tuple[bytes, str]] = dict(self._entries(tree)) if tree else {}
        below: dict[bytes, dict[str, Leaf]] = {}
        for path, leaf in leaves.items():
            name, slash, rest = path.partition("/")
            key = os.fsencode(name)
            if slash:
                below.setdefault(key, {})[rest] = leaf
            elif leaf:
                entries[key] = leaf
            elif entries.get(key, (b"", ""))[0] not in (TREE, GITLINK):
                entries.pop(key, None)
        for key, inner in below.items():
            mode, oid = entries.get(key, (b"", ""))
            if mode == GITLINK:
                raise Refused(f"{os.fsdecode(key)} is a repository of its own", "what lies in it is not committed here")
            if new := self.edited(oid if mode == TREE else "", inner):
                entries[key] = (TREE, new)
            elif mode == TREE:
                del entries[key]
        if not entries:
            return ""
        ordered = sorted(entries.items(), key=lambda item: item[0] + (b"/" if item[1][0] == TREE else b""))
        return self.add("tree", b"".join(b"%s %s\0%s" % (m, name, bytes.fromhex(o)) for name, (m, o) in ordered))

    def mode(self, tree: str, path: str) -> bytes:
        """The mode a path has in a tree; nothing when it is not there."""
        name, slash, rest = path.partition("/")
        mode, oid = self._entries(tree).get(os.fsencode(name), (b"", "")) if tree else (b"", "")
        return self.mode(oid if mode == TREE else "", rest) if slash else mode

    def read(self, oid: str, kind: str) -> bytes:
        """What an object of that kind holds; Refused when there is none, or it is not what its name says."""
        for name, whole in self.written:
            if name == oid:
                return whole.partition(b"\0")[2]
        packed = self.home.read(f"objects/{oid[:2]}/{oid[2:]}", LARGEST_TREE)
        if packed is None:
            return self._read_packed(oid, kind)
        try:
            whole = zlib.decompressobj().decompress(packed, LARGEST_TREE)
        except zlib.error:
            whole = b""
        head, _, data = whole.partition(b"\0")
        if head != b"%s %d" % (kind.encode(), len(data)):
            raise Refused(f"{kind} {oid[:10]} of the repository is damaged", "git fsck tells more")
        return data

    def _read_packed(self, oid: str, kind: str) -> bytes:
        if self._asked is None:
            self._asked = self.box.start("cat-file", "--batch", stdin=b"").process
        source, sink = self._asked.stdout, self._asked.stdin
        assert source and sink
        sink.write(f"{oid}\n".encode())
        sink.flush()
        facts = source.readline().split()
        if len(facts) != 3 or facts[1] != kind.encode() or int(facts[2]) > LARGEST_TREE:
            raise Refused(f"{kind} {oid[:10]} of the repository is missing", "git fsck tells more")
        data = source.read(int(facts[2]))
        source.read(1)
        return data

    def _entries(self, tree: str) -> dict[bytes, tuple[bytes, str]]:
        """What lies in a tree: by name its mode and object."""
        if tree in self._trees:
            return self._trees[tree]
        data, at = self.read(tree, "tree"), 0
        size = self.box.width // 2
        entries = self._trees[tree] = {}
        while at < len(data):
            blank, end = data.find(b" ", at), data.find(b"\0", at)
            if blank < 0 or end < blank or len(data) < end + 1 + size:
                raise Refused(f"tree {tree[:10]} of the repository is damaged", "git fsck tells more")
            entries[data[blank + 1 : end]] = (data[at:blank], data[end + 1 : end + 1 + size].hex())
            at = end + 1 + size
        return entries

    def close(self) -> None:
        if self._asked:
            self._asked.kill()
            self._asked.communicate()
