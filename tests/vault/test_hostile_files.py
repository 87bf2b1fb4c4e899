"""Whatever lies where mem expects a file: nothing hangs, nothing outside is touched, and what can't be read is named."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memcli.cli import commands
from memcli.errors import MemError
from memcli.vault import cache_files, files, layout, opener
from tests.conftest import Ran, inside, opened

Mem = Callable[..., Ran]
mem = inside  # in this process: what is tested here is what the commands do
COMMANDS = [
    ("recall", "tea"),
    ("prompt", "tea"),
    ("add", "green tea is in the left cupboard"),
    ("list",),
    ("show", "MEMORY.md"),
    ("undo", "--yes"),
    ("doctor",),
    ("status",),
    ("learn", "talk.txt"),
    ("session", "start"),
    ("session", "list"),
    ("session", "say", "hello there"),
    ("review",),
    ("tidy", "--dry-run"),
    ("knowledge", "list"),
    ("config", "list"),
    ("label", "list"),
    ("prefer", "list"),
    ("prefer", "set", "drink", "tea"),
    ("log",),
    ("work",),
    ("index",),
    ("watch", "--status"),
    ("watch", "--stop"),
]
COMMANDS = [words for words in COMMANDS if words[0] in commands.COMMANDS]  # a feature may be missing
# Every place where mem expects a file.
PLACES = [
    ".mem", ".mem/.gitignore", ".mem/lock", ".mem/undo.jsonl", ".mem/sessions", ".mem/index.lock", ".mem/git.lock",
    ".mem/watch.lock", ".mem/knowledge", ".mem/lance", ".mem/index.db", ".gitignore", "journal", "journal/use.jsonl",
    "journal/audit.jsonl", "journal/nudges.jsonl", "journal/review.jsonl", "journal/knowledge.jsonl", "journal/queue",
    "journal/queue/lock", "journal/queue/done", "journal/local", "journal/local/labels.jsonl", "sessions",
    "sessions/.gitignore", "logs", "logs/2026-11-21.md", "MEMORY.md", "USER.md", "mem.yaml", "tags.yaml",
    "labels.yaml", "preferences.yaml", "state.yaml", "patterns.yaml", "roles", "roles/default.yaml", "snapshots", "knowledge",
]  # fmt: skip
FEW = 3  # of the traps are laid in each place, others in the next one
TRAPS = ["pipe", "socket", "nowhere", "outside", "circle", "folder", "file"]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What must not be touched: a folder beside the vault, with a file in it."""
    place = tmp_path / "outside"
    place.mkdir()
    (place / "precious").write_text("precious\n", encoding="utf-8")
    return place


