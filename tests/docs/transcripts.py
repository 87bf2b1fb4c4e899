"""The `console` blocks of README and docs: found, run in a shell on a copy of `sample_vault`, compared with what is shown.

Lines that begin with `$ ` are commands, what follows is their output; `…` in it stands for anything. The commands of a
page run in one shell, one after the other, in a home folder of their own. A block under `<!-- not run -->` is left alone.

Where a feature was deleted, what needs it is left out: its commands and settings, and blocks under `<!-- needs ask, talk -->`
if it is one of those.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tests.docs import reference
from tests.docs.reference import ROOT
from tests.features import FEATURES, MISSING

PAGES = (
    "README.md",
    "README.zh-CN.md",
    *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
    *sorted(f"tests/cli/{page.name}" for page in (ROOT / "tests" / "cli").glob("*.md")),  # what nobody need read
)
NOW = "2026-11-21T12:00"
SKIP = "<!-- not run -->"
NEEDS = re.compile(r"<!-- needs (\w+(?:, \w+)*) -->")
_END = "\x1e"


@dataclass(frozen=True)
class Command:
    """One command of a page, with what the page says it prints."""

    words: str
    line: int  # of the `$ `, counted from 1
    shown: tuple[str, ...]
    needs: frozenset[str] = frozenset()  # features


@dataclass(frozen=True)
class Ran:
    command: Command
    code: int
    out: tuple[str, ...]

    @property
    def as_shown(self) -> bool:
        """A command that shows no output only has to succeed."""
        if not self.command.shown:
            return self.code == 0
        return matches("\n".join(self.command.shown), "\n".join(self.out))


def commands(page: str) -> list[Command]:
    """The commands of a page that are to be run."""
    found: list[Command] = []
    inside, above, needs = False, "", frozenset[str]()
    for number, line in enumerate(page.split("\n"), 1):
        if line == "```console":
            inside = above != SKIP
            needs = _needed(above)
        elif line == "```":
            inside = False
        elif inside and line.startswith("$ "):
            found.append(Command(line[2:], number, (), needs))
        elif inside and found:
            last = found[-1]
            found[-1] = replace(last, shown=(*last.shown, line))
        above = line.strip() or above
    return [replace(each, shown=_trimmed(each.shown)) for each in found]


def _needed(above: str) -> frozenset[str]:
    """The features that the line above a block names."""
    needs = frozenset(named[1].split(", ") if (named := NEEDS.fullmatch(above)) else ())
    assert needs <= set(FEATURES), above
    return needs


def _is_possible(command: Command) -> bool:
    """Whether the features that a command needs are there, which all are unless one was deleted."""
    gone = [f"mem {name}" for name in reference.deleted_commands()] + reference.deleted_settings()
    return not command.needs & MISSING and not any(re.search(rf"\b{name}\b", command.words) for name in gone)


def run(page: str, home: Path, warm: str = "") -> list[Ran]:
    """Run a page's commands in `home`, which gets a copy of `sample_vault`. `warm`: where a process listens that runs
    `mem` without waiting for Python to start."""
    asked = [each for each in commands(page) if _is_possible(each)]
    shutil.copytree(ROOT / "sample_vault", home / "sample_vault", ignore=shutil.ignore_patterns(".mem"))
    (home / ".gitconfig").write_text("[user]\n\tname = Zhou Lin\n\temail = zhou@example.org\n", encoding="utf-8")
    script = home / ".transcript"
    script.write_text("".join(f"{each.words}\nprintf '{_END}%s\\n' $?\n" for each in asked), encoding="utf-8")
    programs = [str(Path(sys.executable).parent)]
    if warm:
        programs.insert(0, str(home / ".bin"))
        (home / ".bin").mkdir()
        shim = home / ".bin" / "mem"
        shim.write_text(f"#!{sys.executable} -IS\n{(Path(__file__).parent / 'mem').read_text()}", encoding="utf-8")
        shim.chmod(0o755)
    environ = {
        "PATH": os.pathsep.join([*programs, os.environ["PATH"]]), "WARM": warm, "PYTHONPATH": str(ROOT),
        "HOME": str(home), "USER": "zhou", "MEM_NOW": NOW, "TZ": "Asia/Shanghai", "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1", "PYTHONUNBUFFERED": "1",  # stdout and stderr in the order a terminal shows them
    }  # fmt: skip
    done = subprocess.run(
        ["bash", str(script)], cwd=home, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=900,  # a page of a hundred commands on a busy machine
    )  # fmt: skip
    pieces = re.split(f"{_END}(\\d+)\n", done.stdout.decode().replace(str(home), "~"))
    outs, codes = pieces[:-1:2], pieces[1::2]
    assert len(codes) == len(asked), f"the shell ended early:\n{''.join(pieces[-1:])}"
    return [
        Ran(each, int(code), _trimmed(tuple(out.split("\n"))))
        for each, out, code in zip(asked, outs, codes, strict=True)
    ]


def mended(page: str, ran: list[Ran]) -> str:
    """The page with the real output where the one shown is wrong."""
    lines = page.split("\n")
    for each in sorted(ran, key=lambda each: -each.command.line):
        if not each.as_shown and each.command.shown:
            lines[each.command.line : each.command.line + len(each.command.shown)] = _abridged(each)
    return "\n".join(lines)


def _abridged(ran: Ran) -> list[str]:
    """The output with what the page leaves out left out again, as far as it can be told."""
    shown, out = ran.command.shown, list(ran.out)
    if shown.count("…") == 1:
        head, tail = shown.index("…"), len(shown) - shown.index("…") - 1
        if len(out) > head + tail:
            out[head : len(out) - tail] = ["…"]
    short = [line for line in shown if "…" in line and line != "…"]
    return [next((line for line in short if matches(line, real)), real) for real in out]


def matches(shown: str, out: str) -> bool:
    """Whether `out` is what is shown; a line `…` stands for any lines, `…` within a line for any characters.

    Columns are as wide as what stands in them, so how many spaces there are between two makes no difference.
    """
    shown, out = (re.sub(" {2,}", "  ", text.rstrip()) for text in (shown, out))
    lines = (r"[\s\S]*?" if line == "…" else re.escape(line).replace("…", ".*?") for line in shown.split("\n"))
    return re.fullmatch("\n".join(lines), out) is not None


def _trimmed(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Without the blank lines at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
