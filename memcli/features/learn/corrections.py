"""Apply corrections that the user makes: `no, in Cologne`, `不对，24度`, `not the tram, the bus`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memcli.features.learn.hits import values_of
from memcli.features.learn.language import Language, languages_of, normalized
from memcli.features.learn.statement import in_sentence
from memcli.features.learn.transcript import Utterance
from memcli.remember.atoms import SURE, Atom
from memcli.text.clean import one_line

PUT_RIGHT = "you put it right"
_EDGES = " \t,，.。!！~～"
_MEASURE = re.compile(r"\d+(?:[.:：]\d+)?")
_SHORT = 4  # words, or tens of characters, of a replacement, at most


def correction_in(text: str) -> dict[str, str]:
    """Return the right `value` when a message begins with a correction, else {}. Add the `wrong` one if it is named."""
    matches = (language.signs["corrects"].match(normalized(text).strip()) for language in languages_of(text))
    return next((values_of(match) for match in matches if match), {})


def corrected_atoms(proposal: str, right: dict[str, str], answer: Utterance, language: Language) -> Iterator[Atom]:
    """Yield the memories of a proposal, with the value that the user corrected."""
    value, wrong, quote = right["value"], right.get("wrong", ""), one_line(answer.text)
    place = frozenset({"agreed to"})
    for _, atom in in_sentence(proposal, answer.line, answer.at, PUT_RIGHT, place):
        shape = language.shapes.get("label" if atom.type == "label" else atom.key)
        replaced = shape.cut(value) if shape and wrong in atom.value else ""
        if shape and replaced and atom.type in ("profile", "label"):
            sure = atom.confidence if shape.is_sure(replaced) else SURE - 0.1
            yield replace(atom, text=replaced, value=replaced, confidence=sure, quote=quote)
    text, sure = _with_value(proposal.rstrip(_EDGES), _object(value, proposal, language), wrong, language)
    for _, atom in in_sentence(text, answer.line, answer.at, PUT_RIGHT, place) if text else ():
        if atom.type in ("preference", "fact", "decision"):
            likely = atom.confidence if atom.guessed and atom.type != "preference" else SURE
            yield replace(atom, confidence=min(likely, sure), quote=quote)


def with_new_value(text: str, more: str) -> str:
    """Return a text with the day or the number that `more` begins with. A named replacement works, too: `seven to
    five`. `before nine` and `not on Sundays` change nothing."""
    for language in languages_of(more):
        plain = language.signs["joint"].sub("", normalized(more)).strip(_EDGES)
        if says := language.signs["changes"].match(plain):
            return _whole_word(values_of(says)["wrong"]).sub(values_of(says)["value"], text)
        for sign in (language.signs["day"], _MEASURE):
            value, held = sign.match(plain), list(sign.finditer(text))
            if value and len(held) == 1:
                return f"{text[: held[0].start()]}{value[0]}{text[held[0].end() :]}"
    return text


def _whole_word(word: str) -> re.Pattern[str]:
    """Return a pattern for a word as a whole; between Chinese characters any position counts as a boundary."""
    return re.compile(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])")


def apply_second_thoughts(before: Sequence[Atom], message: Utterance) -> tuple[list[Atom], bool]:
    """Return the user's last memories as corrected by the message, and whether it corrects any: `no wait, Friday`.
    Lower the confidence of those that may be over: `sold it`."""
    plain = normalized(message.text).strip()
    for language in languages_of(message.text):
        match = language.signs["changes_mind"].match(plain)
        value = values_of(match).get("value", "") if match else ""
        found = [_now(atom, value, message, language) for atom in before] if value else list(before)
        if found != list(before):
            return found, True
        if match or language.signs["overtaken"].search(plain) or language.signs["corrects"].match(plain):
            return [replace(atom, confidence=min(atom.confidence, SURE - 0.01)) for atom in before], False
    return list(before), False


def _now(atom: Atom, value: str, message: Utterance, language: Language) -> Atom:
    text = with_new_value(atom.text, value)
    if text == atom.text and not atom.requested:  # a request keeps its words, but for its day or number
        text = _with_value(atom.text, _object(value, atom.text, language), "", language)[0] or atom.text
    if text == atom.text:
        return atom
    told = text if atom.value == atom.text else value if atom.value else ""
    sure = min(atom.confidence, SURE - 0.01)
    return replace(
        atom, text=text, value=told, confidence=sure, quote=one_line(message.text), line=message.line, why=PUT_RIGHT
    )


def _object(value: str, proposal: str, language: Language) -> str:
    """Return what is wished for, without a verb that the proposal already has: `喜欢24度`."""
    wish = language.signs["wished"].match(value)
    if not wish:
        return value
    verb = value[: wish.start(next(name for name, held in wish.groupdict().items() if held))]
    return value.removeprefix(verb) if len(verb) > 1 and verb in proposal else value


def _with_value(proposal: str, value: str, wrong: str, language: Language) -> tuple[str, float]:
    """Return a proposal with another value and the confidence in it; ("", 0.0) if nothing fits. Replace the words
    called wrong, else the only number, else the thing wished for."""
    if wrong:
        before, found, after = proposal.partition(wrong) if _whole_word(wrong).search(proposal) else ("", "", "")
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
