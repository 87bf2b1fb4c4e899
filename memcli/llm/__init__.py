"""Ask a language model with `ask`.

Every caller can do without one. Senseless settings raise UsageError; every other failure is a MissingPart, whether no
model is set up or none answers.

`target` says which model is asked and whether it may be; `client` redacts, limits, tries a second time and extracts
JSON from an answer; `command` and `endpoint` talk to the model. An answer is untrusted text: it is cleaned, and
instructions in it are not followed.
"""

from memcli.llm.client import ChatMessage, ModelAnswer, Redact, ask
from memcli.llm.target import ModelFailure, Target, available, checks, chosen_target

__all__ = [
    "ChatMessage",
    "ModelAnswer",
    "ModelFailure",
    "Redact",
    "Target",
    "ask",
    "available",
    "checks",
    "chosen_target",
]  # fmt: skip
