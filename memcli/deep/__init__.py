"""Deep search: documents, notes and other sources are searched for a question, and answered with the evidence cited.

`understand` (what is asked) → `plan` (which sources, with what) → `gather` (all at once, each with its limit) → `rank`
(the best ten; `weigh`, where a model reads all candidates) → `answer` (with citations that were checked); `pipeline` is
the whole way, `later` the same in the background. A source is one small module in `sources/`. `evidence` is for a
prompt: no model, documents alone. `keep` proposes what is worth remembering.
"""

from typing import TYPE_CHECKING, Any

from memcli.deep.passages import Evidence, Want
from memcli.deep.pipeline import Answered, AskRequest, FoundEvidence, ask, evidence
from memcli.deep.sources import checks

if TYPE_CHECKING:
    from memcli.deep import later
    from memcli.deep.answer import CITED, Citations
    from memcli.deep.keep import Proposal, proposals
    from memcli.deep.keep import keep as remember
    from memcli.deep.page import brief

__all__ = [
    "CITED", "Answered", "AskRequest", "Citations", "Evidence", "FoundEvidence", "Proposal", "Want", "ask", "brief",
    "checks", "evidence", "later", "proposals", "remember",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """What is about keeping is loaded when it is asked for: a prompt that takes evidence need not load what writes."""
    if name == "brief":
        from memcli.deep.page import brief

        return brief
    if name in ("CITED", "Citations"):
        from memcli.deep import answer

        return getattr(answer, name)
    if name not in ("Proposal", "proposals", "remember"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memcli.deep import keep

    return getattr(keep, {"remember": "keep"}.get(name, name))
