"""Find the right thousand tokens for a question. The interface is `recall(vault, request)`.

A question passes through: `query` (words, dates, tags, kind) → `search_state` (one ripgrep) → `paths` (candidates) →
`score` (parts and weights) → `likelihood` (whether anything answers) → `packing` and `select` (diversity, budget) →
`block` (what is printed). `direct` reads what needs no search.
"""

from memcli.recall.block import FORMATS, TITLE, Block
from memcli.recall.engine import recall, record_recall, seek
from memcli.recall.packing import pack
from memcli.recall.relevance import find_relevant
from memcli.recall.request import Request, SearchResult

__all__ = [
    "FORMATS", "TITLE", "Block", "Request", "SearchResult", "find_relevant", "pack", "recall", "record_recall", "seek",
]  # fmt: skip
