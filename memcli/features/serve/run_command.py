"""Run a command for `mem serve` as if it were typed, in the name of the token that sent the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from memcli.cli.terminal import Terminal
from memcli.errors import MemError
from memcli.features.serve.access import Access
from memcli.vault.vault import Vault

TOKEN = "MEM_SERVE_TOKEN"
NOT_THEIRS = ("MEM_VAULT", "MEM_SESSION", "MEM_ACTOR", TOKEN)  # the server owner's own; callers do not inherit them

Opener = Callable[..., Vault]  # takes what `open_vault` takes
Hear = Callable[[str], None]  # receives a command's output while it is printed


@dataclass(frozen=True)
class CommandResult:
    """Hold how a command ended: its exit code, what it printed, and its error, if any."""

    code: int
    out: str
    err: str
    error: MemError | None = None


RunCommand = Callable[..., CommandResult]  # `run_command` in the environment of callers


def environ_of_callers(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the server's environment without what belongs to its owner alone."""
    return {name: value for name, value in environ.items() if name not in NOT_THEIRS}


def confined(opener: Opener, access: Access) -> Opener:
    """Return an opener of vaults in which an agent's token changes nothing outside the agent's own space."""
    return lambda *given, **more: opener(*given, **more).with_values(confined=access.agent or "")


def run_command(
    environ: Mapping[str, str], words: Sequence[str], stdin: bytes, access: Access, opener: Opener,
    hear: Hear | None = None,
) -> CommandResult:  # fmt: skip
    """Run the words of a command with piped input. `hear` receives the output while it is printed."""
    from memcli.cli import main

    out, err = CallbackStream(hear) if hear else StringIO(), StringIO()
    environ = {**environ, "MEM_ACTOR": access.token}
    terminal = Terminal(environ, access.vault, out, err, None, lambda patient: stdin, opener)
    error = None
    try:
        code = main.run_command(["--vault", str(access.vault), *words], terminal)
    except MemError as failure:
        code, error = failure.code, failure
    except BrokenPipeError:
        code = 0
    terminal.tell_notices()
    return CommandResult(code, out.getvalue(), err.getvalue(), error)


class CallbackStream(StringIO):
    """Pass each written text to a callback at once."""

    def __init__(self, hear: Hear) -> None:
        super().__init__()
        self.hear = hear

    def write(self, text: str) -> int:
        self.hear(text)
        return len(text)
