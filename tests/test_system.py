"""Other systems, as far as they can be tried on this one: a Python without what only POSIX has does its work, too.

`elsewhere/sitecustomize.py` takes it away. What is not tried so: paths with drives, another shell, real consoles.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from memcli import filenames, system
from memcli.errors import Refused
from memcli.vault import files, health, layout
from tests.conftest import Ran, git, opened
from tests.recall.vaults import lay

ELSEWHERE = {"PYTHONPATH": str(Path(__file__).parent / "elsewhere")}
Mem = Callable[..., Ran]


def elsewhere(script: str, *words: str, stdin: bytes = b"") -> str:
    """What a script prints in a Python without POSIX."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        input=stdin,
        capture_output=True,
        env={**os.environ, **ELSEWHERE},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_other_python_really_lacks_it() -> None:
    script = """
import os, socket, select, sys
for name in ("fcntl", "termios", "resource", "pwd"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise SystemExit(name)
assert not hasattr(os, "fork") and not hasattr(os, "O_NOFOLLOW") and not hasattr(socket, "AF_UNIX")
from memcli import system
print(system.STEPWISE, system.LOCAL_SOCKETS, system.NO_LINK)
"""
    assert elsewhere(script).split() == ["False", "False", "0"]


# -- the command -------------------------------------------------------------------------------------------------------


def test_a_vault_is_made_filled_asked_and_taken_back_without_posix(mem: Mem, folder: Path) -> None:
    for words in (
        ["init", "--yes", "--git"],
        ["add", "Redis replaces the cache", "-t", "cache"],
        ["profile", "set", "city", "Basel"],
        ["prefer", "set", "drink", "tea"],
        ["session", "start"],
        ["session", "say", "we talk about tea now"],
        ["tidy"],
    ):
        done = mem(*words, **ELSEWHERE)
        assert (done.code, "not committed" in done.err) == (0, False), (words, done.err)
    assert "Redis replaces the cache" in mem("recall", "redis", **ELSEWHERE).out
    assert "mem add" in git(folder, "log", "--format=%s")
    assert mem("undo", **ELSEWHERE).code == 0
    assert mem("doctor", **ELSEWHERE).code == 0
    assert git(folder, "fsck", "--no-dangling") == ""


def test_what_is_written_without_posix_is_the_same_to_the_byte(mem: Mem, folder: Path, tmp_path: Path) -> None:
    for here, environ in ((folder, {}), (tmp_path / "other", ELSEWHERE)):
        mem("init", str(here), "--yes", "--no-git", **environ)
        for words in (
            ["add", "茶: sencha at home\nand two lines", "-t", "drink"],
            ["label", "set", "home", "Basel"],
            ["add", "- [ ] buy it"],
        ):
            assert mem("--vault", str(here), *words, **environ).code == 0
    one, other = (
        {path: (here / path).read_bytes() for path in layout.walk(here)} for here in (folder, tmp_path / "other")
    )
    assert one == other


def test_a_watcher_answers_without_local_sockets_and_ends_when_told(mem: Mem, folder: Path, home: Path) -> None:
    lay(folder, {"logs/2026-11-20.md": "- a zebra at the zoo\n"})
    alone = mem("recall", "zebra")
    started = mem("watch", "--detach", **ELSEWHERE)
    assert started.code == 0, started.err
    try:
        doors = list(home.rglob("doors/*"))
        assert [door.stat().st_mode & 0o777 for door in doors] == [0o600]
        for _ in range(20):  # on a busy machine a client may help itself
            answered = mem("recall", "zebra", **ELSEWHERE)
            assert (answered.code, answered.out) == (0, alone.out)
            if json.loads(mem("watch", "--status", "--json", **ELSEWHERE).out)["answered"]:
                break
        else:
            raise AssertionError("the watcher was never asked")
        assert mem("watch", **ELSEWHERE).code != 0, "there is one already"
    finally:
        ended = mem("watch", "--stop", **ELSEWHERE)
    assert ended.code == 0, ended.err
    assert not list(home.rglob("doors/*"))


def test_what_is_piped_in_is_read_without_select(mem: Mem, folder: Path) -> None:
    lay(folder, {"a.md": "- a zebra at the zoo\n"})
    assert "zebra" in mem("recall", "-", stdin="where is the zebra", **ELSEWHERE).out
    script = "import sys; from memcli import argv; print(argv.read_piped(sys.stdin, patient=False))"
    assert elsewhere(script, stdin=b"tea") == "b'tea'\n"
    assert elsewhere(script, stdin=b"") == "b''\n"


