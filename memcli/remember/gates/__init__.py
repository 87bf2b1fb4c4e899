"""The gates of the write path: is it sensitive, worth keeping, new, believed? Each judges and says why; none writes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.remember.gates.gate import Passed, TurnedAway, Verdict, judge, sensitive_in
    from memcli.remember.gates.sensitive import of_documents, redacted

__all__ = ["Passed", "TurnedAway", "Verdict", "judge", "of_documents", "redacted", "sensitive_in"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'sensitive' if name in ('redacted', 'of_documents') else 'gate'}"), name)
