"""Deep search: documents, notes and other sources are asked for what is known, and an answer is given with its evidence.

`understand` (what is asked) → `plan` (who is asked, with what) → `gather` (all at once, each with its limit) → `fuse` and
`rerank` (the best ten) → `answer` (with citations that were checked). A source is one small module in `sources/`. The
doors are `ask`, `evidence` (for a prompt: no model, documents alone) and `remember`.
"""

from memcli.deep.door import Found, evidence

__all__ = ["Found", "evidence"]
