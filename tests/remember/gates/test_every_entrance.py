"""One gate at every entrance: the same secrets go in by every way there is, and no byte of them is left in the vault.

`--allow-sensitive` is the user's own word, so it is no entrance of this kind.
"""

from __future__ import annotations

import json
import random
import string
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

Mem = Callable[..., Ran]
Way = Callable[[Mem, Path, str], object]

_CHANCE = random.Random(12)


def _made(size: int, signs: str = string.ascii_letters + string.digits) -> str:
    return "".join(_CHANCE.choices(signs, k=size))


KEY = "ghp_" + _made(36)
HOOK = "https://discord.com/api/webhooks/120327699113597/" + _made(68)
WORD = "Quartz-Ibis-" + _made(4, string.digits)
NAMES = [KEY, "glpat-" + _made(20)]  # what can be a word by itself
TEXTS = {  # a text, and the secret in it
    f"the build uses {KEY} until May": KEY,
    f"the wifi password at the cabin is {WORD}": WORD,
    f"alerts of the staging cluster go to {HOOK}": HOOK,
    f"OA 的密码又改了，现在是{WORD}，三个月后还得再改": WORD,
    f"Passwort für das Steuerportal: {WORD}": WORD,
}
TABLE = f"| host | user | password |\n|---|---|---|\n| web01 | deploy | {WORD} |\n"
BLOCKS = {TABLE: WORD, f"## Wifi password\n\n{WORD}\n": WORD, **TEXTS}


def _document(suffix: str, made: Callable[[str], str] = str) -> Way:
    def add(mem: Mem, folder: Path, text: str) -> object:
        file = folder.parent / f"document{suffix}"
        file.write_text(made(text), encoding="utf-8")
        return mem("knowledge", "add", str(file))

    return add


def _session(mem: Mem, *words: str, stdin: str | None = None) -> None:
    mem("session", "start")
    mem("session", "say", *words, stdin=stdin)
    mem("session", "end")


def _row(text: str) -> str:
    return json.dumps({"id": "1", "title": "Doors", "text": text, "password": WORD}) + "\n"


