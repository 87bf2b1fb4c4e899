"""What was forgotten on one machine stays forgotten on all, and what was said on any of them is nowhere lost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.errors import Refused
from memcli.remember import Memory, add, edit, forget
from memcli.vault import health, history, merge
from memcli.vault.merge_values import Contradiction
from memcli.vault.sync import sync
from memcli.vault.vault import Filter, Vault
from tests.conftest import git, opened, trusted

LOG = "logs/2026-11-21.md"
WORDS = (
    "the harbour opens at nine", "Ana lent me her bicycle", "rent rises in March", "the cat eats twice a day",
    "my dentist moved to Pudong", "Friday is choir practice", "the red kettle leaks", "train tickets are in the drawer",
    "mother likes oolong", "the printer needs toner", "swimming starts again in May", "the garden gate is stuck",
)  # fmt: skip
ARCHIVED = Filter(kinds=frozenset({"archive"}))


def words(vault: Vault, want: Filter | None = None) -> list[str]:
    return [entry.words.removeprefix("14:30 ") for entry in vault.entries(want)]


# -- any interleaving ------------------------------------------------------------------------------------------------


@dataclass
class Machine:
    """A vault without git; `base` is what it and the remote last agreed on, `pending` what it has done since."""

    vault: Vault
    base: dict[str, str] = field(default_factory=dict)
    pending: list[tuple[str, str]] = field(default_factory=list)  # (live, WORDS) or (gone, WORDS)
    done: list[list[tuple[str, str]]] = field(default_factory=list)

    def texts(self) -> dict[str, str]:
        root = self.vault.root
        return {
            path: (root / path).read_text(encoding="utf-8")
            for path in self.vault.files(Filter(kinds=frozenset({"log", "archive"})))
        }

    def does(self, *now: tuple[str, str], back: list[tuple[str, str]]) -> None:
        self.pending += now
        self.done.append(back)

    def act(self, what: str, at: int, new: str) -> None:
        live = [entry for entry in self.vault.entries() if entry.path == LOG]
        if what == "undo":
            with suppress(Refused):
                history.undo(self.vault)
                self.pending += self.done.pop()
        elif what == "add" or not live:
            add(self.vault, Memory(new))
            self.does(("live", new), back=[("gone", new)])
        else:
            entry = live[at % len(live)]
            old = entry.words.removeprefix("14:30 ")
            if what == "forget":
                forget(self.vault, entry)
                self.does(("gone", old), back=[("live", old)])
            else:
                changed = f"{old}, or so" if what == "amend" else new
                edit(self.vault, entry, entry.raw.replace(old, changed))
                self.does(("gone", old), ("live", changed), back=[("live", old), ("gone", changed)])

    def sync(self, remote: dict[str, str], told: list[tuple[str, str]]) -> bool:
        """Merge as `mem sync` does, with a remote that is but its files; False when the two sides contradict."""
        mine, result = self.texts(), {}
        for path in {*mine, *remote}:
            ours, theirs, base = (side.get(path, "") for side in (mine, remote, self.base))
            try:
                result[path] = merge.merge_texts(path, base, theirs, ours)
            except Contradiction:
                return False
        for path, text in result.items():
            (self.vault.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.vault.root / path).write_text(text, encoding="utf-8")
        remote.update(result)
        self.base = dict(result)
        told += self.pending
        self.pending = []
        return True


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["add", "add", "edit", "amend", "forget", "forget", "undo", "sync", "sync"]),
        st.integers(0, 5),
    ),
    min_size=3,
    max_size=len(WORDS),
)  # fmt: skip


@settings(max_examples=25)
@given(st.integers(2, 3), STEPS)
def test_nothing_forgotten_is_live_and_nothing_said_is_lost(number: int, steps: list[tuple[int, str, int]]) -> None:
    with TemporaryDirectory() as place:
        machines = []
        for name in range(number):
            root = Path(place, str(name))
            root.mkdir()
            machines.append(Machine(opened(root)))
        remote: dict[str, str] = {}
        told: list[tuple[str, str]] = []
        for (which, what, at), new in zip(steps, WORDS, strict=False):
            machine = machines[which % number]
            if what == "sync":
                machine.sync(remote, told)
            else:
                machine.act(what, at, new)
        agreed = [machine for machine in machines * 2 if machine.sync(remote, told)]
        last = {said: state for state, said in told}
        for machine in agreed[number:] or agreed[-1:]:
            live = words(machine.vault)
            assert sorted(live) == sorted(said for said, state in last.items() if state == "live"), (remote, told)
            for said in {said for _, said in told}:
                assert live.count(said) <= 1


# -- with git --------------------------------------------------------------------------------------------------------


@pytest.fixture
def pair(repository: Path, tmp_path: Path) -> tuple[Vault, Vault]:
    """Two machines with one log of three memories, and a remote."""
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch", "main", "remote.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    here = opened(repository)
    for said in WORDS[:3]:
        add(here, Memory(said))
    sync(here)
    git(tmp_path, "clone", "--quiet", "remote.git", "there")
    return here, trusted(tmp_path / "there")


def forget_last(vault: Vault) -> None:
    forget(vault, next(entry for entry in vault.entries() if WORDS[2] in entry.words))


def edit_last(vault: Vault) -> None:
    entry = next(entry for entry in vault.entries() if WORDS[2] in entry.words)
    edit(vault, entry, entry.raw.replace("March", "April"))


@pytest.mark.parametrize(
    ("change", "order"), [*((forget_last, order) for order in permutations(range(3))), (edit_last, (0, 1, 2))]
)
def test_the_last_line_forgotten_here_is_not_live_again_beside_a_line_added_there(
    pair: tuple[Vault, Vault], change: Callable[[Vault], None], order: tuple[int, ...]
) -> None:
    here, there = pair
    steps = [lambda: change(here), lambda: add(there, Memory(WORDS[4])), lambda: sync(there)]
    for number in order:
        steps[number]()
    for vault in (here, there, here, there):
        sync(vault)
    changed = [] if change is forget_last else ["rent rises in April"]
    for vault in pair:
        assert sorted(words(vault)) == sorted([*WORDS[:2], *changed, WORDS[4]])
        assert not [check for check in health.checks(vault) if check.name == "forgotten"]
    assert (here.root / LOG).read_bytes() == (there.root / LOG).read_bytes()


def test_doctor_names_what_is_both_live_and_archived(pair: tuple[Vault, Vault]) -> None:
    here, _ = pair
    entry = next(entry for entry in here.entries() if WORDS[2] in entry.words)
    raw = entry.raw
    forget(here, entry)
    assert not [check for check in health.checks(here) if check.name == "forgotten"]
    with open(here.root / LOG, "a", encoding="utf-8") as log:  # as plain git may bring it back
        log.write(f"{raw}\n")
    (check,) = [check for check in health.checks(here) if check.name == "forgotten"]
    assert entry.id in check.detail
    assert "mem forget" in check.fix


def test_what_an_undone_import_left_is_not_forgotten(folder: Path) -> None:
    (folder / "archive/imports").mkdir(parents=True)
    for path in ("archive/imports/a.md", "a.md"):
        (folder / path).write_text("- home is Pudong\n", encoding="utf-8")
    assert not [check for check in health.checks(opened(folder)) if check.name == "forgotten"]


def test_doctor_names_a_mark_of_what_is_not_there(folder: Path) -> None:
    (folder / "MEMORY.md").write_text(
        "- tea [superseded:: abc1234]\n- cocoa [superseded:: ^milk]\n- milk ^milk\n", encoding="utf-8"
    )
    (check,) = [check for check in health.checks(opened(folder)) if check.name == "superseded"]
    assert "MEMORY.md:1 is superseded by abc1234" in check.detail
    assert "mem supersede" in check.fix
