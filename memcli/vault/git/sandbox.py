"""Git in a vault that nobody has vouched for: a private git folder, made fresh and thrown away.

Git sees a config of ours, an index that is a copy, and the vault's objects to read from. It never opens the vault's
`.git` but for those objects; what it writes lands in the sandbox, and `carry` brings it home by our own hands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memcli import system
from memcli.errors import Refused
from memcli.vault.git import config, program, work_tree
from memcli.vault.git.dot_git import GitDir, is_oid
from memcli.vault.git.program import Answer, Running

NONE: Mapping[str, str] = MappingProxyType({})
_FIXED = {
    **program.QUIET,
    "core.bare": "false", "core.logAllRefUpdates": "false", "core.untrackedCache": "false", "gc.auto": "0",
    "maintenance.auto": "false", "rerere.enabled": "false", "merge.default": "text", "transfer.bundleURI": "false",
}  # fmt: skip
_USERS = ("core.excludesfile", "core.autocrlf", "core.eol", "core.safecrlf")  # of the user's settings, for local work
_NO_DRIVERS = b"* !filter !diff\n"  # a driver named by the vault is none, even should git know one of that name
_PACK_PARTS = (".pack", ".rev", ".idx")  # the index last: with it the pack begins to count


class Sandbox:
    """A git folder of ours beside a vault's objects."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root.resolve(), folder.resolve()
        self.home = GitDir(self.root)
        self.pairs = config.parse((self.home.read("config", 2**20) or b"").decode("utf-8", "replace"))
        self.head = self.home.head()
        self.width = 64 if config.kept(self.pairs).get("extensions.objectformat") == "sha256" else 40
        self.index = self.folder / "index"
        for name in ("objects/info", "refs", "info", "empty"):
            os.makedirs(self.folder / name)
        self._write("HEAD", f"ref: {self.head.ref}\n" if self.head.ref else f"{self.head.oid}\n")
        self._write("info/attributes", _NO_DRIVERS)
        self._write("objects/info/alternates", os.fsencode(_line(self.home.path / "objects")) + b"\n")
        self.index_data: bytes | None = None
        self.configure({})
        if (shallow := self.home.read("shallow", 2**20)) and all(is_oid(o) for o in shallow.decode().split()):
            self._write("shallow", shallow)

    def configure(self, more: dict[str, str]) -> None:
        """Write the config: what the vault says of its own storage, then what never changes, then `more`."""
        values = {**config.kept(self.pairs), **_FIXED, **more}
        self._write("config", config.written(values.items()))

    def copy_index(self) -> None:
        """Begin with what the vault's index says now."""
        self.index_data = self.home.read("index")
        if self.index_data:
            self.index.write_bytes(self.index_data)
        else:
            self.index.unlink(missing_ok=True)

    def bring_refs(self) -> dict[str, str]:
        """Have git know all the references of the vault."""
        refs = self.home.refs()
        lines = [f"{oid} {name}" for name, oid in sorted(refs.items())]
        self._write("packed-refs", os.fsencode("\n".join(["# pack-refs with: sorted ", *lines, ""])))
        return refs

    def start(
        self,
        *words: str,
        stdin: bytes | None = None,
        users: bool = False,
        work: Path | None = None,
        variables: Mapping[str, str] = NONE,
    ) -> Running:
        """Start git in here, on an empty work tree unless one is named."""
        work = work or self.folder / "empty"
        places = {"GIT_DIR": str(self.folder), "GIT_WORK_TREE": str(work), "GIT_NO_REPLACE_OBJECTS": "1"}
        return program.start(work, *words, variables={**places, **variables}, users=users, stdin=stdin)

    def ask(self, *words: str, timeout: float = 30, **how: Any) -> Answer:
        """Run git in here; `how` is what `start` takes."""
        return self.start(*words, **how).answer(timeout)

    def must(self, *words: str, **how: Any) -> Answer:
        """As `ask`, where there is no going on without an answer."""
        answer = self.ask(*words, **how)
        if not answer.ok:
            raise Refused(f"git {words[0]}: {answer.why}", "nothing was changed")
        return answer

    def start_asking_who(self, at: Mapping[str, str]) -> Running:
        """Who commits, as git tells it from the vault's config and the user's own."""
        return self.start("var", "GIT_COMMITTER_IDENT", users=True, variables=at)

    # -- the work tree -----------------------------------------------------------------------------------------------

    def stage(self) -> list[str]:
        """Have the index say what the files of the vault say. Returns nested repositories, which stay as they were."""
        self.copy_index()
        here, nested = work_tree.listed(self.root)
        present = set(here)
        known, links, left_alone = self._tracked(nested)
        new = sorted(present - known.keys() - left_alone)
        self.take_users_settings()
        ignored = set(self.ignored(new))
        gone = [path for path in known if path not in present]
        self.index_info([f"0 {'0' * self.width}\t{path}" for path in [*gone, *links]])
        added = [path for path in new if path not in ignored and not work_tree.is_within(path, links)]
        paths = [path for path in known if path in present] + added
        listed = os.fsencode("".join(f"{path}\0" for path in paths))
        staged = self.ask("update-index", "--add", "-z", "--stdin", work=self.root, stdin=listed, timeout=120)
        self.index_info([f"160000 {oid}\t{path}" for path, oid in links.items() if path not in present])
        if not staged.ok:
            raise Refused(f"the vault can't be read by git: {staged.why}", "nothing was changed")
        return nested

    def ignored(self, paths: list[str]) -> list[str]:
        return left_out(self.start_ignored(paths).answer()) if paths else []

    def start_ignored(self, paths: list[str]) -> Running:
        """Which of these paths the vault, or the user, wants git to leave out; what is tracked is never left out."""
        listed = os.fsencode("".join(f"./{path}\0" for path in paths))  # `:b.md` alone would be an order, not a name
        words = ("check-ignore", "-z", "--stdin")
        return self.start(*words, stdin=listed, users=True, work=self.root, variables={"GIT_LITERAL_PATHSPECS": "0"})

    def index_info(self, lines: list[str]) -> None:
        """Set or take away entries of the index: `MODE OID<tab>PATH`."""
        if lines:
            self.must("update-index", "-z", "--index-info", stdin=os.fsencode("".join(f"{line}\0" for line in lines)))

    def _tracked(self, nested: list[str]) -> tuple[dict[str, str], dict[str, str], set[str]]:
        """(files, links to other repositories, what is to stay as it is) of the index, with their objects."""
        known, links, left_alone = {}, {}, set()
        for line in self.must("ls-files", "-v", "-s", "-z").names:
            facts, _, path = line.partition("\t")
            tag, mode, oid, _ = facts.split(" ")
            if mode == "160000":
                links[path] = oid
            elif tag == "S" or tag.islower() or work_tree.is_within(path, nested):  # told to git not to be looked at
                left_alone.add(path)
            else:
                known[path] = oid
        return known, links, left_alone

    def take_users_settings(self, more: dict[str, str] | None = None) -> None:
        """Have line ends and ignored files be the user's, where the vault itself says nothing of them."""
        listed = self.ask("config", "--list", "-z", users=True).names
        values = dict(pair.split("\n", 1) for pair in listed if "\n" in pair)
        self.configure({**{name: values[name] for name in _USERS if name in values}, **(more or {})})

    # -- the way home ------------------------------------------------------------------------------------------------

    def carry(self) -> None:
        """Bring home what git has written here: loose objects, then packs."""
        for folder in sorted(os.listdir(self.folder / "objects")):
            if len(folder) == 2:
                for name in sorted(os.listdir(self.folder / "objects" / folder)):
                    self._bring(f"objects/{folder}/{name}")
        with suppress(FileNotFoundError):
            packs = os.listdir(self.folder / "objects" / "pack")
            for part in _PACK_PARTS:
                for name in sorted(name for name in packs if name.endswith(part)):
                    self._bring(f"objects/pack/{name}")

    def carry_refs(self, before: dict[str, str], prefixes: tuple[str, ...], who: str, why: str) -> dict[str, str]:
        """Bring home the references that git has changed here, of these kinds; returns all there are now."""
        listed = self.must("for-each-ref", "--format=%(objectname) %(refname)").out.splitlines()
        now = {name: oid for oid, _, name in (line.partition(" ") for line in listed)}
        for name, oid in now.items():
            if before.get(name) != oid and name.startswith(prefixes):
                self.home.set_ref(name, before.get(name, ""), oid, who, why)
        if (self.folder / "shallow").exists():
            with self.home.locked("shallow") as lock:
                lock.put((self.folder / "shallow").read_bytes())
        return now

    def _bring(self, name: str) -> None:
        target = self.home.place(name, make=True)
        if target.is_file() and not target.is_symlink():
            return
        try:
            system.replace(self.folder / name, target)
        except OSError:  # another disk
            self.home.new(name, (self.folder / name).read_bytes(), 0o444)

    def _write(self, name: str, data: str | bytes) -> None:
        (self.folder / name).write_bytes(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)