LONG: dict[str, Way] = {
    "add": lambda mem, folder, text: mem("add", text),
    "add, stdin": lambda mem, folder, text: mem("add", "-", stdin=text),
    "add --to": lambda mem, folder, text: mem("add", text, "--to", "MEMORY.md#Doors"),
    "add, a field": lambda mem, folder, text: mem("add", f"a walk in the park [note:: {text}]"),
    "learn --yes": lambda mem, folder, text: mem("learn", "-", "--yes", stdin=f"User: Remember that {text}\n"),
    "learn --later": lambda mem, folder, text: mem("learn", "-", "--later", stdin=f"User: Remember that {text}\n"),
    "session say": lambda mem, folder, text: _session(mem, text),
    "session say, stdin": lambda mem, folder, text: _session(mem, "-", stdin=text),
    "session say --jsonl": lambda mem, folder, text: _session(
        mem, "--jsonl", stdin=json.dumps({"role": "tool", "content": text, "tools": [text]}) + "\n"
    ),
    "session start, a title": lambda mem, folder, text: mem("session", "start", text),
    "chat": lambda mem, folder, text: mem("chat", stdin=f"{text}\n", MEM_LLM_COMMAND="cat"),
    "prefer": lambda mem, folder, text: mem("prefer", "set", "note", text),
    "label": lambda mem, folder, text: mem("label", "set", "home", text),
    "label, an address": lambda mem, folder, text: mem("label", "set", "home", "the flat", "--address", text),
    "label, an alias": lambda mem, folder, text: mem("label", "set", "home", "the flat", "--alias", text),
    "state": lambda mem, folder, text: mem("state", "set", "avoid_topics", text),
    "profile": lambda mem, folder, text: mem("profile", "set", "interests", text),
    "cite": lambda mem, folder, text: mem("cite", stdin=f"{text} (MEMORY.md:1)"),
    "ask": lambda mem, folder, text: mem("ask", text),
    "recall": lambda mem, folder, text: mem("recall", text),
}
FILES: dict[str, Way] = {
    "knowledge, Markdown": _document(".md"),
    "knowledge, front matter": _document(".md", lambda text: f"---\npassword: {WORD}\n---\n# Doors\n\n{text}"),
    "knowledge, text": _document(".txt"),
    "knowledge, a web page": _document(
        ".html",
        lambda text: (
            "<html><body><article><h1>Doors</h1><p>A page about the doors of the office.</p><table>"
            f"<tr><th>host</th><th>user</th><th>password</th></tr><tr><td>web01</td><td>deploy</td><td>{WORD}</td></tr></table>"
            f"<dl><dt>Password</dt><dd>{WORD}</dd></dl><pre>{text}</pre></article></body></html>"
        ),
    ),
    "knowledge, a table": _document(".csv", lambda text: f"host,user,password\nweb01,deploy,{WORD}\n"),
    "knowledge, JSON lines": _document(".jsonl", _row),
    "knowledge, stdin": lambda mem, folder, text: mem("knowledge", "add", "-", "--title", "Doors", stdin=text),
}
WORDS: dict[str, Way] = {
    "add --tag": lambda mem, folder, word: mem("add", "a walk in the park", "--tag", word),
    "add --type": lambda mem, folder, word: mem("add", "a walk in the park", "--type", word),
    "add --to": lambda mem, folder, word: mem("add", "a walk in the park", "--to", f"notes/{word}.md"),
    "session say --tool": lambda mem, folder, word: _session(mem, "a walk in the park", "--tool", word),
    "session start --role": lambda mem, folder, word: mem("session", "start", "--role", word),
    "label, its name": lambda mem, folder, word: mem("label", "set", word, "the flat"),
    "prefer, its key": lambda mem, folder, word: mem("prefer", "set", word, "tea"),
    "prefer --scope": lambda mem, folder, word: mem("prefer", "set", "drink", "tea", "--scope", f"project:{word}"),
    "knowledge -t": lambda mem, folder, word: mem(
        "knowledge", "add", "-", "--title", "Doors", "-t", word, stdin="A page."
    ),
    "knowledge --meta": lambda mem, folder, word: mem(
        "knowledge", "add", "-", "--title", "Doors", "--meta", f"token={word}", stdin="A page."
    ),
}


def _edited(what: str) -> Way:
    def edit(mem: Mem, folder: Path, text: str) -> object:
        typed = folder.parent / "typed.md"
        typed.write_text(f"- {text}", encoding="utf-8")
        return mem("edit", what, EDITOR=f"cp {typed}")

    return edit


LONG |= {
    "edit, a memory": _edited("^known"),
    "edit, a file": _edited("MEMORY.md"),
    "edit, a new file": _edited("doors.md"),
}


def left(root: Path) -> bytes:
    """All that lies in the vault: every file, and every object that git keeps, in plain bytes."""
    files = b"\n".join(str(path).encode() + path.read_bytes() for path in root.rglob("*") if path.is_file())
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"], cwd=root, capture_output=True, check=True
    )
    return files + objects.stdout


@pytest.mark.parametrize("way", LONG)
def test_no_byte_of_a_secret_is_left_by(way: str, mem: Mem, repository: Path) -> None:
    (repository / "MEMORY.md").write_text("# Memory\n\n- Redis replaces the local cache ^known\n", encoding="utf-8")
    for text, secret in (TEXTS if way not in ("add, stdin", "session say, stdin") else BLOCKS).items():
        LONG[way](mem, repository, text)
        assert secret.encode() not in left(repository), f"{way}: {text}"


@pytest.mark.parametrize("way", FILES)
def test_no_byte_of_a_secret_is_left_of_a_document(way: str, mem: Mem, repository: Path) -> None:
    FILES[way](mem, repository, "\n\n".join(BLOCKS))
    kept = left(repository)
    assert not [secret for secret in BLOCKS.values() if secret.encode() in kept]
    assert b"deploy" in kept  # the rest of it is there


@pytest.mark.parametrize("way", WORDS)
def test_no_byte_of_a_secret_is_left_of_a_name(way: str, mem: Mem, repository: Path) -> None:
    for word in NAMES:
        WORDS[way](mem, repository, word)
        assert word.encode() not in left(repository), way
