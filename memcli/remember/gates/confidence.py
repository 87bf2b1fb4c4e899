"""The confidence gate: what was only inferred is kept as such, and what hardly anybody believes is not kept at all."""

from __future__ import annotations

from memcli.vault.preferences import CONFIDENT, FORGOTTEN


def doubts(confidence: float) -> tuple[bool, str]:
    """Whether a memory of this confidence is kept, and what to say of it."""
    if confidence > CONFIDENT:
        return True, ""
    if confidence < FORGOTTEN:
        return False, f"confidence {confidence:g} is below {FORGOTTEN:g}"
    return True, f"confidence {confidence:g}: it counts once it is confirmed, above {CONFIDENT:g}"
