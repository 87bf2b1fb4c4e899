"""Join Chinese verbs with their objects, which a question sets apart and notes write together: 爬了哪些山 is 爬山."""

from __future__ import annotations

import re

from memcli.text import phrases
from memcli.text.words import CJK_RUN


def join_verbs(text: str) -> str:
    """Return a question without what stands between a verb and an object of one character each. Both must stand alone:
    the object at the end of its clause, the verb at the beginning or behind a pronoun."""
    if not CJK_RUN.search(text):
        return text
    no_verb, no_object, leads = (
        phrases.words_of("recall", sign, ("zh",)) for sign in ("no verb alone", "no object alone", "before a verb")
    )

    def joined(between: re.Match[str]) -> str:
        lead, verb = text[: between.start()][-2:-1], text[: between.start()][-1:]
        thing, behind = text[between.end() :][:1], text[between.end() :][1:2]
        are_words = verb not in no_verb and thing not in no_object and CJK_RUN.match(verb) and CJK_RUN.match(thing)
        is_apart = not CJK_RUN.match(behind) and (lead in leads or not CJK_RUN.match(lead))
        return "" if are_words and is_apart else between[0]

    return phrases.pattern("recall", "between verb and object", ("zh",)).sub(joined, text)
