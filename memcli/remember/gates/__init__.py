"""Judge what may be written: is it sensitive, worth keeping, new, believed? Each gate judges and says why; none
writes."""

from memcli.remember.gates.gate import GateResult, TurnedAway, Verdict, judge, sensitive_in, too_often
from memcli.remember.gates.sensitive import name_kinds, of_documents, redacted

__all__ = [
    "GateResult", "TurnedAway", "Verdict", "judge", "name_kinds", "of_documents", "redacted", "sensitive_in",
    "too_often",
]  # fmt: skip
