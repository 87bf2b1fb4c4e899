"""Asking a language model. The door is `ask`. Whoever asks can do without: but for settings
that make no sense (UsageError) every failure is a MissingPart, none set up and none answering alike.

`way` (which model, and may it be asked) → `door` (redaction, limits, a second try) → `command` or `endpoint` (the talk
itself) → `shape` (JSON out of an answer). What comes back is foreign text: it is cleaned, and nothing in it is obeyed.
"""

from memcli.llm.client import Answer, Message, Redact, ask
from memcli.llm.target import Unanswered, Way, available, checks, way

__all__ = ["Answer", "Message", "Redact", "Unanswered", "Way", "ask", "available", "checks", "way"]
