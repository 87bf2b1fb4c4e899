"""Define `mem mirror`: keep a section of the files that agents read in line with what holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli.command import Result, Table, command
from memcli.cli.looks import BOLD, DIM
from memcli.cli.options import DryRun
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError

if TYPE_CHECKING:
    from memcli.features.mirror.mirror import MirrorUpdate

# The name of what stands under each heading, in singular and plural.
_KINDS = {
    "About the user": "{n} about the user",
    "Preferences": "{n} preference{s}",
    "Standing orders": "{n} standing order{s}",
    "Decisions": "{n} decision{s}",
}


@command(
    "mirror",
    "mem mirror ~/code/tideline/CLAUDE.md --project tideline",
    "mem mirror AGENTS.md .github/copilot-instructions.md",
    "mem mirror                                     brings all of them in line",
    "mem mirror list",
    "mem mirror stop AGENTS.md",
)
def mirror(
    terminal: Terminal,
    words: Annotated[
        list[str] | None, "[list|stop] [FILE]...", "Files to keep in line; without any all there are."
    ] = None,
    /,
    project: Annotated[str | None, "NAME", "Whose decisions; by default the folder's name."] = None,
    budget: Annotated[int | None, "-b", "TOKENS", "At most this many for each; 800 by default."] = None,
    dry_run: DryRun = False,
) -> Result:
    """Nothing outside its two marks is touched. What you write between them waits for mem review before it is replaced.

    A running mem watch, the hooks of your agents and mem work keep it in line.
    """
    from memcli.features.mirror import mirror as mirrors
    from memcli.features.mirror import mirrors as known

    vault, given = terminal.vault(), list(words or ())
    if given == ["list"]:
        return _listed(terminal)
    paths = [terminal.here / Path(os.path.expanduser(each)) for each in given]
    if given[:1] == ["stop"]:
        if len(given) == 1:
            raise UsageError("which file is to be left alone?", "mem mirror stop FILE; mem mirror list shows them")
        stopped = {str(path): mirrors.stop_mirror(vault, path) for path in paths[1:]}
        lines = []
        for name, stay in stopped.items():
            lines.append(terminal.translate("{file}: its section is removed", file=name))
            lines += [f"  {terminal.translate('stays, you wrote it: {line}', line=line)}" for line in stay]
        return Result({"stopped": list(stopped)}, lines)
    wanted = [mirrors.mirror_for(vault, path, project, budget) for path in paths]
    if not given:
        wanted = [each for each in known.mirrors_of(vault) if Path(each.file).exists()]
    done = [mirrors.update_mirror(vault, each, dry_run) for each in wanted]
    note = "" if done else "no file mirrors this vault yet: mem mirror CLAUDE.md begins"
    if dry_run:
        return Result(_as_json(done), [each.text.removesuffix("\n") for each in done], note=note)
    return Result(_as_json(done), [line for each in done for line in _lines(terminal, each)], note=note)


def _listed(terminal: Terminal) -> Result:
    from memcli.features.mirror import mirror as mirrors
    from memcli.features.mirror import mirrors as known

    vault = terminal.vault()
    held = [(each, mirrors.mirror_state(vault, each)) for each in known.mirrors_of(vault)]
    data = [{"file": m.file, "project": m.project, "budget": m.budget, "state": state} for m, state in held]
    rows = [
        [m.file, m.project, terminal.translate("{n} tokens", n=m.budget), terminal.translate(state)]
        for m, state in held
    ]
    return Result({"mirrors": data}, Table(rows, (BOLD, "", DIM, "")), note="" if rows else "none yet")


def _lines(terminal: Terminal, done: MirrorUpdate) -> list[str]:
    named = [terminal.translate(_KINDS[name], n=number) for name, number in done.counts.items()]
    counts = terminal.speech.comma.join(named) or terminal.translate("nothing holds yet")
    told = [terminal.translate("{n} of {m} tokens", n=done.tokens, m=done.mirror.budget)]
    told += [terminal.translate("{n} had no room", n=done.left_out)] if done.left_out else []
    told += [] if done.changed else [terminal.translate("in line already")]
    size = terminal.speech.bracketed(told[0]) + "".join(f"{terminal.speech.semicolon}{each}" for each in told[1:])
    return [
        f"{terminal.paint(done.mirror.file, BOLD)}{terminal.speech.colon}{counts}{size}",
        *(f"  {terminal.translate('waits for mem review: {line}', line=line)}" for line in done.offered),
        *(
            f"  {terminal.translate('stays as it is, no memory of it is kept: {line}', line=line)}"
            for line in done.kept
        ),
    ]


def _as_json(done: list[MirrorUpdate]) -> dict[str, Any]:
    return {
        "mirrors": [
            {
                "file": each.mirror.file, "project": each.mirror.project, "budget": each.mirror.budget,
                "tokens": each.tokens, "lines": each.counts, "left_out": each.left_out,
                "offered": each.offered, "kept": each.kept, "changed": each.changed,
            }
            for each in done
        ]
    }  # fmt: skip
