"""What worked: ways of splitting a task, offered with their evidence; ways of failing, warned of beforehand.

`likeness` (the same task by its words; `meaning`, where there is a model) → `evidence` (how sure it is that a way
works, and which of unproven ones to take) → `offer`. `lessons` is what failures teach, `heard` what talks tell: both
are proposed, and written by `remember` once somebody agrees.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.pattern.offer import Offer, Offered, Warning, block, evidence_of, offered, told

if TYPE_CHECKING:
    from memcli.pattern.heard import Turn, hear, hear_transcripts, record, teach

__all__ = [
    "Offer",
    "Offered",
    "Turn",
    "Warning",
    "block",
    "evidence_of",
    "hear",
    "hear_transcripts",
    "offered",
    "record",
    "teach",
    "told",
]


def __getattr__(name: str) -> Any:
    """A prompt is offered ways: it need not load what hears and writes them."""
    if name not in ("Turn", "hear", "hear_transcripts", "record", "teach"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("memcli.pattern.heard"), name)
