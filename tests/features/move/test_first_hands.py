"""What a new user brings: notes beside instructions, copies, files of another tool, files without an ending."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Ran

Mem = Callable[..., Ran]


def lay(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_notes_is_brought_whole_though_instructions_for_agents_lie_in_it(mem: Mem, tmp_path: Path) -> None:
    notes = lay(
        tmp_path / "n",
        CLAUDE_md="Be brief.\n",
        tea_md="# Tea\n\n- Oolong from Fujian\n",
        trips__rome_md="- Rome in May\n",
    )
    ran = mem("import", str(notes), "--yes")
    assert "3 notes" in ran.out and mem("list", "Oolong").out and mem("list", "Rome").out


def test_beside_code_the_notes_that_are_left_are_named_with_the_way_to_take_them(mem: Mem, tmp_path: Path) -> None:
    code = {f"src__m{at}_py": "x = 1\n" for at in range(6)}
    ran = mem("import", str(lay(tmp_path / "c", AGENTS_md="Run make test.\n", README_md="# Shop\n", **code)), "--yes")
    assert "1 note" in ran.out and "1 note: no instructions: --from markdown brings them" in ran.err


def test_beside_tables_and_notes_what_is_left_is_named_with_the_way_to_take_it(mem: Mem, tmp_path: Path) -> None:
    table, note = "日期,内容\n2026-10-01,去看灯\n", "# 备忘\n\n- 窗帘尺寸两米八\n"
    ran = mem("import", str(lay(tmp_path / "c", a_csv=table, n_md=note)), "--yes")
    assert "1 memory" in ran.out and "1 file: of other kinds: --from markdown brings them" in ran.err
    assert "1 note" in mem("import", str(tmp_path / "c"), "--from", "markdown", "--yes").out
    ran = mem("import", str(lay(tmp_path / "n", a_csv=table, n_md=note, m_txt=note)), "--yes")
    assert "1 file: of other kinds: --from csv brings them" in ran.err


def test_a_copy_is_named_with_what_it_equals_and_not_called_brought_before(mem: Mem, tmp_path: Path) -> None:
    note = "<note><title>Tea</title><content><![CDATA[<en-note>Oolong</en-note>]]></content><created>20250101T000000Z</created></note>"
    (tmp_path / "a.enex").write_text(f"<en-export>{note}{note}</en-export>", encoding="utf-8")
    first = mem("import", str(tmp_path / "a.enex"), "--yes")
    assert "1 note" in first.out and "1 there twice" in first.out and "brought before" not in first.out
    assert "there twice: Tea.md: the same as Tea.md" in first.err
    again = mem("import", str(tmp_path / "a.enex"))
    assert "brought before" in again.out and "nothing new" in again.out


def test_an_import_of_which_nothing_could_be_read_is_an_error_that_says_what_was_expected(
    mem: Mem, tmp_path: Path
) -> None:
    (tmp_path / "m.json").write_text(
        json.dumps([{"uid": n, "embedding": [0.1, 0.2]} for n in range(3)]), encoding="utf-8"
    )
    ran = mem("import", str(tmp_path / "m.json"))
    assert ran.code == 2 and "nothing in it could be read; expected: " in ran.err and "text" in ran.err
    wrong = mem("import", str(tmp_path / "m.json"), "--from", "server-memory")
    assert wrong.code == 2 and "observations" in wrong.err
    (tmp_path / "none.json").write_text("[]\n", encoding="utf-8")
    assert mem("import", str(tmp_path / "none.json"), "--from", "mem").code == 0


def test_what_mem_wrote_is_read_again_from_a_file_of_any_name(mem: Mem, folder: Path, tmp_path: Path) -> None:
    for text in ("Olga keeps the spare key", "Bins go out on Tuesdays"):
        mem("add", text)
    for form in ("mem", "json"):
        for name in ("e", "e.mem", "e.txt", "e.json", "e.jsonl"):
            (tmp_path / name).write_text(mem("export", "--to", form).out, encoding="utf-8")
            other = tmp_path / f"vault-{form}-{name}"
            other.mkdir()
            ran = mem("import", str(tmp_path / name), "--yes", MEM_VAULT=str(other))
            assert ran.code == 0 and "2 memories" in ran.out, ran.err
