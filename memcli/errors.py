"""What can go wrong, said once: every failure a user may meet has its exit code and, where there is one, the mend."""

from __future__ import annotations

CRASHED = 70  # the exit code of a failure that nobody foresaw
UNWRITTEN = 74  # of a command that did its work and could not say so: the disk behind `> file` is full


class MemError(Exception):
    """A failure with a message for a person, a mend to try, and the exit code of the process."""

    code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class CheckFailed(MemError):
    """Nothing found with `--strict`, or a check that did not hold."""

    code = 1


class UsageError(MemError):
    """The command was not understood, or asks for something that can't be."""

    code = 2


class NotFound(UsageError):
    """What was named is not there."""


class VaultError(MemError):
    """There is no vault here, or what it holds can't be used."""

    code = 3


class Refused(MemError):
    """A gate said no: an outside path, a file that changed meanwhile, a lock that is held."""

    code = 4


class Changed(Refused):
    """It is not what the caller has seen any more."""


class Busy(Refused):
    """The vault is being written by somebody else; it can be tried again as it is."""


class MissingPart(MemError):
    """A program, model or network that this command needs is not there."""

    code = 5
