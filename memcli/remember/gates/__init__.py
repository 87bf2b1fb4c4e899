"""The gates of the write path: is it sensitive, worth keeping, new, and believed? Each judges and gives a reason; none writes."""

from memcli.remember.gates.gate import Passed, TurnedAway, Verdict, judge, sensitive_in
from memcli.remember.gates.sensitive import redacted

__all__ = ["Passed", "TurnedAway", "Verdict", "judge", "redacted", "sensitive_in"]
