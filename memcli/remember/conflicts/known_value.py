"""Compare a memory that was added with the profile and the labels. `I now live in Leipzig` contradicts a profile
that says Berlin. A contradiction waits for `mem review`, as in `mem learn`."""

from __future__ import annotations

from memcli.errors import MemError
from memcli.remember.conflicts import compare
from memcli.text import phrases
from memcli.vault import labels, profile
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault


def contradicted_value(vault: Vault, entry: Entry) -> str:
    """Return the known value that a new memory contradicts, or "". An agent has no profile."""
    own = phrases.pattern("differs", "of oneself", phrases.LANGUAGES)
    text = entry.words
    if vault.agent or entry.task or len(text) > compare.LONGEST or not own.search(text):
        return ""
    try:
        known = profile.read_profile(vault) or labels.read_labels(vault)
    except MemError:  # the next command that reads these files reports it
        known = None
    if not known:
        return ""
    from memcli.remember import learning, proposals  # the rules load slowly

    for atom in learning.find_in_sentence(text):
        if atom.type in ("profile", "label") and atom.lasting and proposals.replaced_value(vault, atom):
            outcome = proposals.keep(vault, atom)
            return outcome.why_not if isinstance(outcome, proposals.OpenQuestion | proposals.Refusal) else ""
    return ""
