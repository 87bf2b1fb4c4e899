"""Choose what an assistant may bring up on its own: questions about missing facts, at most twice in a talk
(`choose.py`), and what is worth bringing up (`propose.py`)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.nudge.choose import Outcome, Question, answered, asked, may_propose, questions

if TYPE_CHECKING:
    from memcli.nudge.outcomes import Rate, brought, rates, said
    from memcli.nudge.propose import Nudge, is_quiet, proposals, unsaid
    from memcli.nudge.today import Brief, brief

__all__ = [
    "Brief", "Nudge", "Outcome", "Question", "Rate", "answered", "asked", "brief", "brought", "is_quiet", "may_propose",
    "proposals", "questions", "rates", "said", "unsaid",
]  # fmt: skip

# Reading all notes needs more modules than asking a question, so they are loaded on first use.
_LATE = dict.fromkeys(("Rate", "brought", "rates", "said"), "outcomes")
_LATE |= dict.fromkeys(("Brief", "brief"), "today")
_LATE |= dict.fromkeys(("Nudge", "is_quiet", "proposals", "unsaid"), "propose")


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
