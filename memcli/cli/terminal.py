"""Give every command its vault and its streams. Commands print only through this module."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import StringIO
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Annotated, Any, TextIO

from memcli import bounds, contributions, system
from memcli.argv import read_piped
from memcli.cli import looks
from memcli.cli.clean_stream import CleanStream
from memcli.cli.clock import clock_of
from memcli.cli.looks import RED, YELLOW
from memcli.cli.speech import Speech
from memcli.errors import UsageError
from memcli.message import filled
from memcli.text.clean import harmless, json_text
from memcli.vault import files
from memcli.vault.vault import Vault, locate, open_vault


class Terminal:
    """Prints the payload to stdout, and notices and failures to stderr. The caller passes the streams, because `mem
    watch` answers for other processes."""

    def __init__(
        self,
        environ: Mapping[str, str],
        here: Path,
        stdout: TextIO,
        stderr: TextIO,
        stdin: TextIO | None = None,
        read_stdin: Callable[[bool], bytes | None] | None = None,
        opener: Callable[..., Vault] = open_vault,
    ) -> None:
        self.environ = environ
        self.here = here
        self.stdout, self.stderr, self.stdin = CleanStream(stdout), CleanStream(stderr), stdin
        self.read_stdin = read_stdin or partial(read_piped, stdin)
        self.opener = opener
        self.vault_dir: str | None = None
        self.agent = ""  # the agent that the vault is opened for; "" means the user
        self.color = "auto"
        self.quiet = self.verbose = self.no_input = self.as_json = False
        self.pages = True
        self._vault: Vault | None = None
        self.speech = Speech(self.where, environ)
        self.notices: list[str] = []

    @classmethod
    def from_process(cls, read_stdin: Callable[[bool], bytes | None] | None = None) -> Terminal:
        try:
            here = Path.cwd()
        except FileNotFoundError:  # the working directory was removed
            here = Path.home()
        return cls(dict(os.environ), here, sys.stdout, sys.stderr, sys.stdin, read_stdin)

    def set_options(
        self,
        vault: Annotated[str, "DIR", "The vault; else MEM_VAULT, the nearest one upwards, your default."] = "",
        color: Annotated[str, "WHEN", "auto, always or never."] = "auto",
        quiet: Annotated[bool, "No notices on stderr."] = False,
        verbose: Annotated[bool, "Say how the answer came about."] = False,
        debug: Annotated[bool, "Show the traceback of a failure."] = False,
        no_input: Annotated[bool, "Never ask anything."] = False,
        no_pager: Annotated[bool, "Print long output at once."] = False,
    ) -> None:
        """Take the options that every command has. `main` looks for `debug` itself."""
        if color not in ("auto", "always", "never"):
            raise UsageError("--color {value}: one of auto, always, never", value=color)
        self.vault_dir, self.color, self.no_input = vault or None, color, no_input
        self.quiet, self.verbose, self.pages = quiet, verbose, not (no_pager or no_input)

    # -- the vault ---------------------------------------------------------------------------------------------------

    def where(self) -> Path:
        return locate(self.vault_dir, self.environ, self.here)

    def vault(self, forgiving: bool = False, **flags: Any) -> Vault:
        """Return the vault of this call, opened once, or anew for `flags`: settings from the command line. With
        `forgiving` a vault with a broken `mem.yaml` opens, too."""
        if self._vault is None or flags:
            given = {name.replace("__", "."): value for name, value in flags.items() if value is not None}
            actor = self.environ.get("MEM_ACTOR") or self.environ.get("USER") or self.environ.get("USERNAME") or "me"
            self._vault = self.opener(self.where(), clock_of(self.environ), self.environ, given, actor, forgiving)
            self._vault = self._vault.seen_by(self.agent)
        return self._vault

    def start_watching(self) -> None:
        """Start a watcher for the vault of this call, if its settings ask for that."""
        if self._vault and self._vault.settings.watch.auto:
            from memcli.watch import spawn  # loads `subprocess`

            spawn.start_if_wanted(self._vault)

    def switch_agent(self, agent: str | None) -> None:
        """Open the vault as this agent sees it from now on."""
        self.agent = agent or self.agent
        self._vault = self._vault and self._vault.seen_by(agent)

    # -- saying ------------------------------------------------------------------------------------------------------

    def translate(self, english: str, **values: Any) -> str:
        """Return a message, with values for its names, in the person's language."""
        return self.speech.translate(filled(english, values))

    def out(self, text: str = "", end: str = "\n") -> None:
        """Print payload without reading markup in it and without wrapping it."""
        self.stdout.write(text + end)

    def json(self, value: Any, indent: int | None = 2) -> None:
        """Print a value as JSON. An object also gets the notices; those beside a list go to stderr alone."""
        if isinstance(value, dict) and "notices" not in value:
            value = {**value, "notices": self._all_notices()}
        self.out(json_text(value, indent))

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.prose(line)

    def prose(self, text: str, end: str = "\n") -> None:
        """Print a text to read."""
        self.out(self.wrapped(text, self.stdout), end)

    def wrapped(self, text: str, stream: CleanStream) -> str:
        """Return a text with its lines broken between words, if the stream is a terminal."""
        if not stream.isatty():
            return text
        return "\n".join(piece for line in text.split("\n") for piece in looks.wrapped(line, self.width()))

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Show the output of the block in a pager, if a person is at the terminal."""
        if not (self.pages and self.stdin is not None and self.stdout.isatty()):
            yield
            return
        from memcli import pager  # loads `subprocess`, which few commands need

        raw, self.stdout.raw = self.stdout.raw, StringIO()
        try:
            yield
        finally:
            text, self.stdout.raw = self.stdout.raw.getvalue(), raw
            if not pager.show_paged(text, self.environ, raw):
                raw.write(text)

    def tell(self, text: str, **values: Any) -> None:
        """Print one line to stderr about what happened."""
        if not self.quiet:
            self.stderr.write(self.wrapped(self.translate(text, **values), self.stderr) + "\n")

    def fail(self, message: str, hint: str = "", code: int = 0) -> None:
        """Print a failure to stderr. With `--json`, a failure that ends the command with exit `code` is also printed to
        stdout as an object, unless a result was printed there already."""
        if self.as_json and code and not self.stdout.is_used:
            self.json({"schema": 1, "error": {"message": message, "hint": hint or None, "code": code}})
        self.stdout.flush()
        lines = [f"{self.paint('mem:', RED, self.stderr)} {self.translate(message)}"]
        lines += [f"     {self.translate(hint)}"] if hint else []
        self.stderr.write(self.wrapped("\n".join(lines), self.stderr) + "\n")

    def tell_notices(self) -> None:
        """Print the notices to stderr: what was skipped, degraded or corrected."""
        for notice in self._all_notices():
            if not self.quiet:
                mark = self.paint(self.translate("note") + self.speech.colon.rstrip(), YELLOW, self.stderr)
                text = f"{mark}{'' if self.speech.spoken() else ' '}{self.translate(notice)}"
                self.stderr.write(self.wrapped(text, self.stderr) + "\n")

    def _all_notices(self) -> list[str]:
        mine = [*self.notices, *(self._vault.notices if self._vault else ())]
        return list(dict.fromkeys([*mine, *contributions.left_out()]))

    def may_color(self, stream: Any = None) -> bool:
        """Return whether colour may be used: it was asked for, or the terminal can show it and nothing forbids it."""
        stream = stream or self.stdout
        if self.color != "auto":
            return self.color == "always"
        if self.environ.get("NO_COLOR") or self.environ.get("TERM") == "dumb":
            return False
        return bool(stream.isatty())

    def paint(self, text: str, style: str, stream: Any = None) -> str:
        return looks.painted(text, style) if text and style and self.may_color(stream) else text

    def marked(self, text: str, words: Collection[str]) -> str:
        """Return a text with these words highlighted, where colour may be used."""
        return looks.marked(text, words) if words and self.may_color() else text

    def width(self) -> int:
        """Return the columns of the terminal. A watcher gets those of its caller in COLUMNS."""
        columns = self.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns):
            return int(columns)
        from shutil import get_terminal_size  # brings compression along, and only a terminal has columns

        return get_terminal_size().columns or 80  # on Python 3.10 some terminals report 0 columns

    def table(
        self,
        rows: Sequence[Sequence[str]],
        styles: Sequence[str] = (),
        clip: bool = False,
        words: Sequence[str] = (),
        to_stderr: bool = False,
    ) -> None:
        """Print aligned columns. On a terminal the last one is broken between words, or cut at the edge with `clip`,
        but the first of `words` stays visible. `words` are highlighted."""
        rows = [[" ".join(harmless(cell).split("\n")) for cell in row] for row in rows]
        stream, say = (self.stderr, self.tell) if to_stderr else (self.stdout, self.prose)
        for before, last in looks.aligned(rows, self.width() if stream.isatty() else 0, clip, words):
            *first, style = islice(chain(styles, repeat("")), len(before) + 1)
            shown, *below = (self.marked(self.paint(line, style, stream), words) for line in last)
            say("  ".join([*(self.paint(*each, stream) for each in zip(before, first, strict=True)), shown]).rstrip())
            for line in below:
                say(line)

    # -- asking ------------------------------------------------------------------------------------------------------

    def interactive(self) -> bool:
        return not self.no_input and self.stdin is not None and self.stdin.isatty() and self.stderr.isatty()

    def ask(self, question: str, default: str = "", end: str = "") -> str:
        """Ask on stderr and return one line from the person, or the default if it is skipped."""
        text = self.translate(question) + end + (f" [{default}]" if default else "")
        self.stderr.write(self.wrapped(f"{text} ", self.stderr))
        self.stderr.flush()
        answer = self.stdin.readline() if self.stdin else ""
        if not answer:
            self.stderr.write("\n")
        return answer.strip() or default

    def key(self, question: str, keys: Sequence[str]) -> str:
        """Return which of `keys` is typed, or the last if the terminal is closed. Keys that were typed ahead count."""
        assert self.stdin is not None
        keyboard = self.stdin.fileno()
        if not (unbuffered := system.keystrokes(keyboard)):  # this terminal needs Enter after the key
            typed = self.ask(question, end=self.speech.asks).lower()
            return typed[0] if typed and typed[0] in keys else keys[-1]
        with unbuffered:
            self.stderr.write(self.wrapped(f"{self.translate(question)}{self.speech.asks} ", self.stderr))
            self.stderr.flush()
            while (stroke := os.read(keyboard, 1).decode("latin-1").lower()) not in (*keys, "", "\x04"):
                pass
            stroke = stroke if stroke in keys else keys[-1]
        self.stderr.write(f"{stroke}\n")
        return stroke

    def confirm(self, question: str, yes: bool) -> bool:
        """Return whether the person agrees. The flag answers yes; without a terminal the flag is required."""
        if yes:
            return True
        if not self.interactive():
            raise UsageError("{QUESTION} There is no terminal to ask on", "--yes answers yes", QUESTION=question)
        return self.ask(question, end=" [y/N]").lower() in ("y", "yes", "j", "ja", "是", "好")

    def words_and_pipe(self, words: Sequence[str] | None, adds_pipe: bool = True) -> str:
        """Return the words given, followed by what is piped in. `-` as the last of them waits for the pipe. Without
        `adds_pipe` only `-` reads it: a loop that writes line by line must not lose the next lines to the first."""
        waits = not words or words[-1] == "-"
        said = " ".join(words[:-1] if waits else words) if words else ""
        piped = self.stdin_text(patient=waits or not said) if waits or adds_pipe else ""
        return f"{said}\n{piped}".strip("\n") if piped.strip() else said

    def text_of(self, file: str) -> str:
        """Return the text of a file; `-` means what is piped in."""
        if file == "-":
            return self.stdin_text()
        path = self.here / Path(os.path.expanduser(file))
        if not (path.is_file() and self.vault().sees_file(path)):
            raise UsageError("{file} is not a file", "- reads what is piped in", file=file)
        return files.read_file(path, file).text

    def stdin_text(self, patient: bool = True) -> str:
        """Return what is piped in, or "" if stdin is a terminal or closed. With `patient` false, do not wait for ever
        on a pipe that a script or a service left open: the caller has words already."""
        data = self.read_stdin(patient)
        if data is None:
            self.notices.append("stdin is open but silent, so it was not read; - waits for it")
            return ""
        if len(data) > bounds.PIPED:
            raise UsageError(
                "more than {n} MB were piped in", "mem import and mem knowledge add take files", n=bounds.PIPED // 2**20
            )
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # PowerShell pipes UTF-16
            return data.decode("utf-16", "replace")
        if b"\0" in data[:8192]:
            raise UsageError("what was piped in is binary, not text")
        text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        if "\ufffd" in text and "\ufffd".encode() not in data:
            self.notices.append("what was piped in is not UTF-8; what could not be read became \ufffd")
        return text