def lay(trap: str, path: Path, outside: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if trap == "pipe":
        os.mkfifo(path)
    elif trap == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            here = os.getcwd()
            os.chdir(path.parent)  # the name of a socket may not be long
            made.bind(path.name)
            os.chdir(here)
    elif trap == "nowhere":
        path.symlink_to(outside / "new")
    elif trap == "outside":
        path.symlink_to(outside if path.suffix == "" and not path.name.startswith(".g") else outside / "precious")
    elif trap == "circle":
        path.symlink_to(path.name)
    elif trap == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\0\xff not what was expected")


def seen(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize(
    ("place", "trap"),
    [(place, TRAPS[(at * FEW + step) % len(TRAPS)]) for at, place in enumerate(PLACES) for step in range(FEW)],
)
def test_nothing_hangs_falls_over_or_reaches_outside(
    mem: Mem, folder: Path, outside: Path, place: str, trap: str
) -> None:
    if not place.startswith(("MEMORY", "logs")):
        (folder / "MEMORY.md").write_text("- Tea is in the right cupboard.\n", encoding="utf-8")
    (folder / "talk.txt").write_text("I like tea.\n", encoding="utf-8")
    lay(trap, folder / place, outside)
    before = seen(outside)
    number = sum(map(ord, place + trap))
    for words in [("recall", "tea"), ("add", "oolong is best at ninety degrees"), COMMANDS[number % len(COMMANDS)]]:
        done = mem(*words)
        assert done.code in (0, 1, 2, 3, 4, 5), (words, done)
        assert "Traceback" not in done.err and "unexpected" not in done.err, (words, done.err)
    assert seen(outside) == before


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_vault_full_of_pipes_and_dangling_links_stops_no_command(
    mem: Mem, folder: Path, outside: Path, words: tuple[str, ...]
) -> None:
    (folder / "notes.md").write_text("- Tea is in the right cupboard.\n", encoding="utf-8")
    (folder / "talk.txt").write_text("I like tea.\n", encoding="utf-8")
    leaves = [place for place in PLACES if not any(other.startswith(f"{place}/") for other in PLACES)]
    for number, place in enumerate(leaves):
        lay(("pipe", "nowhere")[number % 2], folder / place, outside)
    before = seen(outside)
    done = mem(*words)
    assert "Traceback" not in done.err and "unexpected" not in done.err
    assert seen(outside) == before


def test_recall_names_a_folder_that_cant_be_entered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # root enters every folder, so the refusal is played
    (folder / "logs").mkdir()
    (folder / "notes.md").write_text("- tea\n", encoding="utf-8")
    real = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("logs"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    vault = opened(folder)
    assert vault.files() == vault.files() == ["notes.md"]
    assert vault.notices == ["logs/: can't be read: Permission denied; what lies in it is left out"]


def test_what_is_no_regular_file_or_too_large_is_left_out_by_name(mem: Mem, folder: Path) -> None:
    (folder / "good.md").write_text("- The tea is in the right cupboard.\n", encoding="utf-8")
    os.mkfifo(folder / "pipe.md")
    (folder / "lines.md").write_text("tea\n" * 600_000, encoding="utf-8")
    with open(folder / "sparse.md", "wb") as file:
        file.truncate(10 * 2**30)
    for words in (("recall", "where is the tea"), ("list",)):
        done = mem(*words)
        assert "right cupboard" in done.out
        for line in ("pipe.md: not a regular file", "lines.md: 3 MB is too large", "sparse.md: 10240 MB is too large"):
            assert done.err.count(line) == 1


def test_a_note_with_an_endless_line_keeps_its_other_memories(mem: Mem, folder: Path) -> None:
    (folder / "notes.md").write_text("- tea " + "tea " * 20_000 + "\n- The tea is green.\n", encoding="utf-8")
    done = mem("recall", "tea")
    assert "The tea is green." in done.out and len(done.out) < 2000
    assert "notes.md:1: a line of more than 64 KB" in done.err


@pytest.mark.parametrize("step", [0, 1, 2])
def test_below_mem_no_link_is_followed_at_any_level(folder: Path, outside: Path, step: int) -> None:
    steps = [".mem", "a", "b"]
    above = folder.joinpath(*steps[:step])
    above.mkdir(parents=True, exist_ok=True)
    (above / steps[step]).symlink_to(outside)
    target = folder.joinpath(*steps, "precious")
    before = seen(outside)
    for act in (
        lambda: files.read_file(target),
        lambda: files.write_file(target, "x"),
        lambda: files.append(target, "x"),
        lambda: files.create_exclusive(target, "x"),
        lambda: files.replace(target, "x", files.FileContent("", None)),
        lambda: files.remove(target),
        lambda: files.tail(target, 100),
        lambda: opener.descriptor(target, os.O_RDWR | os.O_CREAT),
    ):
        with pytest.raises((MemError, OSError)):
            act()
    assert seen(outside) == before


def test_a_new_file_is_never_made_through_a_link_that_leads_nowhere(folder: Path, outside: Path) -> None:
    (folder / "new").symlink_to(outside / "new")
    assert not files.create_exclusive(folder / "new", "x")
    files.write_file(folder / "new", "x")
    assert not (outside / "new").exists() and (folder / "new").read_text(encoding="utf-8") == "x"


def test_what_a_library_opens_by_itself_is_cleared_of_traps(folder: Path, outside: Path) -> None:
    deep = folder / ".mem" / "lance" / "x.lance" / "data"
    deep.mkdir(parents=True)
    (deep / "kept").write_bytes(b"x")
    (deep / "link").symlink_to(outside)
    os.mkfifo(deep / "pipe")
    cache_files.cleared(folder / ".mem" / "lance")
    assert sorted(os.listdir(deep)) == ["kept"]
    assert seen(outside)


def test_a_full_disk_leaves_no_half_of_a_file(folder: Path) -> None:
    script = (
        "import resource, sys; from pathlib import Path; from memcli.errors import VaultError; from memcli.vault import files\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)); folder = Path(sys.argv[1])\n"
        "for act in (lambda: files.make_cache(folder / 'sessions'), lambda: files.create_exclusive(folder / 'x', 'xx')):\n"
        "    try: act()\n"
        "    except VaultError as error: print(error.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, timeout=300)
    assert done.stderr == "" and done.stdout.count("can't be written") == 2
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_a_mark_that_a_full_disk_left_empty_is_written_again(folder: Path) -> None:
    (folder / "sessions").mkdir()
    (folder / "sessions" / ".gitignore").touch()
    files.make_cache(folder / "sessions")
    assert (folder / "sessions" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def _as_anybody() -> None:
    """Root, too, must obey permissions: without these two capabilities it does."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


OBEYING = """
import json, sys
from pathlib import Path
from tests.inside import run
json.dump([run(tuple(words), Path.cwd(), b"", {}) for words in json.loads(sys.argv[1])], sys.stdout)
"""


def obeying(folder: Path, *commands: tuple[str, ...]) -> list[Ran]:
    """Each of the commands by somebody whom permissions stop, all in one process."""
    done = subprocess.run(
        [sys.executable, "-c", OBEYING, json.dumps(commands)], cwd=folder, timeout=300, capture_output=True, text=True,
        env={**os.environ, "MEM_VAULT": str(folder), "PYTHONPATH": str(Path(__file__).parents[2])},
        preexec_fn=_as_anybody, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [Ran(*each) for each in json.loads(done.stdout)]


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A vault that can be read, and nothing more."""
    if sys.platform != "linux":
        pytest.skip("only Linux takes its powers from root")
    (folder / "logs").mkdir()
    (folder / "MEMORY.md").write_text("- The tea is in the right cupboard.\n", encoding="utf-8")
    (folder / "talk.txt").write_text("I like tea.\n", encoding="utf-8")
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    (folder / "logs").chmod(0o755)


def test_in_a_vault_that_is_read_only_every_command_says_so_plainly(closed: Path) -> None:
    for words, done in zip(COMMANDS, obeying(closed, *COMMANDS), strict=True):
        assert "Traceback" not in done.err and "unexpected" not in done.err, (words, done)
        if words[0] in ("recall", "list", "show"):
            assert (done.code, done.err) == (0, "") and "right cupboard" in done.out, (words, done)
        if (words[0] in ("add", "prefer") and len(words) > 2) or words == ("session", "start"):
            assert done.code == 3 and "can't be written: Permission denied" in done.err, (words, done)


def test_recall_in_a_vault_with_a_closed_folder_says_so(closed: Path) -> None:
    (closed / "logs").chmod(0)
    (done,) = obeying(closed, ("recall", "coffee"))
    assert "logs/: can't be read: Permission denied; what lies in it is left out" in done.err


def test_a_journal_without_end_is_read_from_its_end(folder: Path) -> None:
    from memcli.vault import journal

    (folder / "journal").mkdir()
    (folder / "journal" / "use.jsonl").write_text('{"at":"2026-11-01T10:00","id":"old"}\n' * 200_000, encoding="utf-8")
    journal.append(folder, journal.USE, {"at": "2026-11-20T10:00:00", "id": "new"})
    told: list[str] = []
    assert "new" in journal.last_used(folder, told.append)
    assert told == ["journal/use.jsonl is too long: only its last 4 MB and 104,857 lines are read"]


def test_a_walk_that_is_asked_nothing_tells_nothing(folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    assert list(layout.walk(folder)) == []


def test_a_circle_of_links_that_is_named_is_told(mem: Mem, folder: Path, tmp_path: Path) -> None:
    lay("circle", tmp_path / "loop.md", tmp_path)
    ran = mem("--vault", "loop.md", "list", cwd=tmp_path)
    assert ran.code not in (0, 70) and "loop.md does not exist" in ran.err
