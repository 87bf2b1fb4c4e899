"""What may be asked: what is missing, the most useful first, at most twice a talk, once a day, not after a refusal."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memcli.extend import Reply
from memcli.features.nudge import choose
from memcli.features.nudge.choose import answers_in, kinds, refuses
from memcli.text.phrases import LANGUAGES
from memcli.text.tables import Row, rows
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened

TABLES = Path(choose.__file__).parent / "language"
LATER = NOW + timedelta(days=1)
SAMPLE = Path(__file__).parents[3] / "sample_vault"


def keys(vault: Vault, session: str = "s1", most: int = 2) -> list[str]:
    return [each.key for each in choose.questions(vault, session, most=most)]


def ask(vault: Vault, session: str = "s1") -> list[str]:
    """As a prompt does that carries them."""
    found = choose.questions(vault, session)
    choose.note_asked(vault, session, found)
    return [each.key for each in found]


def later(folder: Path, **more: object) -> Vault:
    return opened(folder, NOW + timedelta(**more))  # type: ignore[arg-type]


def test_home_work_and_whom_to_call_come_first_tastes_later(folder: Path) -> None:
    found = choose.questions(opened(folder, nudge__questions=20), "s1", most=20)
    assert [each.key for each in found[:3]] == ["home", "work", "contact"]
    assert {each.key for each in found[3:]} >= {"partner", "food", "music", "interests", "language", "occupation"}


def test_at_most_two_in_a_talk(folder: Path) -> None:
    vault = opened(folder)
    assert ask(vault) == ["home", "work"]
    assert keys(vault) == []
    assert keys(later(folder, days=100)) == []  # it is still the same talk
    assert keys(opened(folder, nudge__questions=1), "s2", 20) == ["contact"]
    assert keys(opened(folder, nudge__questions=0), "s2") == []


def test_what_was_only_considered_is_not_noted(folder: Path) -> None:
    assert keys(opened(folder)) == keys(opened(folder)) == ["home", "work"]
    assert not (folder / "journal").exists()


def test_the_same_kind_is_asked_once_a_day_whatever_the_talk(folder: Path) -> None:
    assert ask(opened(folder), "s1") == ["home", "work"]
    assert ask(opened(folder), "s2") == ["contact", "partner"]
    assert keys(later(folder, days=1), "s3") == ["home", "work"]


def test_after_a_refusal_nothing_more_is_asked_in_that_talk(folder: Path) -> None:
    vault = opened(folder, nudge__questions=5)
    choose.note_asked(vault, "s1", choose.questions(vault, "s1", most=1))
    assert choose.note_reply(vault, "s1", "I'd rather not say") == Reply("refused", ("home",))
    assert keys(vault, "s1") == []
    assert keys(vault, "s2") == ["work", "contact"]
    assert "home" not in keys(later(folder, days=5), "s3", 20)


@pytest.mark.parametrize(
    "text",
    ["No.", "no thanks", "I'd prefer not to", "None of your business!", "that's private", "don't ask", "I don't want to talk about that",
     "skip", "No thanks, tell me about whales", "不用了谢谢，给我讲讲鲸鱼", "不想说", "不方便透露", "这是隐私", "别问了", "不告诉你", "以后再说吧", "算了", "我不太想聊这个"],
)  # fmt: skip
def test_refusals_are_understood(folder: Path, text: str) -> None:
    vault = opened(folder)
    ask(vault)
    found = choose.note_reply(vault, "s1", text)
    assert found and found.kind == "refused"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I live at 12 Example Road", ("home",)),
        ("12 Example Road", ("home",)),
        ("In Hamburg, Elbchaussee 5", ("home",)),
        ("我住在花木路", ("home",)),
        ("家在绍兴，公司在张江", ("home", "work")),
        ("I work for a small shipyard", ("work",)),
    ],
)
def test_answers_are_understood(folder: Path, text: str, told: tuple[str, ...]) -> None:
    vault = opened(folder)
    ask(vault)
    assert choose.note_reply(vault, "s1", text) == Reply("answered", told)


@pytest.mark.parametrize(
    "text",
    [
        "which trains go to Lisbon?",
        "你住在哪里？",
        "I'd rather not take the highway",
        "我家冰箱结水了",
        "缺少用户隐私保护指引",
        "讲个笑话",
        "ok",
    ],
)
def test_whoever_speaks_of_something_else_passes_them_over(folder: Path, text: str) -> None:
    vault = opened(folder)
    ask(vault)
    assert choose.note_reply(vault, "s1", text) == Reply("passed", ("home", "work"))


def test_an_answer_is_looked_for_in_the_next_message_alone(folder: Path) -> None:
    vault = opened(folder)
    assert choose.note_reply(vault, "s1", "hello") is None
    ask(vault)
    assert choose.note_reply(vault, "s2", "no") is None
    assert choose.note_reply(vault, "s1", "hello")
    written = (folder / "journal" / "nudges.jsonl").read_bytes()
    assert choose.note_reply(vault, "s1", "no") is None
    assert (folder / "journal" / "nudges.jsonl").read_bytes() == written


def test_what_was_answered_rests_longer_than_what_was_passed_over(folder: Path) -> None:
    vault = opened(folder)
    ask(vault)
    choose.note_reply(vault, "s1", "I live in Porto")
    asked_on = [day for day in range(1, 40) if "home" in keys(later(folder, days=day), "s2", 20)]
    assert asked_on[0] == 30
    assert next(day for day in range(1, 40) if "work" in keys(later(folder, days=day), "s2", 20)) == 7


@pytest.mark.parametrize(
    ("file", "text", "known"),
    [
        ("labels.yaml", "home: 12 Example Road\n", "home"),
        ("labels.yaml", "- name: 公司\n  address: 盛夏路\n", "work"),
        ("labels.yaml", "- name: Anna\n  aliases: [emergency contact]\n  phone: '1'\n", "contact"),
        ("USER.md", "---\noccupation: potter\n---\n", "occupation"),
        ("USER.md", "# Me\n\nI live with my wife near the harbour.\n", "home"),
        ("USER.md", "我老婆叫苏晴。\n", "partner"),
        ("MEMORY.md", "- I mostly listen to fado\n", "music"),
        ("preferences.yaml", "- key: lunch\n  value: soup\n  category: food\n", "food"),
        ("preferences.yaml", "- key: driving_music\n  value: fado\n", "music"),
        ("state.yaml", "language: zh\n", "language"),
    ],
)
def test_what_is_known_is_not_asked(folder: Path, file: str, text: str, known: str) -> None:
    vault = opened(folder, nudge__questions=20)
    assert known in keys(vault, most=20)
    (folder / file).write_text(text, encoding="utf-8")
    assert known not in keys(vault, most=20)


def test_what_was_just_said_is_not_asked(folder: Path) -> None:
    found = choose.questions(opened(folder), "s1", said="I live at 12 Example Road\n我老婆叫苏晴\nwhat's on tonight?")
    assert [each.key for each in found] == ["work", "contact"]


def test_a_number_or_a_word_in_passing_is_no_fact_about_the_user(folder: Path) -> None:
    text = "- the shop is in 12 Harbour Road, call 555 0100 123\n- a rock fell on the road\n- the manual is in English\n- Anna is a painter\n"
    (folder / "MEMORY.md").write_text(text, encoding="utf-8")
    assert len(keys(opened(folder, nudge__questions=20), most=20)) == len(kinds("en")) == len(kinds("zh"))


def test_of_somebody_well_known_little_is_asked() -> None:
    assert keys(opened(SAMPLE, nudge__questions=20), most=20) == ["contact"]


@pytest.mark.parametrize(
    ("file", "text", "chinese"),
    [
        ("state.yaml", "language: zh\n", True),
        ("state.yaml", "language: German\n", False),
        ("USER.md", "---\nlanguage: zh, en\n---\n", True),
        ("USER.md", "---\nlanguage: en\n---\n我喜欢茶。\n", False),
        ("USER.md", "---\nname: 林舟\n---\n", True),
        ("USER.md", "", False),
    ],
)
def test_it_is_asked_in_the_language_of_the_user(folder: Path, file: str, text: str, chinese: bool) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    found = choose.questions(opened(folder), "s1")[0].text
    assert any("\u4e00" <= sign <= "\u9fff" for sign in found) is chinese


def test_a_newcomer_is_asked_in_the_language_they_speak(folder: Path) -> None:
    for said, first in (("帮我订个位子", "您家住哪里？"), ("Book me a table", "Where is home?")):
        assert choose.questions(opened(folder), "s1", said=said)[0].text.startswith(first)


def test_where_it_can_not_be_told_what_is_known_nothing_is_asked(folder: Path) -> None:
    (folder / "labels.yaml").write_text("home: [", encoding="utf-8")
    vault = opened(folder)
    assert keys(vault) == []
    assert "nothing is asked: labels.yaml:1" in vault.notices[0]


def test_a_journal_full_of_rubbish_breaks_nothing(folder: Path) -> None:
    (folder / "journal").mkdir()
    (folder / "journal" / "nudges.jsonl").write_bytes(
        b'\xff\xfe\n{"at": 5}\n[1]\nnull\n{"at": "2026-99-99", "session": "s1", "key": "home", "event": "asked"}\n{"session"\n'
    )
    vault = opened(folder)
    assert ask(vault) == ["home", "work"]
    assert choose.note_reply(vault, "s1", "no") == Reply("refused", ("home", "work"))


def test_a_day_ends_at_midnight(folder: Path) -> None:
    assert ask(opened(folder, datetime(2026, 11, 21, 23, 59))) == ["home", "work"]
    assert keys(opened(folder, datetime(2026, 11, 22, 0, 1)), "s2") == ["home", "work"]


def rules() -> list[tuple[str, Row]]:
    return [(name, row) for name in LANGUAGES for row in rows(TABLES / name / "questions.txt", examples=True)]


def test_every_rule_has_its_examples() -> None:
    assert all(row.get("takes") and row.get("leaves") for _, row in rules() if "told" in row)


def test_questions_know_their_answers() -> None:
    for _, row in rules():
        for text, taken in [*((text, True) for text in row["takes"]), *((text, False) for text in row["leaves"])]:
            known = refuses(text) if "refusal" in row else row["asks"][0] in answers_in(text)
            assert known is taken, (row, text)


def test_questions_are_the_same_in_both_languages() -> None:
    english, chinese = ([row["asks"] for lang, row in rules() if lang == one and "asks" in row] for one in LANGUAGES)
    assert english == chinese
