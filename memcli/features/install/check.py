"""Check that what is installed answers: start each server that an agent would start, and ask who it is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from memcli.features.install.agents import AGENTS, Setup
from memcli.features.install.change import installed
from memcli.vault.health import BROKEN, OK, Check
from memcli.vault.vault import Vault

PATIENCE = 10.0  # seconds
_WHO = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}


def checks(vault: Vault) -> Iterator[Check]:
    """Yield a line for each agent that mem is installed in."""
    answers: dict[tuple[str, ...], str] = {}
    for name in AGENTS:  # files of a project may be a stranger's: what they name is not run
        here = installed(name, Setup(vault.environ, Path.cwd(), project=False))
        if not here.user:
            continue
        if here.user not in answers:
            answers[here.user] = problem(here.user, vault.environ)
        if why := answers[here.user]:
            yield Check("agent", BROKEN, f"{here.title}: {why}", f"mem install {name} writes it anew")
        else:
            yield Check("agent", OK, f"{here.title}: the server answers")


def problem(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return why a server does not answer, or "" if it does."""
    try:
        done = subprocess.run(
            command, input=json.dumps(_WHO) + "\n", capture_output=True, text=True, timeout=PATIENCE, env=dict(environ)
        )
        reply = json.loads(done.stdout.partition("\n")[0])
        return "" if "supportedVersions" in reply["result"] else "it is no server of mem"
    except OSError as error:
        return f"{command[0]} can't be started: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE:g} s"
    except (ValueError, KeyError, TypeError):
        return f"{' '.join(command)} does not answer as a server"
