"""Search documents, notes and other sources for a question, and answer with the evidence cited.

The steps are `understand` (what is asked), `plan` (which sources, with what question), `gather` (all sources at once,
each with its limit), `rank` (the best ten; with `weigh` a model reads all candidates) and `answer` (with checked
citations). `pipeline` runs them all; `later` does so in the background. A source is one small module in `sources/`.
`evidence` serves prompts: it asks no model and searches documents alone. `keep` proposes what is worth remembering.
"""

from typing import TYPE_CHECKING, Any

from memcli.deep.pipeline import Answered, AskRequest, ask, evidence
from memcli.deep.sources import checks
from memcli.evidence import Evidence, Want

if TYPE_CHECKING:
    from memcli.deep import later
    from memcli.deep.keep import Proposal, proposals
    from memcli.deep.keep import keep as remember
    from memcli.deep.page import brief

__all__ = [
    "Answered", "AskRequest", "Evidence", "Proposal", "Want", "ask", "brief",
    "checks", "evidence", "later", "proposals", "remember",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what concerns keeping on demand, so that a prompt that takes evidence need not load what writes."""
    if name == "brief":
        from memcli.deep.page import brief

        return brief
    if name not in ("Proposal", "proposals", "remember"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memcli.deep import keep

    return getattr(keep, {"remember": "keep"}.get(name, name))
