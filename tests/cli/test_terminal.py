"""What a person sees at the keyboard: lines that end between words, words that stand out, a screen at a time."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest

from memcli.cli import main
from memcli.cli.looks import cells, clipped, wrapped
from memcli.cli.terminal import Terminal
from tests.cli.terminal import at_terminal
from tests.cli.test_commands import Mem

LINE = "- 09:10 The kiln can be fired at night only, 因为白天电费太贵了，而且隔壁会抱怨，所以我们改到十点以后。"


@pytest.fixture
def kiln(folder: Path) -> Path:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-20.md").write_text(f"{LINE}\n- 10:00 Glaze is out\n", encoding="utf-8")
    return folder


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.quick
@pytest.mark.parametrize("width", [10, 20, 33, 60])
def test_a_line_ends_between_words_and_loses_none(width: int) -> None:
    pieces = wrapped(LINE, width)
    assert all(cells(piece) <= width for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(LINE.split())
    assert {"kiln", "fired", "night"} <= set(" ".join(pieces).replace(",", " ").split())
    assert all(piece.startswith("  ") for piece in pieces[1:])


@pytest.mark.quick
def test_a_word_that_is_longer_than_the_line_stays_whole() -> None:
    url = "https://example.org/" + "a" * 40
    assert wrapped(f"see {url} now", 20) == ["see", url, "now"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("show", "2026-11-20"), ("recall", "kiln")])
def test_no_word_is_cut_at_the_end_of_a_line(kiln: Path, words: tuple[str, ...]) -> None:
    ran = at_terminal(*words, cwd=kiln, size=(50, 42), MEM_VAULT=str(kiln))
    assert ran.code == 0
    assert all(cells(line) <= 42 for line in bare(ran.out).splitlines())


def test_what_is_piped_is_never_wrapped(kiln: Path, mem: Mem) -> None:
    assert LINE in mem("show", "2026-11-20", COLUMNS="20").out


def test_words_that_were_asked_for_stand_out_on_a_terminal_alone(kiln: Path, mem: Mem) -> None:
    for words in (("recall", "kiln"), ("list", "kiln")):
        assert "\x1b[1mkiln\x1b[0m" in at_terminal(*words, cwd=kiln, size=(50, 120), MEM_VAULT=str(kiln)).out
        assert "\x1b" not in mem(*words).out


@pytest.mark.slow
def test_a_line_that_is_cut_still_shows_the_word_it_is_listed_for(kiln: Path) -> None:
    ran = at_terminal("list", "隔壁", cwd=kiln, size=(50, 90), MEM_VAULT=str(kiln))
    assert "隔壁" in bare(ran.out) and all(cells(line) <= 90 for line in bare(ran.out).splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80])
def test_rows_to_pick_from_differ_where_the_memories_do(folder: Path, width: int) -> None:
    offer = "The kitchen renovation offer from firm number {} includes tiles"
    (folder / "MEMORY.md").write_text("".join(f"- {offer.format(n)}\n" for n in "123"), encoding="utf-8")
    ran = at_terminal("forget", "tiles", cwd=folder, size=(50, width), answers=("",), MEM_VAULT=str(folder))
    rows = [line for line in bare(ran.out).splitlines() if line.endswith(" includes tiles")]
    assert {row.partition("number ")[2][0] for row in rows} == {"1", "2", "3"}
    assert all(cells(line) <= width for line in bare(ran.out).splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["list", "log", "config list", "doctor", "show", "help add", "--help", "add", "audit"]
)
def test_no_line_is_wider_than_the_terminal(kiln: Path, mem: Mem, words: str) -> None:
    assert mem("add", "The second kiln of the pottery in the old brewery can be fired at night only").code == 0
    given = [*words.split(), "The second kiln of the pottery in the old brewery"] if words == "add" else words.split()
    for width in (60, 80):
        ran = at_terminal(*given, cwd=kiln, size=(900, width), answers=("", ""), MEM_VAULT=str(kiln), NO_PAGER="1")
        assert [line for line in bare(ran.out).splitlines() if cells(line) > width and len(line.split()) > 1] == []


@pytest.mark.quick
def test_a_cut_fills_the_width_and_never_cuts_what_fits() -> None:
    assert clipped("0123456789 tiles", 12, ["tiles"]) == "…56789 tiles"
    assert clipped("0123456789 tiles and much more", 12, ["tiles"]) == "… tiles and…"
    assert clipped("tiles", 5, ["tiles"]) == "tiles"


def test_list_finds_the_memories_that_hold_all_words(kiln: Path, mem: Mem) -> None:
    assert len(mem("list", "KILN", "电费").lines) == 1
    assert mem("list", "kiln", "glaze").err == "no memories match\n"
    assert json.loads(mem("list", "kiln", "--json").out)["memories"]


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that says it was there."""
    program = tmp_path / "pager"
    program.write_text('#!/bin/sh\necho "[pager $1]"; cat\n', encoding="utf-8")
    program.chmod(0o755)
    return f"{program} -x"


@pytest.mark.slow
def test_what_is_longer_than_the_screen_goes_through_the_pager(kiln: Path, pager: str) -> None:
    at = {"cwd": kiln, "MEM_VAULT": str(kiln), "PAGER": pager}
    assert at_terminal("show", "2026-11-20", size=(2, 40), **at).out.startswith("[pager -x]\n")  # type: ignore[arg-type]
    for words, size in ((("show", "2026-11-20"), (50, 80)), (("--no-pager", "show", "2026-11-20"), (2, 40)),
                        (("list", "--json"), (2, 40)), (("--no-input", "list"), (2, 40))):  # fmt: skip
        assert "[pager" not in at_terminal(*words, size=size, **at).out, words  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "off", [{"NO_PAGER": "1"}, {"PAGER": ""}, {"PAGER": "cat"}, {"TERM": "dumb"}, {"PAGER": "/none"}]
)
def test_without_a_pager_all_is_printed_at_once(kiln: Path, pager: str, off: dict[str, str]) -> None:
    environ = {"PAGER": pager, "MEM_VAULT": str(kiln), **off}
    ran = at_terminal("show", "2026-11-20", cwd=kiln, size=(2, 40), **environ)
    assert "[pager" not in ran.out and "Glaze is out" in ran.out


def test_what_is_piped_meets_no_pager(kiln: Path, mem: Mem, pager: str) -> None:
    assert "[pager" not in mem("show", "2026-11-20", PAGER=pager).out


class FakeTerminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.quick
def test_ctrl_c_at_a_question_ends_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: list[str], terminal: Terminal) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "run", interrupted)
    for stream, printed in ((FakeTerminal(), "\n"), (StringIO(), "")):
        assert main._run_and_report(["forget"], Terminal({}, tmp_path, StringIO(), stream)) == 130
        assert stream.getvalue() == printed
