"""Let a question find what goes by another name: 老婆 finds notes about 叶敏, where a label says who that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcli.recall.query import USER, Query, names_of_speaker
from memcli.text import phrases, words
from memcli.text.hanzi import traditional
from memcli.text.later import compile_later
from memcli.text.words import Form, Term
from memcli.vault.labels import Label

MOST = 50  # forms of a term; each is a pattern of the search
_OWN = compile_later("^(?:the|my|our) |^我们?的(?=..)")  # "the vet" is meant in "my vet"


def add_other_names(question: Query, labels: Iterable[Label]) -> Query:
    """Return a question whose words for a label's name also find its other names."""
    terms = question.terms
    for label in labels:
        names = label.all_names
        for said in names if len(names) > 1 else ():
            if mentions(question.raw, said):
                forms = tuple(form for other in names if other != said for form in _find_forms(other))
                terms = tuple(_with_forms(term, forms) if _is_part_of(term, said) else term for term in terms)
    return question._replace(terms=terms)


def mentions(text: str, name: str) -> bool:
    """Return whether a text has a name in it, in any form; the name of whoever speaks, such as "me", is none."""
    name, full, text = _OWN.sub("", name.strip().lower()), name.strip().lower(), text.lower()
    if not name or name in names_of_speaker(USER) or (name != full and _is_anothers(text, name)):
        return False
    # 家 is meant in 回家 and 我家, not in 大家 or 家具; 妈 in 妈妈.
    if len(name) == 1 and words.CJK_RUN.fullmatch(name):
        before, after = (phrases.ways("recall", f"{side} one sign", "zh") for side in ("before", "after"))
        return bool(re.search(rf"(?:^|[^{words.CJK}]|{before})\s*{name}{{1,2}}(?:{after}|[^{words.CJK}]|$)", text))
    if words.WORD.fullmatch(name):
        said = words.words(text)
        return name in said or words.stem(name) in {words.stem(word) for word in said if not words.is_stop(word)}
    return name.replace("的", "") in text.replace("的", "")  # 苏晴工作室 is 苏晴的工作室


def _is_anothers(text: str, name: str) -> bool:
    """Return whether a text speaks of what somebody else has: 林医生的手机, "Anna's phone", "her phone"."""
    return bool(
        re.search(rf"(?<![我们咱])的{re.escape(name)}|(?:['’]s|\b(?:his|her|their|your)) {re.escape(name)}", text)
    )


def _is_part_of(term: Term, name: str) -> bool:
    name = name.lower()
    if term.text.isascii():
        return term.text in words.words(name)
    return term.text in name or (len(name) == 1 and name in term.text)  # 我妈 and 妈妈 have 妈


def _with_forms(term: Term, forms: tuple[Form, ...]) -> Term:
    known = {form.literal for form in term.forms}
    new = [form for form in forms if form.literal not in known]
    return term._replace(forms=(*term.forms, *new[: max(0, MOST - len(term.forms))]))


def _find_forms(name: str) -> Iterator[Form]:
    """Yield what finds a name in a text. Of a person's full name the first word is enough."""
    low = name.lower()
    if words.CJK_RUN.search(low):
        yield from (words.literal(each) for each in dict.fromkeys((low, traditional(low))) if len(each) > 1)
        return
    parts = low.split()
    if all(map(words.is_stop, words.words(low))):
        return
    if len(parts) == 1 or all(part[0].isupper() for part in name.split()):
        yield words.whole(parts[0])
    if len(parts) > 1:
        yield words.literal(low)
