"""A vault in which every string tries to act on the terminal: no command passes a single control character on."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.cli.command import DEFINED
from memcli.cli.commands import COMMANDS as TABLE
from memcli.cli.typer_app import load
from memcli.text.clean import harmless, json_text
from tests.cli.terminal import at_terminal
from tests.conftest import Ran, git
from tests.features import import_feature
from tests.package import nodes_of

Mem = Callable[..., Ran]

# A colour, a cleared screen, a title, a link, the clipboard, C1 forms of the same, a bell, an overwritten line, reordering.
EVIL = (
    "evil\x1b[31m\x1b[2J\x1b]0;t\x07\x1b]8;;http://x.example\x1b\\\x1b]52;c;cm0=\x07\x9b2J\x9d0;t\x9c\x07\x08a\rb"
    "\u202edesrever\u2066\u2069\u202c\u200b\x7f\x85\x1bP+q\x1b\\\x1b[?1049h"
)
NAME = EVIL.replace("/", "").replace("\n", "")  # what a file may be called
OURS = re.compile(r"\x1b\[(?:0|1|2|31|32|33|36)m")
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(repository: Path) -> Path:
    """Keys, values, names, headings, tags, titles, ids, messages of commits: all of them evil."""
    evil = json.dumps(EVIL)  # which YAML reads, too

    def write(path: str, text: str) -> None:
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_bytes(text.encode())

    write(
        "MEMORY.md",
        f"# {EVIL}\n\n- tea {EVIL} #a{EVIL} [type:: {EVIL}] [k{EVIL}:: {EVIL}] ^{EVIL}\n- [ ] task {EVIL}\n",
    )
    write(f"notes/{NAME}.md", f"---\ntags: [{evil}]\n{evil}: {evil}\n---\n## {EVIL}\n\n- tea of {EVIL}\n")
    write("notes/latin.md", f"- tea {EVIL}\n")
    write("logs/2026-11-20.md", f"- 09:00 tea {EVIL}\n- 10:00 tea {EVIL} again\n")
    write("USER.md", f"---\n{evil}: {evil}\nname: {evil}\n---\n{EVIL}\n")
    preference = (
        f"key: {evil}\n  value: {evil}\n  category: {evil}\n  scope: {evil}\n  source: {{}}\n  created: {evil}\n"
    )
    write(
        "preferences.yaml",
        f"- {preference.format('explicit')}- {preference.format(evil)}- key: seat\n  value: {evil}\n",
    )
    write("labels.yaml", f"- name: {evil}\n  aliases: [{evil}, tea]\n  address: {evil}\n  {evil}: {evil}\n")
    write("state.yaml", f"language: {evil}\ntopics_of_interest: [{evil}]\n{evil}: {evil}\n")
    write("tags.yaml", f"{evil}: [{evil}]\n")
    write("roles/default.yaml", f"version: 1\nidentity: {evil}\ntone: {evil}\nboundaries: [{evil}]\n")
    write(f"roles/{NAME}.yaml", f"version: {evil}\nidentity: {evil}\ntone: {evil}\nboundaries: {evil}\n{evil}: 1\n")
    write(
        "snapshots/2026-11-18-2140-a1f3.md",
        f"---\nsession: {evil}\ntags: [{evil}]\nends: {evil}\n---\n# {EVIL}\n\n{EVIL}\n",
    )
    write(f"snapshots/{NAME}.md", f"---\n{evil}: {evil}\n---\n{EVIL}\n")
    said = {"role": "user", "content": EVIL, "at": EVIL, "tools": [EVIL]}
    lines = [
        {"event": "begin", "title": EVIL, "role": EVIL, "agent": EVIL},
        said,
        {"event": "anchor", "key": EVIL, "value": EVIL},
    ]
    lines += [{"event": EVIL}, {**said, "role": EVIL}, {"event": "summary", "span": [1, 1], "summary": EVIL}]
    for name in ("20261121-1435-c7f2", NAME):
        write(f"sessions/{name}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    write(
        "journal/audit.jsonl",
        json.dumps({"at": EVIL, "action": EVIL, "actor": EVIL, "paths": [EVIL], "what": EVIL}) + "\n",
    )
    write("journal/queue.jsonl", json.dumps({"id": EVIL, "kind": EVIL, "error": EVIL}) + "\n")
    write("journal/knowledge.jsonl", json.dumps({"action": EVIL, "source": EVIL, "title": EVIL}) + "\n")
    write("eval.yaml", f"- ask: {evil}\n  expect: [{evil}]\n  in: [{evil}]\n")
    write("knowledge/k.md", f"---\ntitle: {evil}\ntags: [{evil}]\nauthor: {evil}\n---\n# {EVIL}\n\ntea {EVIL}\n")
    write(f"knowledge/{NAME}.md", f"# {EVIL}\n\ntea {EVIL}\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", EVIL)
    write("notes/latin.md", f"- tea {EVIL} changed\n")
    write(
        "mem.yaml", f"{evil}: {evil}\nllm:\n  command: {evil}\n  {evil}: {evil}\nsources:\n  {evil}: {{kind: {evil}}}\n"
    )
    return repository


# Each with what it must have met of the vault, so that nothing passes by showing nothing.
COMMANDS = [
    ("recall", "tea"), ("recall", "tea", "--explain"), ("recall", EVIL), ("prompt", "tea"), ("prompt", "tea", "--explain"),
    ("ask", "tea", "--evidence"), ("ask", "tea", "--evidence", "--explain"),
    ("list",), ("list", "--tag", EVIL), ("show", "MEMORY.md"), ("show", f"notes/{NAME}.md"), ("show", f"notes/{NAME}.md:6"),
    ("show", EVIL), ("log",), ("log", EVIL), ("diff",), ("diff", EVIL),
    ("profile", "list"), ("profile", "get", EVIL), ("prefer", "list"), ("prefer", "get", EVIL), ("prefer", "why", EVIL),
    ("prefer", "get", "seat"), ("prefer", "history", EVIL), ("label", "list"), ("label", "get", EVIL), ("label", "find", "tea"),
    ("state", "list"), ("state", "get", EVIL), ("role", "list"), ("role", "show"), ("role", "show", EVIL),
    ("session", "list"), ("session", "show", "c7f2"), ("session", "show", EVIL), ("session", "end", "c7f2"),
    ("status",), ("doctor",), ("audit",), ("audit", "--json"), ("review",), ("tidy", "--dry-run"), ("work", "--list"), ("work",),
    ("eval",), ("index", "--check"), ("model", "list"), ("llm",), ("config", "list"), ("config", "list", "--origin"),
    ("config", "get", EVIL), ("config", "set", EVIL, EVIL), ("trust",), ("trust", "--show"),
    ("knowledge", "list"), ("knowledge", "add", EVIL), ("knowledge", "show", EVIL), ("knowledge", "status"),
    ("cite", EVIL), ("forget", EVIL, "--yes"), ("edit", EVIL), ("add", EVIL), ("add", "tea", "--to", EVIL),
    ("learn", "--text", EVIL), ("undo",), (EVIL,),
    ("agent", "list"), ("agent", "show", EVIL), ("agent", "rename", EVIL, EVIL), ("agent", "share", EVIL),
    ("agent", "archive", EVIL), ("done",), ("done", "task"), ("done", EVIL), ("supersede", EVIL, EVIL),
    ("open", EVIL), ("help", EVIL), ("hook", EVIL), ("export", EVIL, "--to", EVIL), ("import", EVIL),
    ("features", "list"), ("features", "off", EVIL), ("features", "on", EVIL), ("nudge", "list"),
    ("nudge", "accept", EVIL), ("nudge", "decline", EVIL), ("nudge", "pass", EVIL), ("reflect",), ("stats",),
    ("pattern", "list"), ("pattern", "show", EVIL), ("pattern", "offer", "tea"), ("pattern", "tried", EVIL),
    ("pattern", "add", EVIL), ("pattern", "fail", EVIL, EVIL), ("pattern", "forget", EVIL), ("role", "check", EVIL),
    ("role", "use", EVIL), ("mirror", EVIL), ("profile", "history", EVIL), ("profile", "why", EVIL),
    ("profile", "set", EVIL, EVIL), ("profile", "unset", EVIL), ("label", "history", EVIL), ("label", "why", EVIL),
    ("label", "set", EVIL, EVIL), ("label", "unset", EVIL), ("state", "history", "language"),
    ("state", "why", "language"), ("state", "set", EVIL, EVIL), ("state", "unset", EVIL), ("state", "reset"),
    ("prefer", "set", EVIL, EVIL), ("prefer", "accept", EVIL), ("prefer", "keep", EVIL), ("prefer", "unset", EVIL),
    ("prefer", "correct", EVIL, EVIL), ("session", "resume", EVIL), ("session", "say", EVIL),
    ("session", "start", EVIL), ("knowledge", "archive", EVIL), ("knowledge", "remove", EVIL),
    ("knowledge", "restore", EVIL), ("knowledge", "stats"), ("token", "add", EVIL), ("token", "list"),
    ("token", "limit", EVIL, EVIL), ("token", "withdraw", EVIL), ("model", "add", EVIL), ("model", "use", EVIL),
    ("model", "test", EVIL), ("config", "path"), ("config", "unset", EVIL), ("sync",), ("list", f"--{EVIL}"), ("--debug", "show", EVIL), ("watch", "--status"),
]  # fmt: skip

# Those that stay, or that write outside the vault; what they print is asked in their own tests.
STAY = {"chat", "mcp", "serve", "ui", "init", "install", "uninstall"}


def test_every_command_is_asked() -> None:
    for name in TABLE:
        load(name)
    asked = {" ".join(words[:number]) for words in COMMANDS for number in (1, 2)}
    assert set(DEFINED) <= asked | STAY, (
        f"COMMANDS: words for {sorted(set(DEFINED) - asked - STAY)}, or name it in STAY"
    )


@pytest.mark.parametrize("way", [(), ("--json",), ("--color", "always")], ids=["plain", "json", "colour"])
def test_no_string_of_a_vault_or_of_an_argument_reaches_the_terminal_raw(
    inside: Mem, hostile: Path, way: tuple[str, ...]
) -> None:
    settings = (hostile / "mem.yaml").read_bytes()
    showed = 0
    for broken in (False, True):  # with a mem.yaml that can be read, and with one that can't
        (hostile / "mem.yaml").write_bytes(settings if broken else b"")
        for words in COMMANDS:
            ran = inside(*words, *way, MEM_AGENT=EVIL, MEM_ACTOR=EVIL)
            for stream in (ran.out, ran.err):
                left = OURS.sub("", stream) if "always" in way else stream
                assert not FORBIDDEN.search(left), (words, ascii(stream))
            assert "unexpected" not in ran.err, (words, ran.err)
            showed += "evil" in ran.out + ran.err
    assert showed > len(COMMANDS)  # nothing passes by showing nothing


@pytest.mark.parametrize(
    "words", [("prefer", "list"), ("review",), ("status",), ("session", "show", "c7f2"), ("show", EVIL)]
)
def test_on_a_terminal_only_our_own_colours_are_seen(hostile: Path, words: tuple[str, ...]) -> None:
    if words[0] == "session":
        import_feature("memcli.features.talk")
    (hostile / "mem.yaml").unlink()
    ran = at_terminal(*words, answers=("q",), cwd=hostile, MEM_VAULT=str(hostile))
    assert "evil" in ran.out and not FORBIDDEN.search(OURS.sub("", ran.out)), ascii(ran.out)


def test_what_a_shell_completes_has_no_control_characters(mem: Mem, hostile: Path) -> None:
    (hostile / "mem.yaml").unlink()
    for words in ("mem show ", "mem session show "):
        asked = {"_MEM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()))}
        ran = mem(**asked)
        assert ran.out.strip() and not FORBIDDEN.search(ran.out + ran.err)


def test_a_colour_in_a_text_is_not_taken_for_one_of_ours(mem: Mem, folder: Path) -> None:
    (folder / "a.md").write_text("- tea \x1b[36mcyan\x1b[0m\n", encoding="utf-8")
    assert "\x1b[36m" not in mem("show", "a.md", "--color", "always").out


def test_json_keeps_what_it_can_not_show(mem: Mem, folder: Path) -> None:
    (folder / "preferences.yaml").write_text(f"- key: {json.dumps(EVIL)}\n  value: tea\n", encoding="utf-8")
    assert json.loads(mem("prefer", "list", "--json").out)["preferences"][0]["key"] == EVIL
    odd = EVIL + "\u2028\udc80\U000e0041茶"
    text = json_text({odd: odd})
    assert json.loads(text) == {odd: odd} and harmless(text) == text and "茶" in text


def test_commands_write_through_the_terminal_alone() -> None:
    """`Terminal` is the one printer. Beside it only the start of the process, and the client that hands on what a watcher's
    `Terminal` has printed, know the streams."""
    import memcli.cli

    house = Path(memcli.cli.__file__).parent
    for path in house.glob("*.py"):
        names = {ast.unparse(node) for node in nodes_of(path) if isinstance(node, ast.Attribute | ast.Call)}
        calls = {name.partition("(")[0] for name in names if "(" in name}
        assert not calls & {"print", "typer.echo", "typer.secho", "click.echo"}, path.name
        assert path.name in ("terminal.py", "clean_stream.py") or not {
            name for name in calls if name.endswith(("stdout.write", "raw.write"))
        }
        if path.name not in ("terminal.py", "clean_stream.py", "main.py", "lane.py", "reader.py"):
            assert not names & {"sys.stdout", "sys.stderr"}, path.name
