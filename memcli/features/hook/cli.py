"""Define `mem hook` for its help. `process.py` answers the calls of agents, without loading typer."""

from __future__ import annotations

import json
from typing import Annotated

from memcli.cli.command import Result, command
from memcli.cli.terminal import Terminal


@command(
    "hook",
    "mem hook prompt --for claude      reads a payload on stdin, prints what the model should know",
    """echo '{"prompt": "how do we deploy on a Friday"}' | mem hook prompt""",
    json="",
    agents=True,
)
def hook(
    terminal: Terminal,
    event: Annotated[str, "EVENT", "prompt, start, stop, compact or end."],
    /,
    tool: Annotated[str, "--for", "NAME", "Whose hook it is: claude, codex, gemini, cursor, copilot, opencode …"] = "",
    strict: Annotated[bool, "Exit 1 when it fails; else an agent's work goes on as if there were no memory."] = False,
) -> Result | None:
    """Prints one JSON object, or nothing: when nothing in memory bears on what was said, and when anything goes wrong,
    which mem doctor tells. Nothing is asked, no language model and no watcher is started.

    A file named .nomem switches hooks off in its folder and below.
    """
    from memcli.features.hook.handler import handle
    from memcli.features.hook.payload import read_payload

    payload = read_payload((terminal.read_stdin(True) or b"").strip() or b"{}", str(terminal.here))
    answer = handle(terminal.vault(write__lock_timeout=0.2), event, payload, tool)
    if answer:
        terminal.out(json.dumps(answer))
    return None
