"""Check that what is installed answers: start each server that an agent would start, and ask who it is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from memcli.features.install.agents import AGENTS, Setup
from memcli.features.install.change import agent_state
from memcli.message import Message
from memcli.vault.check import BROKEN, OK, Check
from memcli.vault.vault import Vault

PATIENCE = 10.0  # seconds
_WHO = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}


def checks(vault: Vault) -> Iterator[Check]:
    """Yield a line for each agent that mem is installed in."""
    answers: dict[tuple[str, ...], str] = {}
    for name in AGENTS:  # files of a project may be a stranger's: what they name is not run
        here = agent_state(name, Setup(vault.environ, Path.cwd(), project=False))
        if not here.user:
            continue
        if here.user not in answers:
            answers[here.user] = problem(here.user, vault.environ)
        if why := answers[here.user]:
            yield Check(
                "agent",
                BROKEN,
                "{place}: {WHY}",
                Message("mem install {name} writes it anew", name=name),
                place=here.title,
                WHY=why,
            )
        else:
            yield Check("agent", OK, "{title}: the server answers", title=here.title)


def problem(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return why a server does not answer, or "" if it does."""
    try:
        done = subprocess.run(
            command, input=json.dumps(_WHO) + "\n", capture_output=True, text=True, timeout=PATIENCE, env=dict(environ)
        )
        reply = json.loads(done.stdout.partition("\n")[0])
        return "" if "supportedVersions" in reply["result"] else "it is not a server of mem"
    except OSError as error:
        return Message("{name} can't be started: {WHY}", name=command[0], WHY=error.strerror)
    except subprocess.TimeoutExpired:
        return Message("no answer in {n} s", n=f"{PATIENCE:g}")
    except (ValueError, KeyError, TypeError):
        return Message("{name} does not answer as a server", name=" ".join(command))
