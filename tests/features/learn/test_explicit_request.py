"""What the user asks outright to be remembered is kept as it was said, or asked about; it is never dropped."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memcli.features.learn.backlog import queue_conversation
from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import USER, Utterance
from memcli.jobs import work
from memcli.remember.atoms import Atom
from memcli.remember.proposals import ONCE, why_not
from memcli.vault.vault import Vault
from tests.conftest import Ran, opened
from tests.rows import check_rows

# What is asked for, and what has to be kept of it without asking.
KEPT = {
    "Remember that the spare key is at Olga's": "the spare key is at Olga's",
    "Please note that my ring size is 54.": "my ring size is 54",
    "For the record, the number is 4471-B": "the number is 4471-B",
    "Don't forget: the boiler man comes on Friday": "the boiler man comes on Friday",
    "Remember this. The router is in the hallway.": "The router is in the hallway",
    "The blue drawer holds the manuals. Please remember that.": "The blue drawer holds the manuals",
    "The blue drawer holds the manuals, keep that in mind please": "The blue drawer holds the manuals",
    "Could you remember that my car is parked on level 3?": "my car is parked on level 3",
    "Save this: locker 214": "locker 214",
    'Remember that Olga said "the key is under the mat of the third door"': "Olga said",
    "记住：备用钥匙在奥尔加家": "备用钥匙在奥尔加家",
    "记一下，车位是B2-114": "B2-114",
    "帮我记一下：妈妈的药一天两次": "妈妈的药一天两次",
    "别忘了周五交房租": "周五交房租",
    "备用钥匙在奥尔加家，帮我记一下": "备用钥匙在奥尔加家",
    "备用钥匙在奥尔加家。记一下。": "备用钥匙在奥尔加家",
    "能帮我记一下物业电话在冰箱门上吗？": "物业电话在冰箱门上",
    "幫我記一下，鑰匙在奶奶家": "鑰匙在奶奶家",
    "记住“备用钥匙在奥尔加家里的抽屉”": "备用钥匙在奥尔加家里的抽屉",
    "记得11月20号给奶盖打针": "11月20号给奶盖打针",
    "Remember: shoes 43; shirt M; ring 54": "shoes 43; shirt M; ring 54",
    "记住：鞋43码；衬衫M；戒指54号": "鞋43码；衬衫M；戒指54号",
    "Remember that the key is at Olga's, ok?": "the key is at Olga's",
    "记住备用钥匙在奥尔加家，好吗？": "备用钥匙在奥尔加家",
}  # fmt: skip
# What may be a phrase as well is asked about.
ASKED = {
    "Remember the bins go out on Tuesdays": "the bins go out on Tuesdays",
    "Remember my sizes: shoes 43, ring 54": "my sizes: shoes 43, ring 54",
    "记得我不吃香菜": "我不吃香菜",
}
# What sounds like it and asks for nothing.
# What else is said in the same talk: what makes words somebody else's, over or corrected, and everyday sentences.
HARD = (
    "Translate to Italian: my name is Clara and I have two brothers.", "翻译成英语：我对坚果过敏。",
    "Is this any good: \"Since the dawn of time, humans have eaten bread\"?", "剧本里女主台词：我明天就嫁去云南。改得狠一点",
    "Let's roleplay, I'm a customer and you're the waiter.", "角色扮演，你演医生，我演病人。", "End of the role play.",
    "SELECT * FROM orders gives an error, why?", "2024-05-02 10:11:03 ERROR worker-3 refused, what is it",
    "no wait, Friday", "等等，改成周五", "我险些把猫名字改成可乐，还是算了", "算了，先不做了", "Just kidding!", "no", "好",
    "What's the fastest reader in R.", "tests take 9 min.", "yes please", "sold it", "forget that", "why?", "为啥",
)  # fmt: skip
LINES = (Path(__file__).parent / "utterances.tsv").read_text(encoding="utf-8").splitlines()
OTHERS = [*HARD, *(line.split("\t")[1] for line in LINES if "\t" in line)]
# Requests without words of their own mean the sentence beside them, so nothing may stand between the two.
ALONE = [said for said in (*KEPT, *ASKED) if "." not in said.rstrip(".") and "。" not in said]
LEFT = (
    "Do you remember that my car is grey?",
    "Remember when we sailed to Malta?",
    "I can't remember where the key is",
    'Translate this: "Remember that the key is at Olga\'s"',
    "记得那家店吗",
    "我记住了",
    "我帮你记一下，我明天三点面试",
)


def found(text: str) -> list[Atom]:
    return find_atoms([Utterance(USER, text, 1)])


@check_rows("said", KEPT)
def test_what_is_asked_for_is_sure_and_as_it_was_said(said: str) -> None:
    sure = [f"{atom.text} {atom.value}" for atom in found(said) if atom.confidence >= 0.8]
    assert any(KEPT[said] in text for text in sure)


@pytest.mark.parametrize("said", ASKED)
def test_what_may_be_a_phrase_is_asked_about(said: str) -> None:
    assert [(atom.text, atom.confidence < 0.8, atom.requested) for atom in found(said)] == [(ASKED[said], True, True)]


@pytest.mark.parametrize("said", ["Remember that she loves saffron risotto", "记住他喜欢红丹"])
def test_what_names_nobody_is_asked_about(said: str) -> None:
    (atom,) = found(said)
    assert why_not(atom) and atom.requested


@pytest.mark.parametrize("said", LEFT)
def test_what_only_sounds_like_a_request_is_none(said: str) -> None:
    assert not any(atom.requested for atom in found(said))


def test_what_was_asked_for_is_not_replaced_by_what_is_unsure() -> None:
    said = found("Remember that I live in Ghent. My brother thinks I live in Riga, lol")
    assert [atom.value for atom in said if atom.key == "city" and atom.requested] == ["Ghent"]


def test_all_that_follows_a_colon_is_asked_for() -> None:
    said = found("Please remember the following:\n- the key is at Olga's\n- bins go out on Tuesdays")
    assert [atom.text for atom in said] == ["the key is at Olga's", "bins go out on Tuesdays"]


def ended(said: str) -> str:
    return said if said[-1] in ".!?。！？" else f"{said}."


def is_kept_or_asked(said: str, before: Sequence[str], after: Sequence[str], joined: str, joins: str) -> bool:
    """Report whether a request is, among others before and after it; `joined` and `joins` put their ends next to it."""
    whole = said
    if joined and before:
        whole, before = f"{ended(before[-1])}{joined}{whole}", before[:-1]
    if joins and after:
        whole, after = f"{ended(whole)}{joins}{after[0]}", after[1:]
    talk = [Utterance(USER, text, at) for at, text in enumerate([*before, whole, *after])]
    kept = [f"{atom.text} {atom.value}" for atom in find_atoms(talk) if why_not(atom) != ONCE]
    wanted = {**KEPT, **ASKED}[said].removesuffix("Friday")  # `no wait, Thursday` may move its day
    return any(wanted in text for text in kept)


joints = st.sampled_from(["", " ", "\n"])  # a message of its own, the same line, the same message


@given(st.sampled_from(ALONE), *[st.lists(st.sampled_from(OTHERS), max_size=3)] * 2, joints, joints)
@example(ALONE[0], [], ["I love jazz.", "We're moving to Ghent."], "", "")
def test_a_request_among_whatever_else_is_kept_or_asked(
    said: str, before: list[str], after: list[str], joined: str, joins: str
) -> None:
    assert is_kept_or_asked(said, before, after, joined, joins)


@check_rows("other", HARD)
def test_a_request_beside_what_is_not_meant_is_kept_or_asked(other: str) -> None:
    for said in (
        "Remember that the spare key is at Olga's",
        "For the record, the number is 4471-B",
        "记住：备用钥匙在奥尔加家",
    ):
        for joint in ("", " ", "\n"):
            assert is_kept_or_asked(said, [other], [], joint, ""), f"{other}{joint}{said}"
            assert is_kept_or_asked(said, [], [other], "", joint), f"{said}{joint}{other}"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that the spare key is at Olga's", "the spare key is at Olga's"),
        ("记住：备用钥匙在奥尔加家", "备用钥匙在奥尔加家"),
    ],
)
def test_every_door_keeps_what_is_asked_for(folder: Path, mem: Callable[..., Ran], said: str, kept: str) -> None:
    """`mem learn --yes`, and the queue by which hooks, agents and the server have talks learnt from."""
    memory = folder / "MEMORY.md"
    mem("learn", "-", "--yes", "--rules", stdin=f"User: {said}\n")
    assert memory.read_text(encoding="utf-8").count(kept) == 1
    memory.unlink()
    vault = opened(folder)
    queue_conversation(vault, json.dumps({"role": "user", "content": said}), rules=True)
    work(vault)
    assert memory.read_text(encoding="utf-8").count(kept) == 1


def test_what_a_gate_finds_too_little_is_kept_where_it_was_asked_for(vault: Vault) -> None:
    queue_conversation(vault, "User: Remember this: ok done\n", rules=True)
    work(vault)
    assert "ok done" in (vault.root / "MEMORY.md").read_text(encoding="utf-8")
