"""A vault from a stranger, and every way seen or thought of to have its `.git` run a program, write elsewhere or hang."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from memcli.vault import trust
from tests.conftest import Ran, git

LONG = 25.0  # seconds; far more than any command takes, far less than for ever
KNOWN_CODES = (0, 1, 2, 3, 4, 5)
COMMANDS = [
    ("add", "tea at four", "--to", "note"),
    ("status",),
    ("log",),
    ("diff",),
    ("doctor",),
    ("trust", "--json"),
    ("sync",),
    ("undo",),
    ("init", "."),
]


@dataclass(frozen=True)
class Trap:
    """A vault with a history, and a place outside it that must stay as it is."""

    vault: Path
    outside: Path

    @property
    def git_dir(self) -> Path:
        return self.vault / ".git"

    @property
    def sprung(self) -> Path:
        return self.outside / "sprung"

    def program(self, name: str = "program") -> Path:
        """A program that leaves a mark when it is run; it lies in the vault, as a stranger's would."""
        script = self.vault / f".{name}.sh"
        script.write_text(f"#!/bin/sh\ntouch {self.sprung}\ncat\nexit 0\n", encoding="utf-8")
        script.chmod(0o755)
        return script

    def config(self, *pairs: tuple[str, str], at: Path | None = None) -> None:
        for name, value in pairs:
            git(at or self.vault, "config", name, value)

    def hooks(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "post-checkout", "post-index-change",
                     "reference-transaction", "pre-push", "pre-rebase", "post-rewrite", "post-merge", "pre-auto-gc",
                     "applypatch-msg", "fsmonitor-watchman", "post-receive", "pre-receive", "update", "post-update",
                     "proc-receive", "push-to-checkout"):  # fmt: skip
            (folder / name).write_bytes(self.program().read_bytes())
            (folder / name).chmod(0o755)

    def nested(self, name: str = "sub", filtered: bool = True) -> Path:
        """A repository in the vault, kept as a gitlink, with filters of its own."""
        inner = self.vault / name
        inner.mkdir(parents=True)
        git(inner, "init", "--quiet")
        (inner / "inner.md").write_text("- inner\n", encoding="utf-8")
        git(inner, "add", "--all")
        git(inner, "commit", "--quiet", "-m", "inner")
        git(self.vault, "add", name)
        git(self.vault, "commit", "--quiet", "-m", "a link")
        if filtered:
            program = str(self.program())
            self.config(("filter.evil.clean", program), ("filter.evil.smudge", program), ("diff.evil.textconv", program),
                        ("core.fsmonitor", program), ("core.hooksPath", "hooks"), at=inner)  # fmt: skip
            (inner / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
        (inner / "inner.md").write_text("- changed\n", encoding="utf-8")
        return inner

    def bare(self, name: str) -> Path:
        place = self.vault / name
        place.mkdir(parents=True)
        git(place, "init", "--quiet", "--bare")
        return place

    def remote(self, address: str) -> None:
        self.config(("remote.origin.url", address), ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"))

    def replace(self, name: str, target: Path | None = None) -> Path:
        """Put a link where git has a file or folder; returns where it leads."""
        place = self.git_dir / name
        target = target or self.outside / ("linked-" + name.replace("/", "-"))
        place.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(place):
            if target.exists():
                place.rename(place.with_name(place.name + ".was"))
            else:
                place.rename(target)
        place.symlink_to(target)
        return target

    def pipe(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)


@pytest.fixture
def trap(repository: Path, tmp_path: Path) -> Trap:
    (repository / "note.md").write_text("- a\n", encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "bait")
    (repository / "note.md").write_text("- a\n- by hand\n", encoding="utf-8")
    trust.revoke(repository, os.environ)  # a stranger's: nobody gave their word
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("keep me\n", encoding="utf-8")
    return Trap(repository, outside)


ATTACKS: dict[str, Callable[[Trap], object]] = {}


def attack(lay: Callable[[Trap], object]) -> Callable[[Trap], object]:
    ATTACKS[lay.__name__] = lay
    return lay


# -- programs named in the config ------------------------------------------------------------------------------------

PROGRAMS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "diff.external",
    "core.alternateRefsCommand", "gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "credential.helper",
    "remote.origin.uploadpack", "remote.origin.receivepack", "uploadpack.packObjectsHook", "sequence.editor",
    "filter.evil.process", "filter.evil.clean", "filter.evil.smudge", "merge.evil.driver", "diff.evil.textconv",
    "diff.evil.command", "interactive.diffFilter", "trailer.x.command", "gc.recentObjectsHook", "pager.log", "pager.diff",
)  # fmt: skip


@attack
def every_key_that_names_a_program(trap: Trap) -> None:
    program = str(trap.program())
    trap.config(*((name, program) for name in PROGRAMS), ("commit.gpgSign", "true"), ("log.showSignature", "true"))
    (trap.vault / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n", encoding="utf-8")
    trap.remote("ssh://nobody.invalid/x.git")


@attack
def programs_that_change_nothing_stored(trap: Trap) -> None:
    program = str(trap.program())
    trap.config(*((name, program) for name in PROGRAMS if not name.startswith("filter.")), ("commit.gpgSign", "true"))
    (trap.vault / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n", encoding="utf-8")
    trap.remote("ssh://nobody.invalid/x.git")


@attack
def alias_of_a_command(trap: Trap) -> None:
    trap.config(
        *((f"alias.{word}", f"!{trap.program()}") for word in ("log", "diff", "commit", "add", "status", "var"))
    )


@attack
def included_config(trap: Trap) -> None:
    (trap.vault / "more").write_text(f"[core]\n\tfsmonitor = {trap.program()}\n\thooksPath = h\n", encoding="utf-8")
    trap.config(("include.path", "../more"))


@attack
def included_config_by_condition(trap: Trap) -> None:
    (trap.vault / "more").write_text(f"[core]\n\tfsmonitor = {trap.program()}\n", encoding="utf-8")
    trap.config(("includeIf.gitdir:/.path", "../more"))


@attack
def config_of_the_worktree(trap: Trap) -> None:
    trap.config(("extensions.worktreeConfig", "true"))
    (trap.git_dir / "config.worktree").write_text(f"[core]\n\tfsmonitor = {trap.program()}\n", encoding="utf-8")


@attack
def hooks_of_every_kind(trap: Trap) -> None:
    trap.hooks(trap.git_dir / "hooks")


@attack
def hooks_elsewhere(trap: Trap) -> None:
    trap.hooks(trap.vault / "hooks")
    trap.config(("core.hooksPath", "hooks"))


@attack
def a_work_tree_elsewhere(trap: Trap) -> None:
    trap.config(("core.worktree", str(trap.outside)))


@attack
def a_config_no_git_understands(trap: Trap) -> None:
    with open(trap.git_dir / "config", "a", encoding="utf-8") as config:
        config.write(f'[core\n fsmonitor = "{trap.program()}\n]\n[filter "evil"] clean = {trap.program()}\n')


@attack
def filters_of_the_users_own(trap: Trap) -> None:
    git(trap.vault, "config", "--global", "filter.lfs.clean", str(trap.program()))
    git(trap.vault, "config", "--global", "filter.lfs.smudge", str(trap.program()))
    git(trap.vault, "config", "--global", "filter.lfs.process", str(trap.program()))
    git(trap.vault, "config", "--global", "merge.lfs.driver", str(trap.program()))
    git(trap.vault, "config", "--global", "diff.lfs.textconv", str(trap.program()))
    (trap.vault / ".gitattributes").write_text("* filter=lfs diff=lfs merge=lfs -text\n", encoding="utf-8")
    (trap.vault / ".lfsconfig").write_text("[lfs]\n\turl = https://evil.invalid\n", encoding="utf-8")


# -- repositories inside ---------------------------------------------------------------------------------------------


@attack
def filters_of_a_nested_repository(trap: Trap) -> None:
    trap.nested()


@attack
def filters_of_a_nested_repository_that_gitignore_insists_on(trap: Trap) -> None:
    trap.nested("deep/er/sub")
    (trap.vault / ".gitignore").write_text("!deep\n!deep/er/sub\n", encoding="utf-8")


@attack
def a_nested_repository_with_pipes(trap: Trap) -> None:
    inner = trap.nested(filtered=False)
    for name in ("HEAD", "config", "index", "packed-refs"):
        trap.pipe(inner / ".git" / name)


@attack
def an_unknown_nested_repository_with_pipes(trap: Trap) -> None:
    trap.pipe(trap.vault / "fresh" / ".git" / "HEAD")
    (trap.vault / "fresh" / ".git" / "objects").mkdir()
    (trap.vault / "fresh" / ".git" / "refs").mkdir()
    (trap.vault / "fresh" / "x.md").write_text("- x\n", encoding="utf-8")


@attack
def a_git_file_in_a_folder_is_a_pipe(trap: Trap) -> None:
    trap.pipe(trap.vault / "piped" / ".git")
    (trap.vault / "piped" / "x.md").write_text("- x\n", encoding="utf-8")


@attack
def a_submodule_with_an_ssh_command(trap: Trap) -> None:
    inner = trap.nested(filtered=False)
    trap.config(("core.sshCommand", str(trap.program())), ("remote.origin.url", "ssh://nobody.invalid/y"), at=inner)
    (trap.vault / ".gitmodules").write_text(
        f'[submodule "sub"]\n\tpath = sub\n\turl = ssh://nobody.invalid/y\n\tupdate = !{trap.program()}\n',
        encoding="utf-8",
    )
    trap.config(("submodule.sub.url", "ssh://nobody.invalid/y"), ("submodule.sub.active", "true"),
                ("submodule.recurse", "true"), ("fetch.recurseSubmodules", "true"))  # fmt: skip
    place = trap.outside.parent / "remote.git"
    place.mkdir()
    git(place, "init", "--quiet", "--bare")
    trap.remote(str(place))
    git(trap.vault, "push", "--quiet", "--no-recurse-submodules", "origin", "main")


# -- remotes ---------------------------------------------------------------------------------------------------------


@attack
def a_bare_repository_in_the_vault(trap: Trap) -> None:
    trap.hooks(trap.bare("backup.git") / "hooks")
    trap.remote("./backup.git")


@attack
def a_bare_repository_in_git_itself(trap: Trap) -> None:
    trap.hooks(trap.bare(".git/modules/x") / "hooks")
    trap.remote(f"file://{trap.git_dir}/modules/x")


@attack
def the_vault_is_its_own_remote(trap: Trap) -> None:
    trap.hooks(trap.git_dir / "hooks")
    trap.remote(".")


@attack
def a_link_to_a_repository_with_hooks(trap: Trap) -> None:
    place = trap.outside / "elsewhere.git"
    place.mkdir()
    git(place, "init", "--quiet", "--bare")
    trap.hooks(place / "hooks")
    (trap.vault / "backup").symlink_to(place)
    trap.remote("backup")


@attack
def a_repository_elsewhere_with_hooks(trap: Trap) -> None:
    place = trap.outside / "elsewhere.git"
    place.mkdir()
    git(place, "init", "--quiet", "--bare")
    trap.hooks(place / "hooks")
    trap.remote(str(trap.outside / "elsewhere"))


ADDRESSES = (
    "ext::sh -c 'touch SPRUNG'", "ssh://-oProxyCommand=touch${IFS}SPRUNG/x", "-oProxyCommand=touch${IFS}SPRUNG:x",
    "ssh://nobody@-oProxyCommand=touch${IFS}SPRUNG/x", "fd::3", "http://nobody.invalid/x", "git://nobody.invalid/x",
    "ftp://nobody.invalid/x", "transport::address", "--upload-pack=touch${IFS}SPRUNG", "nobody.invalid:-x", "\thttps://x",
    "https://-x.invalid/", "file:///dev/fd/0", "note.md", "ssh://nobody.invalid/-x\n", ".git", "../vault", "",
)  # fmt: skip
for number, text in enumerate(ADDRESSES):

    def to(trap: Trap, text: str = text) -> None:
        trap.config(("protocol.ext.allow", "always"), ("protocol.allow", "always"))
        git(trap.vault, "config", "remote.origin.url", text.replace("SPRUNG", str(trap.sprung)))
        git(trap.vault, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")

    ATTACKS[f"address_{number}"] = to


@attack
def an_address_that_becomes_another(trap: Trap) -> None:
    trap.config((f"url.ext::{trap.program()} .insteadOf", "https://nobody.invalid/"), ("protocol.ext.allow", "always"))
    trap.remote("https://nobody.invalid/x")


@attack
def cookies_saved_over_a_file(trap: Trap) -> None:
    trap.config(("http.cookieFile", str(trap.outside / "precious.txt")), ("http.saveCookies", "true"))
    trap.remote("https://nobody.invalid/x")


@attack
def a_promise_to_fetch_later(trap: Trap) -> None:
    trap.config(("extensions.partialClone", "origin"), ("remote.origin.promisor", "true"),
                ("core.repositoryformatversion", "1"))  # fmt: skip
    trap.remote(f"ext::{trap.program()}")
    blob = git(trap.vault, "rev-parse", "HEAD:note.md")
    (trap.git_dir / "objects" / blob[:2] / blob[2:]).unlink()


@attack
def a_bundle_to_begin_with(trap: Trap) -> None:
    trap.config(("fetch.bundleURI", f"file://{trap.outside}/precious.txt"), ("transfer.bundleURI", "true"))
    trap.remote("https://nobody.invalid/x")


@attack
def references_fetched_over_the_branch(trap: Trap) -> None:
    trap.remote("https://nobody.invalid/x")
    trap.config(("remote.origin.fetch", "+refs/*:refs/*"), ("remote.origin.mirror", "true"))


# -- links, pipes and other files in .git ----------------------------------------------------------------------------

LINKED = (
    "COMMIT_EDITMSG", "logs/HEAD", "logs/refs/heads/main", "logs", "HEAD", "index", "config", "packed-refs", "objects",
    "objects/pack", "objects/info", "refs", "refs/heads", "refs/heads/main", "info", "info/exclude", "hooks",
    "index.lock", "HEAD.lock", "refs/heads/main.lock", "ORIG_HEAD", "FETCH_HEAD", "shallow", "MERGE_HEAD",
)  # fmt: skip
for name in LINKED:

    def linked(trap: Trap, name: str = name) -> None:
        trap.replace(name)

    def linked_to_the_precious(trap: Trap, name: str = name) -> None:
        trap.replace(name, trap.outside / "precious.txt")

    ATTACKS[f"link_{name}"] = linked
    if "/" not in name or name.startswith("logs"):
        ATTACKS[f"link_to_a_file_{name}"] = linked_to_the_precious

PIPES = (
    "HEAD", "index", "config", "packed-refs", "refs/heads/main", "logs/HEAD", "info/exclude", "info/attributes", "shallow",
    "COMMIT_EDITMSG", "objects/info/alternates", "objects/pack/pack-1.idx", "objects/info/commit-graph", "index.lock",
    "commondir", "config.worktree", "refs/remotes/origin/HEAD", "info/grafts", "info/sparse-checkout",
)  # fmt: skip
for name in PIPES:

    def piped(trap: Trap, name: str = name) -> None:
        trap.pipe(trap.git_dir / name)

    ATTACKS[f"pipe_{name}"] = piped

for name in (".gitignore", ".gitattributes", ".gitmodules", ".mailmap", "sub/.gitignore", "logs/.gitattributes"):

    def piped_rules(trap: Trap, name: str = name) -> None:
        trap.pipe(trap.vault / name)

    def linked_rules(trap: Trap, name: str = name) -> None:
        (trap.vault / name).parent.mkdir(exist_ok=True)
        (trap.vault / name).unlink(missing_ok=True)
        (trap.vault / name).symlink_to(trap.outside / "precious.txt")

    ATTACKS[f"pipe_in_the_vault_{name}"] = piped_rules
    ATTACKS[f"link_in_the_vault_{name}"] = linked_rules


@attack
def every_object_is_a_pipe(trap: Trap) -> None:
    for name in git(trap.vault, "rev-parse", "HEAD", "HEAD^{tree}", "HEAD:note.md").split():
        trap.pipe(trap.git_dir / "objects" / name[:2] / name[2:])


@attack
def alternates_elsewhere(trap: Trap) -> None:
    (trap.git_dir / "objects" / "info").mkdir(exist_ok=True)
    trap.pipe(trap.outside / "objects" / "pack" / "pack-1.idx")
    (trap.outside / "objects" / "pack" / "pack-1.pack").write_bytes(b"PACK")
    (trap.git_dir / "objects/info/alternates").write_text(f"{trap.outside}/objects\n", encoding="utf-8")


@attack
def a_common_folder_elsewhere(trap: Trap) -> None:
    (trap.git_dir / "commondir").write_text(str(trap.outside), encoding="utf-8")


def elsewhere(trap: Trap) -> Path:
    place = trap.outside / "real"
    trap.hooks(trap.git_dir / "hooks")
    trap.git_dir.rename(place)
    return place


@attack
def git_is_a_file_that_leads_elsewhere(trap: Trap) -> None:
    place = elsewhere(trap)
    trap.git_dir.write_text(f"gitdir: {place}\n", encoding="utf-8")


@attack
def git_is_a_link_that_leads_elsewhere(trap: Trap) -> None:
    trap.git_dir.symlink_to(elsewhere(trap))


@attack
def git_is_a_link_to_nothing(trap: Trap) -> None:
    elsewhere(trap)
    trap.git_dir.symlink_to(trap.outside / "to-be-made")


@attack
def git_is_a_pipe(trap: Trap) -> None:
    elsewhere(trap)
    os.mkfifo(trap.git_dir)


@attack
def a_head_that_climbs_out(trap: Trap) -> None:
    (trap.git_dir / "HEAD").write_text("ref: refs/heads/../../../../outside/precious.txt\n", encoding="utf-8")


@attack
def a_head_that_is_an_option(trap: Trap) -> None:
    (trap.git_dir / "HEAD").write_text(f"ref: --output={trap.outside}/precious.txt\n", encoding="utf-8")


@attack
def huge_packed_refs(trap: Trap) -> None:
    with open(trap.git_dir / "packed-refs", "wb") as out:
        out.truncate(20 * 2**30)


@attack
def countless_references(trap: Trap) -> None:
    oid = git(trap.vault, "rev-parse", "HEAD")
    lines = "".join(f"{oid} refs/heads/b{number}\n" for number in range(100_000))
    (trap.git_dir / "packed-refs").write_text(lines, encoding="utf-8")


@attack
def an_index_of_noise(trap: Trap) -> None:
    (trap.git_dir / "index").write_bytes(b"DIRC\0\0\0\2\xff\xff\xff\xff" + os.urandom(3000))


@attack
def a_tree_with_names_of_git(trap: Trap) -> None:
    blob = git(trap.vault, "rev-parse", "HEAD:note.md")
    tree = b"".join(
        b"100644 %s\0%s" % (name, bytes.fromhex(blob)) for name in (b".git", b"..", b"a/../../x", b"note.md")
    )
    (trap.vault / "t").write_bytes(tree)
    oid = git(trap.vault, "hash-object", "-w", "-t", "tree", "--literally", "t")
    (trap.vault / "t").unlink()
    commit = git(trap.vault, "commit-tree", oid, "-m", "evil")
    git(trap.vault, "update-ref", "refs/heads/main", commit)


@attack
def the_cache_is_a_link(trap: Trap) -> None:
    (trap.vault / ".mem").symlink_to(trap.outside)


@attack
def a_vault_that_looks_like_a_bare_repository(trap: Trap) -> None:
    elsewhere(trap)
    for name in ("objects", "refs"):
        (trap.vault / name).mkdir()
    (trap.vault / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (trap.vault / "config").write_text(f"[core]\n\tbare = false\n\tworktree = /\n\tfsmonitor = {trap.program()}\n", encoding="utf-8")  # fmt: skip


def snapshot(place: Path) -> dict[str, str]:
    """What lies in a folder, links and pipes included, with what it holds."""
    there = {}
    for folder, folders, names in os.walk(place):
        for name in [*folders, *names]:
            path = Path(folder, name)
            plain = path.is_file() and not path.is_symlink() and path.stat().st_size < 2**20
            there[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if plain else str(path.lstat().st_mode)
    return there


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_runs_nothing_lands_outside_and_nothing_hangs(
    trap: Trap, home: Path, inside: Callable[..., Ran], name: str
) -> None:
    ATTACKS[name](trap)
    before, at_home = snapshot(trap.outside), snapshot(home)
    for words in COMMANDS:
        begun = time.monotonic()
        ran = inside(*words)
        assert ran.code in KNOWN_CODES, (words, ran)
        assert "Traceback" not in ran.err and "please report" not in ran.err, (words, ran.err)
        assert not trap.sprung.exists(), (words, ran)
        assert time.monotonic() - begun < LONG, words
    assert snapshot(trap.outside) == before
    assert snapshot(home) == at_home


# What a program could be run by, or git led elsewhere, so that the owner's word no longer counts when it comes in later.
COUNTS = [
    "every_key_that_names_a_program", "programs_that_change_nothing_stored", "alias_of_a_command", "included_config",
    "included_config_by_condition", "config_of_the_worktree", "hooks_of_every_kind", "hooks_elsewhere",
    "a_work_tree_elsewhere", "filters_of_the_users_own", "a_bare_repository_in_the_vault", "a_config_no_git_understands",
    "a_bare_repository_in_git_itself", "the_vault_is_its_own_remote", "cookies_saved_over_a_file",
    "an_address_that_becomes_another", "a_promise_to_fetch_later", "a_bundle_to_begin_with", "alternates_elsewhere",
    "references_fetched_over_the_branch", "a_common_folder_elsewhere", "git_is_a_file_that_leads_elsewhere",
    "git_is_a_link_that_leads_elsewhere", "git_is_a_link_to_nothing", "git_is_a_pipe", "pipe_config", "link_config",
    "pipe_commondir", "pipe_config.worktree", "address_0", "address_1", "address_5", "address_8", "address_18",
]  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_what_was_trusted_is_asked_about_again_when_more_could_run(trap: Trap, name: str) -> None:
    assert list(trust.guarded(trap.vault)) == ["git"]
    trust.trust(trap.vault, os.environ)
    assert trust.runs_git(trap.vault, os.environ)
    ATTACKS[name](trap)
    assert "has changed" in trust.why_no_git(trap.vault, os.environ)
    assert [asked for asked in trust.guarded(trap.vault) if asked.startswith("git: ")]


@pytest.mark.parametrize("name", ["every_key_that_names_a_program", "hooks_of_every_kind", "included_config"])
def test_in_a_vault_once_trusted_nothing_runs_that_came_in_later(
    trap: Trap, mem: Callable[..., Ran], name: str
) -> None:
    trust.trust(trap.vault, os.environ)
    ATTACKS[name](trap)
    for words in COMMANDS:
        ran = mem(*words)
        assert ran.code in KNOWN_CODES and "Traceback" not in ran.err, (words, ran)
        assert not trap.sprung.exists(), (words, ran)


def test_a_file_that_the_config_includes_counts_by_what_it_holds(trap: Trap) -> None:
    included_config(trap)
    trust.trust(trap.vault, os.environ)
    assert trust.runs_git(trap.vault, os.environ)
    (trap.vault / "more").write_text("[core]\n\tsshCommand = touch x\n", encoding="utf-8")
    assert not trust.runs_git(trap.vault, os.environ)


@pytest.mark.parametrize(
    "name", ["a_vault_that_looks_like_a_bare_repository", "filters_of_a_nested_repository", "huge_packed_refs"]
)
def test_trust_does_not_bother_about_what_never_counts(trap: Trap, name: str) -> None:
    ATTACKS[name](trap)
    assert not [asked for asked in trust.guarded(trap.vault) if asked.startswith("git: ")]
