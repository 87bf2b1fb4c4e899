"""Asking a language model: `ask`. Whoever asks can do without one. Settings that make no sense are a UsageError; every
other failure is a MissingPart, whether no model is set up or none answers.

`target` is which model, and whether it may be asked; `client` redacts, limits and tries a second time; `command` and
`endpoint` talk to the model; `json_schema` takes JSON out of an answer. What comes back is foreign text: it is cleaned,
and nothing in it is obeyed.
"""

from memcli.llm.client import ChatMessage, ModelAnswer, Redact, ask
from memcli.llm.target import Target, Unanswered, available, check, chosen_target

__all__ = ["ChatMessage", "ModelAnswer", "Redact", "Target", "Unanswered", "ask", "available", "check", "chosen_target"]
