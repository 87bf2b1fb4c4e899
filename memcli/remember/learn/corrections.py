"""What the user says it is instead: `no, in Cologne`, `不对，24度`, `not the tram, the bus`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memcli.remember.learn.atoms import SURE, Atom
from memcli.remember.learn.hits import values
from memcli.remember.learn.language import Language, heard, spoken
from memcli.remember.learn.statement import in_sentence
from memcli.remember.learn.transcript import Message
from memcli.text.clean import one_line

PUT_RIGHT = "you put it right"
_EDGES = " \t,，.。!！~～"
_MEASURE = re.compile(r"\d+(?:[.:：]\d+)?")
_SHORT = 4  # words, or twice as many Chinese characters, of what takes the place of another thing, at most


def said_instead(text: str) -> dict[str, str]:
    """The value that is right, and the `wrong` one if it is named, where a message begins so."""
    matches = (language.signs["corrects"].match(heard(text).strip()) for language in spoken(text))
    return next((values(match) for match in matches if match), {})


def put_right(proposal: str, right: dict[str, str], answer: Message, language: Language) -> Iterator[Atom]:
    """What was proposed, with the value that the user says it has."""
    value, wrong, quote = right["value"], right.get("wrong", ""), one_line(answer.text)
    place = frozenset({"agreed to"})
    for _, atom in in_sentence(proposal, answer.line, answer.at, PUT_RIGHT, place):
        shape = language.shapes.get("label" if atom.type == "label" else atom.key)
        told = shape.cut(value) if shape and wrong in atom.value else ""
        if shape and told and atom.type in ("profile", "label"):
            sure = atom.confidence if shape.is_sure(told) else SURE - 0.1
            yield replace(atom, text=told, value=told, confidence=sure, quote=quote)
    text, sure = _with_value(proposal.rstrip(_EDGES), _object(value, proposal, language), wrong, language)
    for _, atom in in_sentence(text, answer.line, answer.at, PUT_RIGHT, place) if text else ():
        if atom.type in ("preference", "fact", "decision"):
            likely = atom.confidence if atom.guessed and atom.type != "preference" else SURE
            yield replace(atom, confidence=min(likely, sure), quote=quote)


def changed(text: str, more: str) -> str:
    """A proposal with what somebody who agrees to the rest has changed in it: a day, or `seven to five`."""
    for language in spoken(more):
        for sign in ("changes", "day"):
            says = language.signs[sign].search(heard(more))
            stands = list(language.signs[sign].finditer(text)) if sign == "day" else []
            old = (
                values(says).get("wrong", "")
                if says and sign == "changes"
                else stands[0][0]
                if len(stands) == 1
                else ""
            )
            if says and old and old in text:
                return text.replace(old, values(says).get("value", says[0]))
    return text


def _object(value: str, proposal: str, language: Language) -> str:
    """What is wished for, without the words of wishing where these stand in the proposal: `喜欢24度`."""
    wish = language.signs["wished"].match(value)
    if not wish:
        return value
    verb = value[: wish.start(next(name for name, held in wish.groupdict().items() if held))]
    return value.removeprefix(verb) if len(verb) > 1 and verb in proposal else value


def _with_value(proposal: str, value: str, wrong: str, language: Language) -> tuple[str, float]:
    """A proposal with another value in it, and how sure it is that this was meant: in place of what the user says is
    wrong, of the number there, or of what is wished for."""
    if wrong:
        before, found, after = proposal.partition(wrong)
        twice = after.strip() and value.endswith(after)  # "not aisle, window seats"
        return (f"{before}{value}{'' if twice else after}", SURE) if found else ("", 0.0)
    numbers = list(_MEASURE.finditer(proposal))
    if measure := _MEASURE.match(value):
        old = numbers[0] if len(numbers) == 1 else None
        unit = value[measure.end() :].strip()
        if not old or (unit and not proposal[old.end() :].lstrip().startswith(unit)):
            return "", 0.0
        return f"{proposal[: old.start()]}{measure[0]}{proposal[old.end() :]}", SURE
    wish = language.signs["wished"].search(proposal)
    if not wish or len(value.split()) > _SHORT or len(value) > 10 * _SHORT:
        return "", 0.0
    start, end = wish.span(next(name for name, held in wish.groupdict().items() if held))
    article, _, rest = value.partition(" ")
    if rest and proposal[:start].endswith(f" {article} "):  # "take the | the A9"
        value = rest
    return f"{proposal[:start]}{value}{proposal[end:]}", SURE - 0.1
