"""One round of synchronising in a vault nobody has vouched for: all of it in a sandbox, brought home step by step."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from memcli.errors import Refused
from memcli.vault.git import config, conflicts, program, remotes, work_tree
from memcli.vault.git.commit import dates
from memcli.vault.git.dot_git import Head
from memcli.vault.git.program import Answer
from memcli.vault.git.sandbox import Sandbox
from memcli.vault.git.trusted import NETWORK, SAVED, unreachable
from memcli.vault.vault import Vault


class Exchange:
    """The same questions and orders as `trusted.Exchange`; nothing the vault says is run or believed."""

    def __init__(self, vault: Vault, box: Sandbox) -> None:
        self.vault, self.box = vault, box
        listed = remotes.listed(box.pairs)
        self.remote, self.branch = (listed[0].name if listed else ""), box.head.branch
        self.head: Head = box.head
        self.who = ""
        self.nested: list[str] = []
        self._index: bytes | None = None  # the vault's, as we know it
        self._before_save: tuple[Head, bytes | None] | None = None
        if listed:
            box.configure(remotes.settings(box.root, listed[0]))
            self.refs = box.bring_refs()

    def fetch(self) -> None:
        asked = self.box.start_asking_who(dates(self.vault.now)).answer()
        self.who = asked.out.strip() if asked.ok else f"mem <> {int(self.vault.now.timestamp())} +0000"
        fetched = self._network("fetch", "--quiet", "--no-recurse-submodules", self.remote)
        if not fetched.ok:
            raise unreachable(self.remote, fetched)
        self._bring("fetch")

    def branches(self) -> list[str]:
        prefix = f"refs/remotes/{self.remote}/"
        return [name.removeprefix(prefix) for name in self.refs if name.startswith(prefix)]

    def save(self) -> bool:
        """Commit what lies around."""
        with self.box.home.locked("index") as lock:
            self.nested = self.box.stage()
            self._index = index = self.box.index_data
            self._settings()
            if self.nested:
                self.vault.notice(f"{work_tree.LEFT_ALONE}: {', '.join(self.nested[:8])}")
            tree = self.box.must("write-tree").out.strip()
            if self.head.oid and tree == self._tree(self.head.oid):
                return False
            if not self.head.oid and not self.box.must("ls-files", "-z").raw:
                return False
            asked = self.box.start_asking_who(dates(self.vault.now)).answer()
            if not asked.ok:
                raise Refused(
                    f"the edits in the vault can't be committed: {program.plain(asked)}", "nothing was changed"
                )
            parents = ["-p", self.head.oid] if self.head.oid else []
            done = self.box.must("commit-tree", tree, *parents, "-m", SAVED, variables=self._identity())
            self.box.carry()
            before = self.head
            self._move_head(done.out.strip(), SAVED, lock.put)
            self._before_save = before, index
        return True

    def unsave(self) -> None:
        """As it was before `save`: the edits made by hand are uncommitted again, and staged is what was."""
        if self._before_save:
            head, index = self._before_save
            with self.box.home.locked("index") as lock:
                self._move_head(head.oid, "mem sync: taken back", lambda _: lock.put(index or b"") if index else None)

    def begun(self) -> bool:
        return bool(self.head.oid)

    def theirs(self) -> str:
        return self.refs.get(f"refs/remotes/{self.remote}/{self.branch}", "")

    def count(self, commits: str, merges: bool = True) -> int:
        words = ("rev-list", "--count", *(() if merges else ("--no-merges",)))
        answer = self.box.ask(*words, commits.replace("HEAD", self.head.oid))
        return int(answer.out) if answer.ok else 0

    def merged(self, theirs: str) -> str:
        """Put our commits and theirs together on a copy: whatever goes wrong there, the vault has not been touched."""
        copy = Path(mkdtemp(prefix="work-", dir=self.box.folder))
        places = {"GIT_INDEX_FILE": str(copy) + "-index", **self._identity()}
        self._settings({**conflicts.SETTINGS, "core.symlinks": "false"})
        (self.box.folder / "HEAD").write_text(f"{self.head.oid}\n", encoding="ascii")
        made = self.box.ask("reset", "--quiet", "--hard", timeout=NETWORK, work=copy, variables=places)
        if not made.ok:
            raise Refused(f"the merge can't be prepared: {made.why}", "nothing was changed")
        target = conflicts.merged(partial(self.box.ask, timeout=NETWORK, work=copy, variables=places), theirs)
        self.box.carry()
        self._settings()
        return target

    def move(self, target: str) -> None:
        """Bring the files, the index and the branch to a commit."""
        empty = self.box.must("hash-object", "-w", "-t", "tree", "--stdin", stdin=b"").out.strip()
        old = self._tree(self.head.oid) if self.head.oid else empty
        new = self._tree(target)
        self._guard(old, new)
        with self.box.home.locked("index") as lock:
            if self.box.home.read("index") != self._index:
                raise Refused("the vault was changed while it was merged", "sync again")
            links = self._links(new)
            old, new = self._without_links(old), self._without_links(new)
            self.box.index_info([f"0 {'0' * self.box.width}\t{path}" for path in self._links("")])
            words = ("read-tree", "-m", "-u", old, new)
            done = self.box.ask(*words, timeout=NETWORK, work=self.box.root)
            if not done.ok:
                raise Refused(f"the vault was changed while it was merged: {done.why}", "sync again")
            self.box.index_info([f"160000 {oid}\t{path}" for path, oid in links.items()])
            self._move_head(target, "mem sync", lock.put)

    def push(self) -> Answer:
        pushed = self._network("push", "--quiet", self.remote, f"{self.head.oid}:refs/heads/{self.branch}")
        if pushed.ok:
            self._bring("push")
            self._remember_upstream()
        return pushed

    # -- the parts ---------------------------------------------------------------------------------------------------

    def _network(self, *words: str) -> Answer:
        protocols = {"GIT_ALLOW_PROTOCOL": remotes.PROTOCOLS}
        return self.box.ask(*words, users=True, timeout=NETWORK, variables=protocols)

    def _settings(self, more: dict[str, str] | None = None) -> None:
        """The config with our remote in it."""
        remote = remotes.settings(self.box.root, remotes.listed(self.box.pairs)[0])
        self.box.take_users_settings({**remote, **(more or {})})

    def _bring(self, what: str) -> None:
        self.box.carry()
        kinds = (f"refs/remotes/{self.remote}/", "refs/tags/")
        self.refs = self.box.carry_refs(self.refs, kinds, self.who, f"mem sync: {what}")

    def _move_head(self, oid: str, why: str, put_index: Callable[[bytes], None]) -> None:
        with self.box.home.moving(self.head) as move:
            put_index(self.box.index.read_bytes())
            self._index = self.box.home.read("index")
            move(oid, self.who, why)
        self.head = Head(self.head.ref, oid)

    def _identity(self) -> dict[str, str]:
        """Who commits, said to a git that knows none of the user's settings."""
        name, _, rest = self.who.partition(" <")
        mail = rest.partition(">")[0]
        both = {"NAME": name, "EMAIL": mail}
        people = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in both.items()}
        return {**people, **dates(self.vault.now)}

    def _tree(self, commit: str) -> str:
        return self.box.must("rev-parse", f"{commit}^{{tree}}").out.strip()

    def _guard(self, old: str, new: str) -> None:
        """Nothing that comes in may reach into a repository of its own, or into what is `mem`'s and git's."""
        changed = self.box.must(
            "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none", old, new
        )
        _, nested = work_tree.listed(self.box.root)
        for path in changed.names:
            first = path.split("/", 1)[0].lower()
            under = [
                place for place in nested if work_tree.is_within(path, [place]) or work_tree.is_within(place, [path])
            ]
            if first in work_tree.OWN or (under and path not in self._links(old)):
                raise Refused(
                    f"{self.remote} has a file at {path}, which is not a place for memories", "nothing was changed"
                )

    def _links(self, tree: str) -> dict[str, str]:
        """The links to other repositories in a tree, or in the index."""
        words = ("ls-tree", "-r", "-z", tree) if tree else ("ls-files", "-s", "-z")
        rows = [line.partition("\t") for line in self.box.must(*words).names if line.startswith("160000 ")]
        return {path: facts.split(" ")[2 if tree else 1] for facts, _, path in rows}

    def _without_links(self, tree: str) -> str:
        """A tree of files alone: git would look into the repositories that the links stand for."""
        links = self._links(tree)
        if not links:
            return tree
        aside = {"GIT_INDEX_FILE": str(self.box.folder / "aside")}
        self.box.must("read-tree", tree, variables=aside)
        gone = "".join(f"0 {'0' * self.box.width}\t{path}\0" for path in links)
        self.box.must("update-index", "-z", "--index-info", stdin=os.fsencode(gone), variables=aside)
        return self.box.must("write-tree", variables=aside).out.strip()

    def _remember_upstream(self) -> None:
        """Let plain git know where the branch goes, once."""
        if any(name == f"branch.{self.branch}.remote" for name, _ in self.box.pairs):
            return
        more = {f"branch.{self.branch}.remote": self.remote, f"branch.{self.branch}.merge": f"refs/heads/{self.branch}"}
        with self.box.home.locked("config") as lock:
            now = self.box.home.read("config", 2**20) or b""
            text = config.written(more.items())
            lock.put(now + (b"" if now.endswith(b"\n") or not now else b"\n") + text.encode())
        self.box.pairs += more.items()
