"""Talk to a model behind a shell command: the prompt goes to its stdin, the answer comes from its stdout."""

from __future__ import annotations

import os
import subprocess
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread

from memcli import system
from memcli.errors import MissingPart, VaultError
from memcli.llm.target import MOST_BYTES, Hear, ModelFailure
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import files

NOT_THERE = (126, 127)  # the exit codes of a shell that can't run a program


def begin(
    line: str, prompt: str, workdir: Path, environ: Mapping[str, str], name: str = "llm.command"
) -> tuple[Callable[[Hear], str], Callable[[], None]]:
    """Start the command.

    Return a function that reads its answer piece by piece, and one that ends it.

    It runs in an empty folder, not in the vault: agent CLIs obey settings in the folder where they start, and a vault
    may come from a stranger. A `mem` that it calls asks no model, and answers no hooks of its prompts.
    """
    try:
        files.make_folder(workdir, 0o700)
        process = subprocess.Popen(
            line, shell=True, cwd=workdir, env={**environ, "MEM_LLM_OFFLINE": "true", "MEM_HOOKS_ON": "false"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **system.detached(),
        )  # fmt: skip
    except (OSError, ValueError, VaultError) as error:
        raise MissingPart("{name} can't be started: {WHY}", f"mem config get {name}", name=name, WHY=error) from None
    return lambda hear: _receive_answer(process, prompt, hear, name), lambda: _end(process)


def _receive_answer(process: subprocess.Popen[bytes], prompt: str, hear: Hear, name: str) -> str:
    assert process.stdin and process.stdout and process.stderr
    complaints: deque[bytes] = deque(maxlen=4)
    threads = [
        Thread(target=_listen, args=(process.stderr.fileno(), complaints), daemon=True),
        Thread(target=_feed, args=(process, prompt), daemon=True),
    ]
    for thread in threads:
        thread.start()
    decoder, answer = getincrementaldecoder("utf-8")("replace"), b""
    while piece := os.read(process.stdout.fileno(), 65536):
        answer += piece
        if len(answer) > MOST_BYTES:
            raise ModelFailure("the answer has no end: it was given up")
        hear(decoder.decode(piece))
    if code := process.wait():
        threads[0].join(1)
        lines = b"".join(complaints).decode("utf-8", "replace").strip().splitlines()
        why = f": {one_line(lines[-1], 200)}" if lines else ""
        again = None if code in NOT_THERE else 0.0
        raise ModelFailure(
            Message("{name} ended with {n}{WHY}", name=name, n=code, WHY=why),
            Message("mem config list shows {name}", name=name),
            again,
        )
    return answer.decode("utf-8", "replace")


def _feed(process: subprocess.Popen[bytes], prompt: str) -> None:
    assert process.stdin
    with suppress(OSError), process.stdin:  # the command may answer without reading to the end
        process.stdin.write(prompt.encode("utf-8", "replace"))


def _listen(stderr: int, complaints: deque[bytes]) -> None:
    with suppress(OSError):
        while piece := os.read(stderr, 4096):
            complaints.append(piece)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command and everything it started."""
    with suppress(OSError):
        system.end_with_children(process)
    process.wait()
