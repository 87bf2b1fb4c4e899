"""Find the user's answers to questions about them, and wishes to make something done once a rule from now on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from memcli.features.learn import corrections
from memcli.features.learn.clauses import cut_statement, sentences
from memcli.features.learn.frames import BLANK
from memcli.features.learn.hits import NAMELESS, slug, values_of
from memcli.features.learn.language import Ask, Language, language_of, languages_of, normalized
from memcli.features.learn.transcript import Utterance
from memcli.remember.atoms import SURE, Atom
from memcli.text import words
from memcli.text.clean import one_line

_SHORT = 8  # words, or pairs of Chinese characters, of a bare answer, at most; twice that for `standing_again`
_LONGEST = 200  # characters of a sentence that makes something a rule from now on
_EDGES = " \t,，.。!！~～"
_LIST = re.compile(r"[,，、;；]\s*|\s+(?:and|&)\s+")


def answer_atoms(asked: Utterance, answer: Utterance, found: Sequence[Atom], wished: str = "") -> Iterator[Atom]:
    """Yield memories from the user's answers to questions about them, where the answer alone would mean nothing.
    `wished` is the user's message before the questions."""
    replies = [sentence for sentence, _ in sentences(answer.text) if not _only_sounds(sentence)]
    low = [normalized(sentence) for sentence, _ in sentences(asked.text)]
    told = {atom.key for atom in found if not atom.guessed} - {""}
    questions = _questions(low)
    several = len(questions) > 1
    if several:  # each question has one answer
        questions = [asks for asks in questions if not told & {ask.key for ask in asks}]
    for first in replies[: len(questions) if several else 1]:
        if BLANK in first or normalized(first).rstrip().endswith(("?", "？")) or refuses(first):
            return
        language = language_of(first)
        for text in _replies(first, found, several, language):
            bare = language.signs["tail"].sub("", language.signs["joint"].sub("", normalized(text)))
            reply = _reply(bare, questions, " ".join([normalized(wished), *low]), language)
            if not reply:
                continue
            ask, about, value, sure = reply
            keyed = ask.type in ("profile", "label")
            yield Atom(
                ask.type, value, about if keyed else "", value if keyed else "",
                "address" if ask.type == "label" else "", True, sure, one_line(first),
                answer.line, "you answered it", True, answer.at,
            )  # fmt: skip
            if several:
                questions = [asks for asks in questions if ask not in asks]
            elif sure == SURE:
                questions = [[other for other in asks if other != ask] for asks in questions]


def of_whom(atom: Atom, asked: str) -> Atom:
    """Return a memory that answers a question about the family as a fact to be asked about. `大名顾念慈` after a question
    about a daughter is not the user's own name."""
    if atom.type != "profile" or not asked.strip():
        return atom
    *_, last = [normalized(sentence) for sentence, _ in sentences(asked)]
    language = language_of(last)
    of_family = any(ways.search(last) for name, ways in language.classes["about"] if name in ("family", "pet"))
    if not of_family or language_of(atom.quote).signs["mine"].search(normalized(atom.quote)):
        return atom
    text = f"{language.in_own_words(last).strip(_EDGES + '?？')}: {atom.text}"
    return replace(atom, type="fact", text=text, key="", value="", confidence=min(atom.confidence, SURE - 0.01))


def _replies(sentence: str, found: Sequence[Atom], several: bool, language: Language) -> Iterator[str]:
    """Yield the parts of a sentence that may be answers and hold nothing found before. With several questions, split
    the parts at commas, too."""
    ruled = [atom for atom in found if not atom.guessed]
    covered = " ".join(f"{atom.text} {atom.value}" for atom in ruled)
    for piece in cut_statement(sentence, language):
        for part in _LIST.split(piece) if several else [piece]:
            text = part.strip(_EDGES)
            known = any(atom.value and atom.value in text for atom in ruled) if several else text in covered
            if text and not known and _length(text) <= _SHORT and not language.signs["yes"].fullmatch(normalized(text)):
                yield text


