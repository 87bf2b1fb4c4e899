"""Define the errors that a user may meet, each with its exit code and, if there is one, a remedy."""

from __future__ import annotations

from memcli.message import filled, joined

CRASHED = 70  # the exit code of an unexpected failure
UNWRITTEN = 74  # the exit code when the output can't be written: the disk behind `> file` is full


class MemError(Exception):
    """Report a failure to a person, with a remedy to try, and set the exit code of the process.

    `values` are those of the names in the message: `UsageError("{name} is a link", name=name)`.
    """

    code = 1

    def __init__(self, message: str, hint: str = "", **values: object) -> None:
        message = filled(message, values)
        super().__init__(message)
        self.message = self.why = message  # `why` is the reason alone, where the message also names what it is about
        self.hint = hint


class CheckFailed(MemError):
    """Report that a check failed, or that there is no result with `--strict`."""

    code = 1


class UsageError(MemError):
    """Report a command that was not understood, or that asks for something impossible."""

    code = 2


class NotFound(UsageError):
    """Report that nothing has the name that was given."""


class VaultError(MemError):
    """Report that there is no vault, or that its content can't be used."""

    code = 3


class UnreadableFile(VaultError):
    """Report a file that can't be read, with its name and the reason."""

    def __init__(self, name: str, why: str, hint: str = "") -> None:
        super().__init__("{place}: {WHY}", hint, place=name, WHY=why)
        self.why = why


class Refused(MemError):
    """Report what mem refuses to do: write outside the vault, or past a gate or a lock."""

    code = 4


class ChangeConflict(Refused):
    """Report that the target is no longer what the caller saw."""


class NotKept(Refused):
    """Report that a text is not kept, with the reason."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__("not kept: {WHY}", hint, WHY=why)
        self.why = why


class Busy(Refused):
    """Report that another process is writing to the vault; the same call can be tried again."""


class MissingPart(MemError):
    """Report that a program, model, network or feature is missing that this command needs."""

    code = 5

    def __init__(self, message: str, hint: str = "", **values: object) -> None:
        super().__init__(message, hint, **values)
        self.why = joined(self.message, hint)  # where no hint is shown, the reason says what to install
