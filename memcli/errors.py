"""Define the errors that a user may meet, each with its exit code and, if there is one, a remedy."""

from __future__ import annotations

from memcli.message import filled

CRASHED = 70  # the exit code of an unexpected failure
UNWRITTEN = 74  # the exit code when the output can't be written: the disk behind `> file` is full


class MemError(Exception):
    """A failure with a message for a person, a remedy to try, and the exit code of the process.

    `values` are those of the names in the message: `UsageError("{name} is a link", name=name)`.
    """

    code = 1

    def __init__(self, message: str, hint: str = "", **values: object) -> None:
        message = filled(message, values)
        super().__init__(message)
        self.message = self.why = message  # `why` is the reason alone, where the message also names what it is about
        self.hint = hint


class CheckFailed(MemError):
    """A failed check, or no result with `--strict`."""

    code = 1


class UsageError(MemError):
    """A command that was not understood, or that asks for something impossible."""

    code = 2


class NotFound(UsageError):
    """A name that stands for nothing."""


class VaultError(MemError):
    """A missing vault, or one whose content can't be used."""

    code = 3


class UnreadableFile(VaultError):
    """A file that can't be read, with its name and the reason."""

    def __init__(self, name: str, why: str, hint: str = "") -> None:
        super().__init__("{place}: {WHY}", hint, place=name, WHY=why)
        self.why = why


class Refused(MemError):
    """A refusal by a gate: an outside path, a file that changed meanwhile, a lock that is held."""

    code = 4


class ChangeConflict(Refused):
    """A refusal because the target is no longer what the caller saw."""


class NotKept(Refused):
    """A refusal to keep a text, with the reason."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__("not kept: {WHY}", hint, WHY=why)
        self.why = why


class Busy(Refused):
    """A refusal because another process is writing to the vault; the same call can be tried again."""


class MissingPart(MemError):
    """A program, model, network or feature that this command needs and that is missing."""

    code = 5
