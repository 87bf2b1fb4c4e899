"""Find explicit requests to remember something: `Remember that …`, `…，帮我记一下`. The text is kept verbatim, or the user is
asked about it, even if no rule knows its type. The user is asked after pasted material and while they play a role.

The phrases are in `language/*/learn_talk.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.features.learn import frames
from memcli.features.learn.clauses import sentences, whose
from memcli.features.learn.frames import BLANK
from memcli.features.learn.hits import ASKS, ENDS, KEYED, trim_text
from memcli.features.learn.language import language_of, languages_of, normalized
from memcli.features.learn.transcript import Utterance
from memcli.remember.atoms import PASSING, SURE, Atom
from memcli.text import words
from memcli.text.clean import one_line

WHY = "you asked to have it remembered"
_COVERED = 0.7  # share of the words of a request that the memories must hold to replace it
_COLONS = (":", "：")
_GOES_ON = (";", "；")  # after these a list continues
_PAUSE = re.compile(r"[,，;；]\s*|\.\s+")


@dataclass(frozen=True)
class RememberRequest:
    """Hold a text to be remembered, verbatim. It is not `sure` if it may be an errand, a mere phrase, or somebody
    else's words."""

    words: str  # "" means the text beside the request
    quote: str  # the sentence it stands in
    line: int
    sure: bool = True
    type: str = "fact"


@dataclass(frozen=True)
class Sentence:
    """Hold a sentence as it was said, without quotes (`own`), and without pasted material, too (`meant`)."""

    text: str
    own: str
    meant: str
    line: int


def with_requests(found: Sequence[Atom], message: Utterance, wished: str = "", playing: bool = False) -> list[Atom]:
    """Return the memories of a message together with those that it explicitly asks for. `wished` is the user's message
    before. None is sure while the user is `playing` a role."""
    atoms = list(found)
    for request in _requests(message.text, wished):
        nobody = language_of(request.words).signs["somebody"].match(normalized(request.words))
        request = replace(request, sure=request.sure and not playing and not nobody)
        line = message.line + (0 if message.escaped else request.line)
        own = [
            atom
            for atom in atoms
            if atom.line == line
            and _is_within(atom.quote, request.quote)
            and _share(atom.text, request.words) >= _COVERED
        ]
        kept = list(_choose_atoms(own, replace(request, line=line), message))
        at = next((number for number, atom in enumerate(atoms) if atom in own), len(atoms))
        others = [atom for atom in atoms if atom not in own]
        atoms = [*others[:at], *kept, *others[at:]]
    return atoms


def _choose_atoms(found: Sequence[Atom], request: RememberRequest, message: Utterance) -> Iterator[Atom]:
    """Yield the memories that rules are sure of, and the whole request if these leave something out."""
    sure = [atom for atom in found if atom.confidence >= SURE and (atom.lasting or atom.type in PASSING)]
    yield from (replace(atom, requested=True) for atom in sure)
    if sure and _share(request.words, " ".join(f"{atom.key} {atom.value} {atom.text}" for atom in sure)) >= _COVERED:
        return
    alike = [atom for atom in found if atom.type not in KEYED and _share(request.words, atom.text) >= _COVERED]
    kind = alike[0].type if len(alike) == 1 else request.type
    confidence = SURE if request.sure else SURE - 0.01
    yield Atom(
        kind, request.words, confidence=confidence, quote=request.quote, line=request.line, why=WHY, at=message.at,
        lasting=kind not in PASSING, requested=True,
    )  # fmt: skip


def _requests(text: str, wished: str) -> Iterator[RememberRequest]:
    """Yield the requests of a message. A request without words of its own means the sentence before it, else those
    after it, else what the user said before the message."""
    told: list[Sentence] = []
    asked: list[RememberRequest | None] = []
    for sentence in _sentences(text):
        request = None if frames.asks_not_to_keep(sentence.text) else next(_asked(sentence), None)
        if told and not request and told[-1].text.endswith(_GOES_ON) and (last := asked[-1]) and last.words:
            told[-1] = _joined(told[-1], sentence)
            asked[-1] = next(_asked(told[-1]), last)
        else:
            told.append(sentence)
            asked.append(request)
    listing = False  # the sentences that follow are to be remembered
    for at, (request, sentence) in enumerate(zip(asked, told, strict=True)):
        if request and request.words:
            yield request
        elif request:
            listing = sentence.text.endswith(_COLONS) or (at == 0 and len(told) > 1)
            before = told[at - 1] if at else None
            if before and not listing and not asked[at - 1] and BLANK not in before.own:
                yield RememberRequest(_bare(before.text), one_line(before.text), before.line, request.sure)
            elif not listing and not at and wished.strip():
                yield RememberRequest(one_line(wished), request.quote, request.line, request.sure)
        elif listing and sentence.own.replace(BLANK, "").strip():
            yield RememberRequest(_bare(sentence.text), one_line(sentence.text), sentence.line)


def _sentences(text: str) -> Iterator[Sentence]:
    own, meant, at = frames.without_quotes(text), frames.without_foreign_words(text), 0
    for sentence, line in sentences(text):
        at = text.find(sentence, at)
        end = at + len(sentence)
        yield Sentence(sentence, own[at:end], meant[at:end], line)
        at = end


def _joined(one: Sentence, other: Sentence) -> Sentence:
    space = "" if one.text.endswith("；") else " "
    text, own, meant = map(space.join, ((one.text, other.text), (one.own, other.own), (one.meant, other.meant)))
    return Sentence(text, own, meant, one.line)


def _asked(sentence: Sentence) -> Iterator[RememberRequest]:
    """Yield the requests that a sentence may make, the likeliest first. One that only a later clause begins is not
    sure."""
    quote = one_line(sentence.text)
    for language in languages_of(sentence.text):
        signs, plain = language.signs, normalized(sentence.text)
        if plain.rstrip(ENDS).endswith(ASKS):
            asks = signs["request_asked"].match(plain)
            if not asks:
                continue
            plain = plain[: asks.start("tag")] if asks["tag"] else plain
        for sign, sure in (("request", True), ("request_loose", False), ("errand", False)):
            match = signs[sign].match(plain)
            words_ = _bare(sentence.text[match.end() : len(plain)]) if match else ""
            if match and BLANK not in sentence.own[: match.end()] and (words_ or sign == "request"):
                errand = sign == "errand" and whose(words_, language_of(words_ or quote)) not in ("user", "family")
                sure = sure and BLANK not in sentence.meant[: match.end()]
                yield RememberRequest(words_, quote, sentence.line, sure, "task" if errand else "fact")
        match = signs["request_behind"].search(plain)
        if match and match.start() and BLANK not in sentence.own[match.start() :]:
            sure = BLANK not in sentence.meant[match.start() :]
            yield RememberRequest(_bare(sentence.text[: match.start()]), quote, sentence.line, sure)
        for pause in _PAUSE.finditer(plain):
            match = signs["request"].match(plain[pause.end() :])
            end = pause.end() + match.end() if match else 0
            if match and BLANK not in sentence.meant[:end] and (words_ := _bare(sentence.text[end : len(plain)])):
                yield RememberRequest(words_, quote, sentence.line, sure=False)


def _bare(text: str) -> str:
    return trim_text(one_line(text)).rstrip("?？").removesuffix("吗")


def _is_within(quote: str, other: str) -> bool:
    return quote in other or other in quote or _share(quote, other) >= _COVERED


def _share(wanted: str, text: str) -> float:
    """Return the share of the words of `wanted` that `text` holds."""
    own = words.features(wanted)
    return len(own & words.features(text)) / len(own) if own else 1.0
