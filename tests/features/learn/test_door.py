"""A conversation becomes proposals, and what is kept goes where its kind of memory lives."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from memcli.features.learn import likelihood
from memcli.features.learn.backlog import queue_conversation
from memcli.features.learn.proposing import propose, taste
from memcli.jobs import work
from memcli.remember.atoms import Atom
from memcli.remember.proposals import Addition, Outcome, Repetition, keep, why_not
from memcli.vault import labels, preferences, profile, queue
from memcli.vault.vault import Vault
from tests.cli.terminal import at_terminal

CHAT = """User: Hi, my name is Tom. I live in Berlin.
Assistant: Shall I remember that you never eat fish?
User: yes please
User: We decided to move billing to Postgres. Remind me to tell Ana before Friday.
User: I usually take the stairs. Not the motorway today, please.
User: My wife is called Ingrid. My wife's phone number is +49 30 901820.
"""


@pytest.fixture(autouse=True)
def sure_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """How sure something is, others tell; here it is about what becomes of it."""
    monkeypatch.setattr(likelihood, "KEPT", 0.0)
    monkeypatch.setattr(likelihood, "KEPT_BY_WORDS", 0.0)


def learnt(vault: Vault, text: str, confirmed: bool = False) -> list[Outcome]:
    return [keep(vault, atom, confirmed) for atom in propose(vault, text).atoms if not why_not(atom)]


def memory(vault: Vault) -> str:
    return (vault.root / "MEMORY.md").read_text(encoding="utf-8")


def files(vault: Vault) -> str:
    """All that is in the vault, and in its caches and journals."""
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in vault.root.rglob("*") if path.is_file())


def test_each_kind_of_memory_goes_where_it_lives(vault: Vault) -> None:
    assert [type(kept) for kept in learnt(vault, CHAT)] == [Addition] * 8
    assert profile.read_profile(vault) == {"name": "Tom", "city": "Berlin"}
    (wife,) = labels.read_labels(vault)
    assert (wife.name, wife.value, wife.record["phone"]) == ("wife", "Ingrid", "+49 30 901820")
    assert {(each.key, each.source, each.confidence) for each in preferences.read_preferences(vault)} == {
        ("fish", "explicit", 1.0),
        ("stairs", "inferred", 0.6),
    }
    log = (vault.root / "logs/2026-11-21.md").read_text(encoding="utf-8")
    assert "- We decided to move billing to Postgres [type:: decision] [date:: 2026-11-21]" in memory(vault)
    assert "- [ ] 14:30 tell Ana before Friday" in log
    assert "motorway" not in files(vault)


def test_proposing_writes_nothing(vault: Vault) -> None:
    propose(vault, CHAT)
    assert not list(vault.root.rglob("*"))


def test_what_was_kept_once_is_known_the_second_time(vault: Vault) -> None:
    learnt(vault, CHAT)
    before = {path: path.read_bytes() for path in vault.root.rglob("*.yaml")}
    assert all(isinstance(kept, Repetition) for kept in learnt(vault, CHAT))
    assert {path: path.read_bytes() for path in vault.root.rglob("*.yaml")} == before
    assert memory(vault).count("billing") == 1


def test_a_habit_that_the_user_has_looked_at_is_confirmed(vault: Vault) -> None:
    learnt(vault, "I usually take the stairs.", confirmed=True)
    (habit,) = preferences.read_preferences(vault)
    assert (habit.source, habit.confidence) == ("confirmed", 0.8)


def test_what_is_known_otherwise_is_overwritten_only_after_a_look(vault: Vault) -> None:
    learnt(vault, "I live in Berlin. My wife is called Ingrid.")
    other = "I live in Bonn. My wife is called Ilse."
    assert [kept.why_not for kept in learnt(vault, other)] == [
        "USER.md says city: Berlin",
        "labels.yaml says wife: Ingrid",
    ]
    assert profile.read_profile(vault)["city"] == "Berlin"
    assert [type(kept) for kept in learnt(vault, other, confirmed=True)] == [Addition, Addition]
    assert (profile.read_profile(vault)["city"], labels.read_labels(vault)[0].value) == ("Bonn", "Ilse")


def test_an_inference_does_not_beat_what_was_said_explicitly(vault: Vault) -> None:
    keep(vault, Atom("preference", "I love stairs", "stairs", "I love stairs"))
    (kept,) = learnt(vault, "I usually take the stairs.")
    assert kept.why_not and preferences.read_preferences(vault)[0].value == "I love stairs"


def test_interests_are_added_to_those_there(vault: Vault) -> None:
    learnt(vault, "My hobbies are chess and sailing.")
    learnt(vault, "My hobbies are sailing, tea.")
    assert profile.read_profile(vault)["interests"] == ["chess", "sailing", "tea"]


@pytest.mark.parametrize(
    "said",
    [
        "My password is hunter2-hunter2-X9.",
        "My favourite token is ghp_16C7e42F292c6912E7710c838347Ae178B4a.",
        "My name is 4111 1111 1111 1111.",
        "From now on use 4111 1111 1111 1111 for payments.",
        "My wife is called AKIAQ7L2MZ4TRWXKE3VN.",
    ],
)
def test_what_is_sensitive_reaches_no_file_and_the_rest_goes_on(vault: Vault, said: str) -> None:
    learnt(vault, f"{said} I live in Berlin.")
    assert profile.read_profile(vault).get("city") == "Berlin"
    assert not re.search("hunter2|ghp_|4111|AKIA", files(vault))


def test_what_was_said_on_another_day_is_kept_on_that_day(vault: Vault) -> None:
    learnt(
        vault,
        json.dumps(
            {
                "role": "user",
                "content": "We decided to move billing to Postgres. Remind me to call Ana.",
                "timestamp": "2026-11-03T09:05:00",
            }
        ),
    )
    assert "We decided to move billing to Postgres [type:: decision] [date:: 2026-11-03]" in memory(vault)
    assert "- [ ] 09:05 call Ana" in (vault.root / "logs/2026-11-03.md").read_text(encoding="utf-8")


def test_the_user_is_the_one_the_profile_names(vault: Vault) -> None:
    (vault.root / "USER.md").write_text("---\nname: 林舟 (Zhou Lin)\n---\n", encoding="utf-8")
    chat = "Zhou: I never eat fish.\nAnna: I never eat meat.\nZhou: ok\nAnna: ok"
    assert [atom.key for atom in propose(vault, chat).atoms] == ["fish"]
    assert [atom.key for atom in propose(vault, chat.replace("Zhou", "Kim"), ["kim"]).atoms] == ["fish"]


def test_what_is_left_for_later_is_learnt_by_the_worker_once_and_holds_no_secret(vault: Vault) -> None:
    text = CHAT + "User: My password is hunter2-hunter2-X9.\n"
    assert queue_conversation(vault, text)
    assert not queue_conversation(vault, text)
    assert "hunter2" not in files(vault)
    assert len(work(vault).done) == 1
    assert "billing" in memory(vault)
    assert not queue.jobs(vault)
    assert not queue_conversation(vault, text)


def test_mem_learn_shows_then_keeps(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    shown = mem("learn", "chat.txt")
    assert shown.code == 0 and "decision" in shown.out and "left out: holds for one occasion" in shown.out
    assert "nothing is kept yet: --yes keeps what lasts" in shown.err
    assert not (folder / "logs").exists()
    assert mem("learn", "chat.txt", "--yes", "--dry-run").code == 0
    assert not (folder / "logs").exists()
    kept = mem("learn", "-", "--yes", stdin=CHAT)
    assert kept.code == 0 and "8 of 9 kept" in kept.err  # what holds for one occasion is not
    assert "0 of 9 kept; 8 known before" in mem("learn", "-", "--yes", stdin=CHAT).err
    told = json.loads(mem("learn", "chat.txt", "--yes", "--json").out)
    assert (told["schema"], told["by"], told["messages"]) == (1, "rules", 6)
    assert [atom["kept"] for atom in told["atoms"]].count(True) == 8
    assert mem("undo").code == 0


def test_mem_learn_says_what_is_wrong(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    assert mem("learn", "nowhere.txt").code == 2
    assert mem("learn", "-", stdin="").code == 2
    assert (
        "which of Anna, Ben are you" in mem("learn", "-", stdin="Anna: I live in Rome\nBen: no\nAnna: yes\nBen: ok").err
    )
    copied = "小王 2026-11-20 12:30\n我下个月去东京\n李雷 2026-11-20 12:31\n好的"
    assert "which of 小王, 李雷 are you" in mem("learn", "-", stdin=copied).err
    nothing = mem("learn", "-", stdin="User: hello there\nAssistant: hi")
    assert (nothing.code, nothing.out) == (0, "") and "nothing to remember in 2 messages" in nothing.err


def test_mem_learn_left_for_later_is_done_by_mem_work(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    assert "left for mem work" in mem("learn", "-", "--later", stdin=CHAT).err
    assert mem("work").code == 0
    assert "tell Ana" in mem("list").out


def test_what_waits_is_not_lost_while_the_vault_can_not_be_written(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    broken = folder / "preferences.yaml"
    broken.write_text("- key: [\n", encoding="utf-8")
    mem("learn", "-", "--later", stdin=CHAT)
    assert "1 failed" in mem("work").out
    assert "Ingrid" in mem("label", "list").out  # the others are kept at once
    broken.unlink()
    assert "1 done" in mem("work", "--retry").out
    assert "fish" in broken.read_text(encoding="utf-8")


def test_of_a_key_that_was_said_nothing_is_left_for_later(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    mem("learn", "-", "--later", stdin="User: My api key is ghp_" + "a1B2" * 9 + "\nUser: I usually take the stairs.\n")
    mem("work")
    assert "REDACTED" not in mem("list").out and "stairs" in mem("prefer", "list").out


def test_a_recalled_block_teaches_nothing(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    mem("learn", "-", "--yes", stdin=CHAT)
    block = mem("recall", "billing fish Ingrid").out
    assert "fish" in block
    again = mem("learn", "-", "--yes", stdin=f"User: look what it knows\n{block}\nAssistant: I see")
    assert again.out == "" and "was passed over" in again.err


def test_each_is_asked_for_on_a_terminal(folder: Path) -> None:
    (folder / "chat.txt").write_text(
        "User: I never eat fish. We chose the oak floor. I live in Berlin.\n", encoding="utf-8"
    )
    said = at_terminal("learn", "chat.txt", answers=("y", "n", "q"), cwd=folder, MEM_VAULT=str(folder)).out
    assert "keep preference" in said and "keep decision" in said and "keep profile" in said
    assert "fish" in (folder / "preferences.yaml").read_text(encoding="utf-8")
    assert not (folder / "logs").exists() and not (folder / "USER.md").exists()


def test_a_time_with_a_zone_is_the_users_own(vault: Vault) -> None:
    said = {"role": "user", "content": "We chose the oak floor.", "timestamp": "2026-11-03T23:30:00Z"}
    (atom,) = propose(vault, json.dumps(said)).atoms
    assert atom.at == datetime(2026, 11, 4, 7, 30)


def test_a_secret_that_was_blacked_out_leaves_nothing_to_keep(vault: Vault) -> None:
    found = Atom("fact", "My api key is [REDACTED_API_KEY]")
    assert "blacked out" in keep(vault, found).why_not


def test_how_to_reach_the_user_is_no_label_called_of(vault: Vault) -> None:
    said = '{"role": "user", "content": "我的邮箱是 anna@example.org"}'
    assert "label" not in {each.type for each in propose(vault, said, rules=True).atoms}


def test_a_preference_keeps_the_reason_and_the_condition_that_the_user_gave() -> None:
    for said in (
        "I prefer aisle seats because of my knee",
        "Because of my knee I prefer aisle seats",
        "I prefer short stand-ups, standing, at most ten minutes",
        "I hate cilantro, it tastes like soap",
        "Call me Maya, not Mrs Lindqvist",
        "我喜欢黑巧克力，至少七成",
    ):
        assert taste(f"{said}.").value == said
    assert taste("Please call me Fen.").value == "Fen"


def test_what_is_not_sure_enough_is_not_promised_by_yes(mem, folder: Path) -> None:  # type: ignore[no-untyped-def]
    (folder / "talk.md").write_text("我：以后帮我写 SQL 一律小写关键字，别大写\n", encoding="utf-8")
    assert (
        "nothing is sure enough to keep; --yes leaves what may last to mem review"
        in mem("learn", "talk.md", "--me", "我").err
    )
    assert "0 of" in mem("learn", "talk.md", "--me", "我", "--yes").err