def left_out(answer: Answer) -> list[str]:
    """The paths that `check-ignore` has named."""
    return [name.removeprefix("./") for name in answer.names]


@contextmanager
def opened(root: Path, spool: Path | None = None) -> Iterator[Sandbox]:
    """A sandbox while the block runs: in the vault's cache when it will be written to, else among temporary files."""
    if spool and spool.is_symlink():
        raise Refused(f"{spool.name} is a link", "remove it: it is a cache, mem makes it anew")
    if spool is None:
        from tempfile import gettempdir  # only readers need it, and `mem add` is in a hurry

        spool = Path(gettempdir())
    folder = spool / f"mem-git-{os.urandom(8).hex()}"
    os.mkdir(folder, 0o700)
    try:
        yield Sandbox(root, folder)
    finally:
        remove(folder)


def sweep(spool: Path) -> None:
    """Remove the sandboxes of killed processes; called under the lock of the vault, so none is in use."""
    for folder in spool.glob("mem-git-*"):
        remove(folder)


def remove(folder: Path) -> None:
    """Take a sandbox away; what is not a folder of ours is left."""
    if folder.is_symlink():
        return
    for place, folders, names in os.walk(folder, topdown=False):
        for name in names:
            with suppress(OSError):
                os.unlink(os.path.join(place, name))
        for name in folders:
            path = os.path.join(place, name)
            with suppress(OSError):
                os.unlink(path) if os.path.islink(path) else os.rmdir(path)
    with suppress(OSError):
        os.rmdir(folder)


def _line(path: Path) -> str:
    """A path as git reads it from a list of alternates."""
    text = str(path)
    if text[:1] in ('"', "#") or "\n" in text:
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return text
