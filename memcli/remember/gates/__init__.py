"""Decide which texts may be written: not sensitive, worth keeping, new and believed. Gates return verdicts with reasons
and write nothing."""

from memcli.remember.gates.gate import (
    GateResult,
    TurnedAway,
    Verdict,
    check_agent_name,
    check_hourly_limit,
    judge,
    sensitive_in,
)
from memcli.remember.gates.sensitive import name_kinds, of_documents, redacted

__all__ = [
    "GateResult", "TurnedAway", "Verdict", "check_agent_name", "check_hourly_limit", "judge", "name_kinds",
    "of_documents", "redacted", "sensitive_in",
]  # fmt: skip
