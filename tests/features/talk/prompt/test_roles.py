"""Roles: what makes one usable, and what counts in the place of one that is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import session
from memcli.features import talk
from memcli.features.talk import prompt
from memcli.features.talk.prompt import roles
from memcli.text import tokens
from tests.conftest import Ran, opened

GOOD = """version: 2
identity: A quiet colleague who has read all the notes.
tone: Warm and brief. 中文问就用中文答。
boundaries:
  - Say plainly what is not in the notes.
"""
SAMPLE = Path(__file__).parents[4] / "sample_vault"


@pytest.fixture
def role(folder: Path) -> Callable[[str], Path]:
    def laid(text: str, name: str = "x.yaml") -> Path:
        (folder / "roles").mkdir(exist_ok=True)
        path = folder / "roles" / name
        path.write_text(text, encoding="utf-8")
        return path

    return laid


def test_a_role_reads_as_identity_tone_and_boundaries(folder: Path, role: Callable[..., Path]) -> None:
    role(GOOD)
    vault = opened(folder)
    found = roles.read_role(vault, "x")
    assert (found.name, found.version, found.problem, vault.notices) == ("x", "2", "", [])
    assert found.text.splitlines() == [
        "A quiet colleague who has read all the notes.",
        "Warm and brief. 中文问就用中文答。",
        "- Say plainly what is not in the notes.",
    ]


def test_the_state_names_the_role_in_use(folder: Path, role: Callable[..., Path]) -> None:
    role(GOOD, "colleague.yml")
    assert roles.read_role(opened(folder)) == roles.SAFE
    (folder / "state.yaml").write_text("role: colleague\n", encoding="utf-8")
    assert roles.read_role(opened(folder)).name == "colleague"


def test_a_folder_of_notes_without_roles_gets_the_built_in_one_and_no_complaint(folder: Path) -> None:
    vault = opened(folder)
    assert roles.read_role(vault) == roles.SAFE
    assert vault.notices == []


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("version: 2\n", "", "version"),
        ("version: 2", "version: newest", "not a version"),
        ("A quiet colleague", "A colleague of {user_name}", "{user_name}"),
        ("A quiet colleague", "A colleague of {{ name }}", "{ name }"),
        ("A quiet colleague", "A colleague of <name>", "<name>"),
        ("A quiet colleague", "A colleague of $NAME", "$NAME"),
        ("A quiet colleague", "A colleague of ${name}", "${name}"),
        ("A quiet colleague", "A colleague of [YOUR NAME]", "[YOUR NAME]"),
        ("A quiet colleague", "你是【姓名】的同事", "【姓名】"),
        ("A quiet colleague", "<|im_start|>system", "placeholder"),
        ("A quiet colleague", "A colleague " + "with many words " * 60, "tokens, 150 are the most"),
        ("A quiet colleague", "A colleague " + "【" * 100_000, "characters"),
        ("A quiet colleague", '"a\\e[2Jb" #', "control characters"),
        ("A quiet colleague", "A qui\u200bet colleague", "control characters"),
        ("tone:", "tonne:", "did you mean 'tone'?"),
        ("tone: Warm", "tone: 5\nidentity: Warm", "what is a int should be a text"),
        ("version: 2", "version: [1]", "version"),
        ("tone:", "tone: [", "broken YAML"),
        (GOOD, "just text", "expected 'key: value'"),
        (GOOD, "", "version"),
        ("boundaries:\n  - Say plainly what is not in the notes.", "boundaries: []", "boundaries"),
    ],
)
def test_a_broken_role_gives_way_to_the_safe_one_and_says_why(
    folder: Path, role: Callable[..., Path], old: str, new: str, why: str
) -> None:
    role(GOOD.replace(old, new))
    vault = opened(folder)
    assert any(why in each for each in roles.check(vault, "x"))
    found = roles.read_role(vault, "x")
    assert (found.name, found.text) == ("built-in", roles.SAFE.text)
    assert found.problem.startswith("x: ")
    assert vault.notices == [f"role x: {found.problem[3:]}; the built-in role counts"]


def test_lists_in_lists_do_not_unfold(folder: Path, role: Callable[..., Path]) -> None:
    laughs = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9 if n else ['ha'])}]\n" for n in range(12))
    role(laughs + GOOD.replace("tone: Warm", "tone: *a11\nx: Warm"))
    assert any("aliases that stand for more" in problem for problem in roles.check(opened(folder), "x"))


def test_money_and_comparisons_are_no_placeholders(folder: Path, role: Callable[..., Path]) -> None:
    role(
        GOOD.replace("A quiet colleague", "Knows that $5 < 10 and 10 > 5, 《红楼梦》 and [markdown](x) and snake_case")
    )
    assert roles.check(opened(folder), "x") == []


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "..", ".hidden", "nobody"])
def test_a_role_is_a_file_in_roles_and_nowhere_else(folder: Path, role: Callable[..., Path], name: str) -> None:
    role(GOOD)
    role(GOOD, ".hidden.yaml")
    (folder / "secret.yaml").write_text(GOOD, encoding="utf-8")
    assert roles.read_role(opened(folder), name).text == roles.SAFE.text
    assert roles.check(opened(folder), name)


def test_a_link_out_of_roles_is_not_followed(folder: Path, tmp_path: Path, role: Callable[..., Path]) -> None:
    role(GOOD)
    (tmp_path / "outside.yaml").write_text(GOOD, encoding="utf-8")
    (folder / "inside.yaml").write_text(GOOD, encoding="utf-8")
    for name, target in (("a", tmp_path / "outside.yaml"), ("b", folder / "inside.yaml")):
        (folder / "roles" / f"{name}.yaml").symlink_to(target)
        assert "outside" in roles.check(opened(folder), name)[0]


def test_the_safe_role_and_those_we_bring_hold(folder: Path) -> None:
    assert tokens.count(roles.SAFE.text) <= roles.MOST
    for source in (Path(talk.__file__).parent / "templates", SAMPLE):
        vault = opened(source)
        assert len(roles.listed(vault)) >= 2
        assert [each.problem for each in roles.listed(vault) if each.problem] == []


# -- the command -------------------------------------------------------------------------------------------------------


def test_roles_are_listed_shown_checked_and_used(mem: Callable[..., Ran], role: Callable[..., Path]) -> None:
    assert "built-in" in mem("role", "list").err
    role(GOOD, "default.yaml")
    role(GOOD.replace("quiet", "stern"), "reviewer.yaml")
    assert [line.split()[:3] for line in mem("role", "list").lines] == [["✓", "default", "2"], ["·", "reviewer", "2"]]
    assert mem("role", "use", "reviewer").out == "reviewer is the role now\n"
    assert mem("role", "show").out.startswith("A stern colleague")
    shown = json.loads(mem("role", "show", "default", "--json").out)
    assert shown["text"].startswith("A quiet") and shown["problem"] is None
    assert mem("role", "check").code == 0
    nobody = mem("role", "use", "reviwer")
    assert nobody.code == 2 and "did you mean 'reviewer'" in nobody.err


def test_a_broken_role_fails_its_check_and_can_not_be_chosen(
    mem: Callable[..., Ran], role: Callable[..., Path]
) -> None:
    role(GOOD, "default.yaml")
    role(GOOD.replace("version: 2\n", "mood: dark\n"), "gloomy.yaml")
    checked = mem("role", "check")
    assert checked.code == 1
    assert [line.split()[0] for line in checked.lines] == ["default", "gloomy", "gloomy"]
    assert "gloomy can't be used" in checked.err
    assert len(json.loads(mem("role", "check", "gloomy", "--json").out)["roles"][0]["problems"]) == 2
    assert "role: gloomy: it does not say its version" in mem("doctor").out
    used = mem("role", "use", "gloomy")
    assert used.code == 1 and "version" in used.err
    assert mem("role", "show").out.startswith("A quiet")
    shown = mem("role", "show", "gloomy")
    assert shown.code == 0 and shown.out.strip() == roles.SAFE.text and "built-in role counts" in shown.err


def test_a_role_file_that_is_edited_counts_from_the_next_talk_on(folder: Path, role: Callable[..., Path]) -> None:
    role(GOOD)
    vault = opened(folder)
    talk = session.start(vault, role="x")
    edited = GOOD.replace("A quiet colleague", "A pirate")
    for text in (edited, edited.replace("version: 2\n", ""), "tone: [", edited):
        role(text)
        again = session.find_session(opened(folder), talk.id)
        assert "A quiet colleague" in prompt.build(opened(folder), prompt.PromptRequest("hi", again.id)).text
    new = session.start(vault, role="x")
    assert "A pirate" in prompt.build(vault, prompt.PromptRequest("hi", new.id)).text
    session.resume(vault, talk, role="x")  # unless it is asked for
    assert "A pirate" in prompt.build(vault, prompt.PromptRequest("hi", talk.id)).text
