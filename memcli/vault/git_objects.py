"""Blobs, trees and commits of a repository, read and written by ourselves."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from memcli.errors import Refused
from memcli.vault.git_dir import GitDir
from memcli.vault.git_sandbox import Sandbox

TREE, LINK, GITLINK = b"40000", b"120000", b"160000"
LARGEST_TREE = 64 * 1024 * 1024
Leaf = tuple[bytes, str] | None  # mode and object of a file; None: it is gone


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
            os.replace(temporary, self.home.place(name))
        self.written.clear()

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""
        data = self.read(commit, "commit")
        head, _, tree = data.split(b"\n", 1)[0].partition(b" ")
        if head != b"tree":
            raise Refused(f"commit {commit[:10]} has no tree", "git fsck tells more")
        return tree.decode("ascii", "replace")

    def edited(self, tree: str, leaves: Mapping[str, Leaf]) -> str:
        """A tree with these paths set or gone; empty when nothing is left in it. Only the trees on their way are read."""
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