def test_an_open_and_silent_pipe_is_not_waited_for_without_select() -> None:
    script = (
        "import sys; from memcli import argv; argv.PATIENCE = 0.1; print(argv.read_piped(sys.stdin, patient=False))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **ELSEWHERE}
    )
    assert process.stdout and process.stdin
    assert process.stdout.read() == b"None\n"
    process.stdin.close()
    process.stdout.close()
    process.wait()


def test_a_model_behind_a_command_is_asked_and_ended_without_process_groups(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from memcli.llm import command
said, end = command.begin("cat", "what is tea", Path(sys.argv[1]), {}, "llm.command")
print(said(lambda piece: None))
command.begin("sleep 60", "x", Path(sys.argv[1]), {}, "llm.command")[1]()
"""
    assert elsewhere(script, str(tmp_path / "work")) == "what is tea\n"


# -- files -------------------------------------------------------------------------------------------------------------


def test_one_writer_at_a_time_without_fcntl_and_the_holder_is_named(folder: Path) -> None:
    script = """
import subprocess, sys
from pathlib import Path
from memcli.errors import Busy
from memcli.vault.lock import hold_lock
file = Path(sys.argv[1])
if len(sys.argv) > 2:
    try:
        with hold_lock(file, 0, "add"):
            print("free")
    except Busy as busy:
        print(busy.message)
else:
    with hold_lock(file, 0, "tidy"):
        print(subprocess.run([sys.executable, "-c", sys.stdin.read(), str(file), "x"], capture_output=True, text=True).stdout)
    with hold_lock(file, 0, "tidy"):
        print("and again")
"""
    said = elsewhere(script, str(folder / "lock"), stdin=script.encode())
    assert "the vault is being written by `mem tidy` (process" in said
    assert "and again" in said


@pytest.mark.parametrize("place", ["", "deep/er/"])
def test_no_link_is_followed_below_mem_without_o_nofollow(folder: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    (outside / place).mkdir(parents=True)
    (outside / place / "queue.json").write_text("theirs", encoding="utf-8")
    (folder / ".mem").mkdir()
    if place:
        (folder / ".mem/deep").symlink_to(outside / "deep")
    else:
        (folder / ".mem/queue.json").symlink_to(outside / "queue.json")
    script = """
import sys
from pathlib import Path
from memcli.errors import MemError
from memcli.vault import files
file = Path(sys.argv[1])
for act in (lambda: files.read_file(file), lambda: files.append(file, "ours"), lambda: files.create_exclusive(file, "ours")):
    try:
        print(act())
    except MemError as error:
        print("refused", error.message)
"""
    (folder / "nowhere.md").symlink_to(outside / "new.md")
    made = "import sys; from pathlib import Path; from memcli.vault import files; print(files.create_exclusive(Path(sys.argv[1])))"
    assert elsewhere(made, str(folder / "nowhere.md")) == "False\n"
    assert not (outside / "new.md").exists()
    said = elsewhere(script, str(folder / ".mem" / place / "queue.json"))
    assert said.count("refused") + said.count("False") == 3
    assert (outside / place / "queue.json").read_text(encoding="utf-8") == "theirs"


def in_use(path: object) -> PermissionError:
    error = PermissionError(13, "The process cannot access the file", str(path))
    error.winerror = 32  # type: ignore[attr-defined]
    return error


def test_a_file_that_somebody_reads_is_replaced_when_they_are_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(folder, {"a.md": "old"})
    replace, refused = os.replace, []

    def busy(old: str, new: str, **more: int) -> None:
        if len(refused) < 2:
            refused.append(new)
            raise in_use(new)
        replace(old, new, **more)

    monkeypatch.setattr(os, "replace", busy)
    files.write_file(folder / "a.md", "new")
    assert (folder / "a.md").read_text(encoding="utf-8") == "new"
    assert len(refused) == 2


def test_a_file_that_is_never_let_go_is_said_and_stays_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, {"a.md": "old"})

    def busy(old: str, new: str, **more: int) -> None:
        raise in_use(new)

    monkeypatch.setattr(os, "replace", busy)
    monkeypatch.setattr(system, "PATIENCE", 0.1)
    with pytest.raises(Exception, match=r"can't be written"):
        files.write_file(folder / "a.md", "new")
    assert (folder / "a.md").read_text(encoding="utf-8") == "old"
    assert [path.name for path in folder.iterdir()] == ["a.md"]


def test_a_folder_that_is_read_only_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def refuse() -> None:
        tries.append(1)
        raise PermissionError(13, "Permission denied")

    with pytest.raises(PermissionError):
        system.patiently(refuse)
    assert len(tries) == 1


def test_a_junction_counts_as_a_link(folder: Path) -> None:
    class Found:
        st_mode = folder.stat().st_mode
        st_reparse_tag = 0xA0000003

    assert system.is_link(Found())  # type: ignore[arg-type]
    assert not system.is_link(os.lstat(folder))


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["NUL", "con.md", "Com1.tar.gz", "aux ", "lpt¹.md", "a:b.md", "what?.md", "a|b", "end.", "end ", "tab\t.md"]
)
def test_names_that_windows_lacks_are_refused_there(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert filenames.windows_refuses(name)
    assert files.inside(folder, f"notes/{name}")
    monkeypatch.setattr(system, "WINDOWS", True)
    with pytest.raises(Refused, match="Windows"):
        files.inside(folder, f"notes/{name}")


@pytest.mark.parametrize(
    "name",
    ["null.md", "contact.md", "com10.md", "2026-11-21.md", "茶.md", ".gitignore", "a b.md", "console.md", "nul-1.md"],
)
def test_other_names_are_not(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(system, "WINDOWS", True)
    assert files.inside(folder, f"notes/{name}").name == name


def test_doctor_tells_of_names_that_another_system_can_not_hold(folder: Path) -> None:
    lay(
        folder,
        {
            "aux.md": "- a\n",
            "Tea.md": "- b\n",
            "tea.md": "- c\n",
            normalize("NFD", "café.md"): "- d\n",
            "café.md": "- e\n",
            "x.md": "- f\n",
        },
    )
    said = [check.detail for check in health.checks(opened(folder)) if check.name == "name"]
    assert len(said) == 3
    assert "aux.md: a device on Windows" in said
    assert "Tea.md and tea.md are one file on a Mac and on Windows" in said


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_a_name_with_accents_is_found_however_a_mac_has_written_it(folder: Path, stored: str, asked: str) -> None:
    lay(folder, {normalize(stored, "Cafés/Müller.md"): "- tea\n"})
    vault, name = opened(folder), normalize(asked, "Cafés/Müller.md")
    assert files.read_file(files.inside(folder, name)).text == "- tea\n"
    assert vault.find_entry(f"{name}:1").body == "tea"
    from memcli.vault.vault import Filter

    assert len(vault.files(Filter(path=name))) == len(vault.files(Filter(path=normalize(asked, "Cafés")))) == 1


def test_line_ends_of_windows_stay_as_they_are(mem: Mem, folder: Path) -> None:
    log = folder / "logs/2026-11-21.md"
    lay(folder, {"logs/2026-11-21.md": "# Saturday\r\n\r\n- tea at ten\r\n"})
    assert mem("add", "coffee at noon", **ELSEWHERE).code == 0
    assert mem("add", "-", stdin="one\r\ntwo\r\n").code == 0
    text = log.read_bytes()
    assert b"coffee at noon" in text
    assert text.count(b"\n") == text.count(b"\r\n")
    assert mem("recall", "coffee").out.count("\r") == 0


def test_what_is_printed_ends_lines_as_the_watcher_does() -> None:
    script = """
import io, sys
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="cp1252", newline="\\r\\n", write_through=True)
from memcli.cli.main import main
main(sys.argv[1:])
"""
    assert "\r" not in elsewhere(script, "--help")
    done = subprocess.run([sys.executable, "-c", script, "list", "茶"], capture_output=True)
    assert b"Unicode" not in done.stderr


# -- words and programs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r"C:\Windows\notepad.exe", [r"C:\Windows\notepad.exe"]),
        (r'"C:\Program Files\Code\code.cmd" --wait', [r"C:\Program Files\Code\code.cmd", "--wait"]),
        ("code -w", ["code", "-w"]),
    ],
)
def test_the_editor_of_windows_is_understood(monkeypatch: pytest.MonkeyPatch, line: str, words: list[str]) -> None:
    monkeypatch.setattr(system, "WINDOWS", True)
    assert system.command_words(line) == words


def test_elsewhere_a_backslash_still_escapes() -> None:
    assert system.command_words(r"vi\ m -f 'a b'") == ["vi m", "-f", "a b"]


def test_what_a_person_ends_a_process_with_is_what_the_system_has() -> None:
    here = {sign.name for sign in system.ending_signals()}
    assert {"SIGTERM", "SIGINT"} <= here
    assert "SIGHUP" not in elsewhere("from memcli import system; print(system.ending_signals())")


def test_memory_is_told_or_nothing_is() -> None:
    assert system.memory_in_use() > 2**20
    assert int(elsewhere("from memcli import system; print(system.memory_in_use())")) == 0
