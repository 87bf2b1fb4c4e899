"""Limit the memories that only their meaning brings into a prompt. They must be few and near; there are none if the
talk itself tells what is meant. Nobody reads a prompt over first, as they can with a block of recall."""

from __future__ import annotations

from memcli import recall
from memcli.features.talk.sizes import sizes_of
from memcli.vault.vault import Vault

LIKENESS = 0.65  # cosine below which meaning alone brings nothing into a prompt
_MEANING = frozenset({"semantic"})  # the path


def seek(vault: Vault, question: str, in_talk: bool) -> recall.SearchResult:
    """Return what memory has for a question. Of what only its meaning finds, keep at most `prompt.meant`, and
    nothing if `in_talk`, where earlier turns tell what is meant."""
    settings = vault.settings
    likeness = settings.recall.likeness
    kinds = {"all": LIKENESS, **likeness}
    least = settings.recall.changed(likeness={kind: max(LIKENESS, kinds[kind]) for kind in kinds})
    held = vault.resolved._replace(settings=settings._replace(recall=least))
    found = recall.seek(vault.changed(resolved=held), recall.Request(question))
    left = 0 if in_talk else sizes_of(vault).meant
    ranked = []
    for each in found.ranked:
        alone = set(each.paths) == _MEANING and not each.matched
        left -= alone
        if not alone or left >= 0:
            ranked.append(each)
    if len(ranked) == len(found.ranked):
        return found
    answered = any(fact.answers for fact in found.facts)
    return found._replace(ranked=ranked, matched=bool(ranked or answered))
