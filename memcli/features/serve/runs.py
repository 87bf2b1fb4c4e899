"""Run commands for `mem serve`, in the name of the token that sent the request."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from memcli.cli.terminal import Terminal
from memcli.errors import MemError, UsageError

if TYPE_CHECKING:
    from memcli.features.serve.access import Access
    from memcli.features.serve.doors import CommandResult, Hear, Opener

TOKEN = "MEM_SERVE_TOKEN"
NOT_THEIRS = ("MEM_VAULT", "MEM_SESSION", "MEM_ACTOR", TOKEN)  # the server owner's own; callers do not inherit them


class Runs:
    """Runs a command as if it were typed, in the name of the caller's token."""

    def __init__(self, terminal: Terminal) -> None:
        self.environ = {name: value for name, value in terminal.environ.items() if name not in NOT_THEIRS}

    def __call__(
        self, words: Sequence[str], stdin: bytes, access: Access, opener: Opener, hear: Hear | None = None
    ) -> CommandResult:
        from memcli.cli.main import run_command
        from memcli.features.serve.doors import CommandResult

        out, err = CallbackStream(hear) if hear else StringIO(), StringIO()
        environ = {**self.environ, "MEM_ACTOR": access.token}
        terminal = Terminal(environ, access.vault, out, err, None, lambda patient: stdin, opener)
        error = None
        try:
            code = run_command(["--vault", str(access.vault), *words], terminal)
        except MemError as failure:
            code, error = failure.code, failure
        except BrokenPipeError:
            code = 0
        except Exception as failure:
            if not hasattr(failure, "format_message"):
                raise
            code, error = 2, UsageError(failure.format_message().rstrip("."))
        terminal.tell_notices()
        return CommandResult(code, out.getvalue(), err.getvalue(), error)


class CallbackStream(StringIO):
    """Passes each written text to a callback at once."""

    def __init__(self, hear: Hear) -> None:
        super().__init__()
        self.hear = hear

    def write(self, text: str) -> int:
        self.hear(text)
        return len(text)
