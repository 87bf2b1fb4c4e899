"""Read the clock. No other module does: the time is the user's local time, or the value of `MEM_NOW`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from memcli.errors import UsageError
from memcli.message import Message

FIRST, LAST = 1000, 9000  # years that leave room to count a thousand years back and ahead


def clock_of(environ: Mapping[str, str]) -> Callable[[], datetime]:
    """Return a function that gives the user's local time, or always the time in `MEM_NOW` if that is set."""
    fixed = environ.get("MEM_NOW")
    if not fixed:
        return lambda: _bounded(datetime.now())
    try:
        moment = _bounded(datetime.fromisoformat(fixed.replace("Z", "+00:00")))
    except ValueError:
        raise UsageError("MEM_NOW={value} is not an ISO time", "MEM_NOW=2026-11-21T14:30", value=fixed) from None
    return lambda: moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


def _bounded(moment: datetime) -> datetime:
    if not FIRST <= moment.year <= LAST:
        why = Message(
            "the clock says {day}, and mem counts days from the year {n} to {most}",
            day=moment.date(),
            n=FIRST,
            most=LAST,
        )
        raise UsageError(why, "set the clock of this machine, or MEM_NOW")
    return moment
