"""Deep search: documents, notes and other sources are asked for what is known, and an answer is given with its evidence.

`understand` (what is asked) → `plan` (who is asked, with what) → `gather` (all at once, each with its limit) → `fuse` and
`rerank` (the best ten) → `answer` (with citations that were checked). A source is one small module in `sources/`. The
doors are `ask`, `evidence` (for a prompt: no model, documents alone), `proposals` (what is worth remembering) and `remember`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.deep.passages import Evidence, Want
from memcli.deep.pipeline import Answered, Found, Request, ask, evidence

if TYPE_CHECKING:
    from memcli.deep.health import checks
    from memcli.deep.keep import Proposal, proposals
    from memcli.deep.keep import keep as remember

__all__ = [
    "Answered", "Evidence", "Found", "Proposal", "Request", "Want", "ask", "checks", "evidence", "proposals", "remember",
]  # fmt: skip

# Name → module and name there; a prompt does not need them.
_LATE = {
    "Proposal": ("keep", "Proposal"), "checks": ("health", "checks"), "proposals": ("keep", "proposals"), "remember": ("keep", "keep"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, inner = _LATE[name]
    return getattr(import_module(f"{__name__}.{module}"), inner)
