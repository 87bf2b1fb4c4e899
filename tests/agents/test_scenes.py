"""The scenes of memory for teams of agents: each remembers its own work, all know the user, and none gossips."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli import remember
from memcli.index import download, refresh
from memcli.recall import Request, recall
from memcli.remember import Memory
from memcli.vault.vault import Vault
from tests.conftest import opened

MODEL = Path(__file__).parents[3] / "shared/data/minilm-onnx-int8"
TEAM = ("研究", "代码", "写作")


def keeps(vault: Vault, agent: str, text: str, **more: str) -> None:
    remember.add(vault.seen_by(agent), Memory(text, **more))  # type: ignore[arg-type]


def knows(vault: Vault, agent: str, question: str) -> str:
    return recall(vault.seen_by(agent), Request(question)).text


@pytest.fixture
def team(vault: Vault) -> Vault:
    """What the user thinks of competitors is the researcher's, how code is to look is the coder's."""
    keeps(vault, "研究", "用户觉得竞品海登的传感器太贵")
    keeps(vault, "代码", "用户写代码喜欢四个空格缩进")
    keeps(vault, "", "团队每周一上午开例会", type="fact")
    return vault


def test_who_writes_code_does_not_bring_up_the_competitors(team: Vault) -> None:
    assert "海登" in knows(team, "研究", "用户怎么看竞品") and "海登" not in knows(team, "代码", "用户怎么看竞品")
    assert "四个空格" in knows(team, "代码", "代码缩进用什么") and "四个空格" not in knows(
        team, "研究", "代码缩进用什么"
    )


@pytest.mark.parametrize("agent", TEAM)
def test_what_the_user_told_all_of_them_each_knows(team: Vault, agent: str) -> None:
    assert "周一" in knows(team, agent, "什么时候开例会")


def test_a_week_of_research_is_remembered_by_who_did_it(team: Vault) -> None:
    keeps(team, "研究", "比较了三种方案，最终选定方案二：事件溯源", type="decision")
    assert "事件溯源" in knows(team, "研究", "上次我们选的方案是哪个")
    assert "事件溯源" not in knows(team, "写作", "上次我们选的方案是哪个")


@pytest.fixture(scope="module")
def meaning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (MODEL / "model_int8.onnx").exists():
        pytest.skip("the small model is not here")
    return MODEL


def test_the_same_in_other_words_is_found_in_ones_own_space_alone(folder: Path, meaning: Path) -> None:
    """`React component` against `front-end rendering`: no word in common."""
    download.register(meaning, dict(os.environ))
    vault = opened(folder, index__model=meaning.name)
    keeps(vault, "coder", "Made the front-end rendering faster by memoising the list")
    keeps(vault, "scout", "Front-end rendering of the rival's page takes four seconds")
    for n in range(12):
        keeps(vault, "coder", f"Paid invoice {n} of the landlord in cash at the bank")
    refresh.refresh(vault)
    question = Request("how do I speed up React components", semantic=True)
    mine, others = (recall(vault.seen_by(agent), question).text for agent in ("coder", "writer"))
    assert "memoising" in mine and "rival" not in mine
    assert "memoising" not in others and "rival" not in others
