"""Recall: the right thousand tokens for a question. The door is `recall(vault, request)`.

The way of a question: `query` (words, dates, tags, kind) → `field` (one pass of ripgrep) → `paths` (candidates) →
`score` (parts and weights) → `likelihood` (what is worth its place) → `select` (diversity, budget) → `block` (what is
printed). `direct` reads what needs no search.
"""

from memcli.recall.bears import bears
from memcli.recall.block import FORMATS, TITLE, Block
from memcli.recall.engine import Request, Sought, counted, pack, recall, seek

__all__ = ["FORMATS", "TITLE", "Block", "Request", "Sought", "bears", "counted", "pack", "recall", "seek"]
