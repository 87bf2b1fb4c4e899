"""Find the memories of a conversation, by the configured language model or by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memcli import llm
from memcli.errors import MemError
from memcli.features.learn import find, hits, transcript
from memcli.remember.atoms import Atom, LearnResult
from memcli.remember.gates import sensitive
from memcli.text import categories
from memcli.text.clean import one_line
from memcli.text.sentences import sentences
from memcli.vault import profile as profiles
from memcli.vault.vault import Vault

_BESIDE = re.compile(r"[()（）/,，]")


def propose(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> LearnResult:
    """Return the memories of a conversation, keeping none yet. Use the configured model, or rules if there is none
    or `rules` is set. `names` are the user's names in it, besides the one in the profile."""
    read = transcript.read_transcript(text, names, vault.notice, _own_names(vault))
    messages = [replace(one, text=sensitive.without_secrets(one.text, vault.settings.gates)) for one in read]
    if not rules and llm.available(vault):
        from memcli.features.learn import model

        try:
            return LearnResult(
                tuple(map(_categorized, find.without_repeats(model.find_atoms(vault, messages)))),
                len(messages),
                "model",
            )
        except MemError as error:
            vault.notice("learnt by rules alone: {WHY}", WHY=error.message)
    return LearnResult(tuple(map(_categorized, find.find_atoms(messages))), len(messages), "rules")


def taste(text: str) -> Atom:
    """Return a preference from the user's words: under the key that rules give it, or under its first words. It is
    lasting, since the user called it a preference. Reasons and conditions stay: no word after the value is lost."""
    if len(said := find_in_sentence(text)) == 1 and (found := said[0]).type == "preference":
        whole = one_line(text).rstrip(" .。!！")
        is_keyed = found.value != found.text and whole.endswith(found.value)  # `call me Fen` is the value Fen
        value = found.value if is_keyed else whole
        return _categorized(replace(found, value=value, lasting=True, stated=True))
    return _categorized(Atom("preference", text, hits.slug(text) or hits.NAMELESS, one_line(text)))


def _categorized(atom: Atom) -> Atom:
    """Return a preference with the category of its key and first sentence, so that it can be found by that."""
    about = " ".join([atom.key, *(piece for text in (atom.value, atom.text) for piece in sentences(text)[:1])])
    return replace(atom, category=categories.main_category(about)) if atom.type == "preference" else atom


def find_in_sentence(text: str) -> list[Atom]:
    """Return the memories in a sentence of the user, by rules."""
    return find.find_atoms([transcript.Utterance(transcript.USER, text, 1)])


def _own_names(vault: Vault) -> list[str]:
    """Return the user's names from the profile: `林舟 (Zhou Lin)` gives both, and the single words."""
    try:
        name = str(profiles.read_profile(vault).get("name") or "")
    except MemError as error:
        vault.notice(error.message)
        return []
    names = [part.strip() for part in _BESIDE.split(name) if part.strip()]
    return [*names, *(word for each in names for word in each.split() if len(each.split()) > 1)]
