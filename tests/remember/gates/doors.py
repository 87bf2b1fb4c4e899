"""The table of all doors by which a text comes to the disk: the ways in that a user or a program has, and the functions
that write. `test_every_entrance` sends one set of secrets through every way, and finds a function that is not here.

`--allow-sensitive` and `--keep-sensitive` are the user's own word, so they are not doors of this kind.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Ran

Mem = Callable[..., Ran]
Way = Callable[[Mem, Path, str], object]

_CHANCE = random.Random(12)


def _made(size: int, signs: str = string.ascii_letters + string.digits) -> str:
    return "".join(_CHANCE.choices(signs, k=size))


KEY = "ghp_" + _made(36)
HOOK = "https://discord.com/api/webhooks/120327699113597/" + _made(68)
WORD = "Quartz-Ibis-" + _made(4, string.digits)
CARD = "4539 1488 0343 6467"
NAMES = [KEY, "glpat-" + _made(20)]  # what can be a word by itself
TEXTS = {  # a text, and the secret in it
    f"the build uses {KEY} until May": KEY,
    f"the wifi password at the cabin is {WORD}": WORD,
    f"alerts of the staging cluster go to {HOOK}": HOOK,
    f"OA 的密码又改了，现在是{WORD}，三个月后还得再改": WORD,
    f"Passwort für das Steuerportal: {WORD}": WORD,
    f"the holiday was paid with {CARD} in May": CARD,
}
TABLE = f"| host | user | password |\n|---|---|---|\n| web01 | deploy | {WORD} |\n"
BLOCKS = {TABLE: WORD, f"## Wifi password\n\n{WORD}\n": WORD, **TEXTS}
SECRETS = {KEY, HOOK, WORD}  # a document keeps what only says who somebody is


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


def _later(mem: Mem, folder: Path, text: str) -> None:
    mem("ask", "--later", text)
    mem("ask", "--later", "--evidence", f"which is it: {text}")


def _answered(mem: Mem, folder: Path, text: str) -> None:
    mem("ask", "--later", text)
    mem("work", MEM_LLM_COMMAND="cat")
    mem("ask", "--read")


def _brought(name: str, made: Callable[[str], str], *words: str) -> Way:
    def bring(mem: Mem, folder: Path, text: str) -> object:
        file = folder.parent / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(made(text), encoding="utf-8")
        return mem("import", str(file if file.suffix != ".md" else file.parent), "--yes", *words)

    return bring


def _asked(mem: Mem, folder: Path, name: str, **arguments: object) -> Ran:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    return mem("mcp", stdin=json.dumps(call) + "\n")


def _hooked(mem: Mem, folder: Path, text: str) -> None:
    talk = folder.parent / "talk.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": f"Remember that {text}"}}
    talk.write_text(json.dumps(said) + "\n", encoding="utf-8")
    given = {"prompt": text, "cwd": str(folder), "session_id": "s", "transcript_path": str(talk)}
    for event in ("prompt", "end"):
        mem("hook", event, "--for", "claude", stdin=json.dumps(given))
    mem("work")


LONG |= {
    "ask --later": _later,
    "ask --later, answered": _answered,
    "prompt": lambda mem, folder, text: mem("prompt", text),
    "pattern add": lambda mem, folder, text: mem("pattern", "add", text, "--step", text),
    "pattern fail": lambda mem, folder, text: mem(
        "pattern", "fail", "share a login", "--sign", text, "--wrong", text, "--instead", text, "--severity", "3"
    ),
    "import, a table": _brought("told.json", lambda text: json.dumps([{"memory": text, "id": "1"}]), "--from", "mem0"),
    "import, notes": _brought("notes/Doors.md", lambda text: f"---\nnote: {text}\n---\n# Doors\n\n{text}\n"),
    "mcp, remember": lambda mem, folder, text: _asked(mem, folder, "remember", text=text),
    "mcp, recall": lambda mem, folder, text: _asked(mem, folder, "recall", question=text),
    "hooks": _hooked,
}


# -- what writes -------------------------------------------------------------------------------------------------------

# Every function that writes to the disk, by its file: through which ways a text comes there, or why nothing
# that somebody says does. `test_no_function_writes_that_the_table_does_not_know` finds one that is missing.
OWN = "only what lies in the vault already, or ids and numbers"
MACHINE = "a file of the program's own, without words of anybody"
WRITERS: dict[str, tuple[str, ...] | str] = {
    "cli/config.write_setting": "a setting, which is its owner's word; keys of services stand in the environment",
    "cli/edit._draft": "outside the vault: what an editor was closed with and the gate refused",
    "cli/model._choose": "the name of a model",
    "features/agents/spaces.archive_agent": OWN,
    "features/agents/spaces.rename_agent": "the name of an agent",
    "features/agents/spaces.share_memory": ("agent share --why",),
    "features/ask/later.queue_question": ("ask --later",),
    "features/ask/later.read_answer": ("ask --later, answered",),
    "features/ask/later.work": ("ask --later, answered",),
    "features/hook/handler.queue_transcript": ("hooks",),
    "features/install/cli._write_plugin": MACHINE,
    "features/knowledge/change.remove": OWN,
    "features/knowledge/sources.note_action": ("knowledge, Markdown",),
    "features/knowledge/text_copies.write_archived": ("knowledge, Markdown",),
    "features/knowledge/text_copies.write_page": ("knowledge, a web page", "knowledge, stdin"),
    "features/learn/backlog.queue_conversation": ("learn --later",),
    "features/learn/cli.learn": "the path of a transcript",
    "features/move/bring._bring": ("import, a table", "import, notes", "import, talks"),
    "features/move/bring._stage": ("import, notes", "import, a table"),
    "features/move/export.write_folder": "outside the vault, where somebody asks for it",
    "features/move/export.write_new_file": "outside the vault, where somebody asks for it",
    "features/move/talks._append_text": ("import, talks",),
    "features/move/talks.queue_waiting": ("import, talks",),
    "features/nudge/choose._note": OWN,
    "features/nudge/outcomes._note": OWN,
    "features/nudge/propose._keep": OWN,
    "features/nudge/propose.unsaid_nudges": OWN,
    "features/page/past._lay": OWN,
    "features/serve/access._changing": MACHINE,
    "features/talk/ending._keep": ("session say",),
    "features/talk/model_rewrite._snapshot": ("session say",),
    "features/talk/prompt/knowledge._keep": ("knowledge, stdin",),
    "features/talk/saying.ask_model_later": ("session say",),
    "features/ways/writing._written": ("pattern add", "pattern fail"),
    "features/ways/writing.forget_pattern": OWN,
    "features/ways/writing.hear_pattern": ("learn --yes",),
    "features/ways/writing.record_try": ("pattern tried",),
    "index/download.fetch": MACHINE,
    "remember/adding._mark_seen": OWN,
    "remember/adding._write": ("add", "add --to", "learn --yes", "mcp, remember"),
    "remember/change.edit": ("edit, a memory",),
    "remember/change.finish": OWN,
    "remember/change.forget": OWN,
    "remember/change.supersede": OWN,
    "remember/citing.cite": ("cite",),
    "remember/conflicts/change_queue.queue_change": ("learn --yes", "prefer"),
    "remember/keyed_values._rewritten": ("prefer", "label", "label, an address"),
    "remember/keyed_values.profile": ("profile",),
    "remember/keyed_values.reset": OWN,
    "remember/keyed_values.state": ("state",),
    "remember/retention.tidy": OWN,
    "remember/review.settle": OWN,
    "session/fold.blank_messages": ("session say",),
    "vault/changes._store": OWN,
    "vault/git/conflicts._merge_sides": MACHINE,
    "vault/health._writable": MACHINE,
    "vault/history.undo": OWN,
    "vault/joined_text._join": OWN,
    "vault/journal.count": MACHINE,
    "vault/json_read.change_notes": MACHINE,
    "vault/labels.count_uses": OWN,
    "vault/transcript_marks.write_mark": MACHINE,
    "vault/write._remember": ("add",),
}


def _shared(mem: Mem, folder: Path, text: str) -> None:
    mem("add", "the roof of the shed is tight", "--agent", "researcher")
    entry = next((folder / "agents").rglob("logs/*.md"))
    line = len(entry.read_text(encoding="utf-8").rstrip().split("\n"))
    mem("agent", "share", f"{entry.relative_to(folder)}:{line}", "--why", text, "--agent", "researcher")


def _talk(text: str) -> str:
    said = [{"uuid": "m1", "sender": "human", "text": f"Remember that {text}", "created_at": "2026-11-20T10:00:00Z"}]
    return json.dumps([{"uuid": "c1", "name": text, "created_at": "2026-11-20T10:00:00Z", "chat_messages": said}])


def _tried(mem: Mem, folder: Path, text: str) -> None:
    mem("pattern", "add", "speed up an API", "--step", "measure")
    mem("pattern", "tried", "speed up an API", "bad", "--note", text)


LONG |= {
    "agent share --why": _shared,
    "import, talks": _brought("talks.json", _talk, "--from", "claude"),
    "import, talks --keep": _brought("talks.json", _talk, "--from", "claude", "--keep"),
    "pattern tried": _tried,
}