def _reply(
    bare: str, questions: Sequence[Sequence[Ask]], wished: str, language: Language
) -> tuple[Ask, str, str, float] | None:
    """Return the question that the words answer, the key, the value and the confidence, or None. Of several
    questions the one with the best fitting answer wins; otherwise the first."""
    fits = []
    for ask in (ask for asks in questions for ask in asks):
        shape, about = language.shapes.get(ask.key), ask.about(wished)
        value = shape.cut(bare) if shape else bare.strip(_EDGES)
        if value and about:
            fits.append((ask, about, value, SURE if shape and shape.only and shape.is_sure(value) else SURE - 0.1))
    return max(fits, key=lambda fit: fit[3] if len(questions) > 1 else 0.0, default=None)


def is_told(atom: Atom, replies: Sequence[Atom]) -> bool:
    """Return whether an atom repeats an answer or a correction, or is a guess that holds only a yes."""
    right = [reply for reply in replies if reply.why == corrections.PUT_RIGHT and reply.quote.startswith(atom.quote)]
    if any(atom.guessed or (atom.type == reply.type and atom.value in reply.value) for reply in right):
        return True
    if not atom.guessed:
        return False
    if atom.key == NAMELESS and any(reply.key not in ("", NAMELESS) for reply in replies):
        return True
    if any(language.signs["takes"].match(normalized(atom.text)) for language in languages_of(atom.text)):
        return bool(replies)  # `agreed, let's go with that`
    return says_only_yes(atom.text) or any(
        reply.text and (reply.text in atom.text or atom.text in reply.text) for reply in replies
    )


def says_only_yes(text: str) -> bool:
    return any(language.signs["yes"].fullmatch(normalized(text).strip()) for language in languages_of(text))


def _only_sounds(sentence: str) -> bool:
    """Return whether a sentence is only an interjection: `mm`."""
    bare = normalized(sentence).strip(_EDGES)
    return bool(bare) and not language_of(sentence).signs["opening"].sub("", f"{bare}. ").strip()


def _questions(sentences: Sequence[str]) -> list[list[Ask]]:
    """Return the kinds of questions asked, each once. They form one question, or one list per question where commas
    part them."""

    def asks(text: str) -> Iterator[Ask]:
        return (ask for language in languages_of(text) for ask in language.asks if ask.pattern.search(text))

    asking = [sentence for sentence in sentences if any(asks(sentence))]
    clauses = [f"{clause.rstrip('?？ ')}?" for sentence in asking for clause in _LIST.split(sentence)]
    parts = [dict.fromkeys(asks(clause)) for clause in clauses]
    apart = [list(part) for at, part in enumerate(parts) if any(part) and part not in parts[:at]]
    return apart if len(apart) > 1 else [list(dict.fromkeys(ask for each in asking for ask in asks(each)))]


def _length(text: str) -> int:
    return len(words.WORD.findall(text)) + len("".join(words.CJK_RUN.findall(text))) // 2


def is_no(text: str) -> bool:
    """Return whether a text says only no."""
    plain = normalized(text).strip(_EDGES)
    return any(language.signs["no"].fullmatch(plain) for language in languages_of(text))


def refuses(text: str) -> bool:
    """Return whether a text begins with a no."""
    return any(language.signs["no"].match(normalized(text).strip()) for language in languages_of(text))


def standing_again(sentence: str, before: str, line: int, at: datetime | None) -> Atom | None:
    """Return a preference if a sentence makes something done once a rule from now on, else None. Examples are
    `空调24度，那个以后都这样` and `Always do it like that`. The value may be repeated: `空调24度，以后都24度`."""
    language = language_of(sentence)
    head, comma, tail = sentence.rpartition("，" if "，" in sentence else ",")
    once, says = (head, tail) if comma else (before, sentence)
    once = corrections.correction_in(once).get("value", once)
    text = language.signs["opening"].sub("", once).strip(_EDGES)
    says = normalized(says).strip(_EDGES)
    if len(says) > _LONGEST:
        return None
    again = language.signs["again"].fullmatch(says) or language.signs["repeats"].fullmatch(says)
    if not again or not slug(text) or text.endswith(("?", "？")):
        return None
    if (not comma and is_no(once)) or says_only_yes(once) or _length(text) > 2 * _SHORT:
        return None
    value = values_of(again).get("value", "")
    plain = normalized(text)
    state = language.signs["own"].search(plain) and not language.signs["wished"].search(plain)
    if value and (state or value not in plain):
        return None
    why = "to hold from now on, as you said"
    key = slug(plain.replace(value, " ") if value else text) or slug(text)
    return Atom("preference", text, key, value or text, "", True, SURE - 0.01, one_line(sentence), line, why, True, at)
