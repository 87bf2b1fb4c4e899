"""Nudges: the few questions an assistant may put of its own accord. What is missing, asked at most twice a talk."""

from memcli.nudge.choose import Outcome, Question, answered, asked, may_propose, questions

__all__ = ["Outcome", "Question", "answered", "asked", "may_propose", "questions"]
