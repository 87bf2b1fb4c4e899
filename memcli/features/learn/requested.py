"""Find what the user asks outright to have remembered: `Remember that …`, `…，帮我记一下`. It is kept as it was said or asked
about, even if no rule knows its type.

The phrases are in `language/*/learn_talk.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.features.learn.clause import whose
from memcli.features.learn.clauses import sentences
from memcli.features.learn.frames import BLANK
from memcli.features.learn.hits import ASKS, ENDS, KEYED, stripped
from memcli.features.learn.language import heard, language_of, spoken
from memcli.features.learn.transcript import Message
from memcli.remember.atoms import PASSING, SURE, Atom
from memcli.text import words
from memcli.text.clean import one_line

WHY = "you asked to have it remembered"
_COVERED = 0.7  # share of the words of a request that the memories must hold to replace it
_COLONS = (":", "：")


@dataclass(frozen=True)
class Request:
    """Hold a text to be remembered, as it was said. It is not `sure` if it may be an errand or a mere phrase."""

    words: str  # "" means what stands beside the request
    quote: str  # the sentence it stands in
    line: int
    sure: bool = True
    type: str = "fact"


def with_requests(found: Sequence[Atom], message: Message, meant: str, wished: str = "") -> list[Atom]:
    """Return the memories of a message with what it asks outright to be remembered. `meant` is its text with what
    others say blanked out, `wished` is what the user had said before."""
    atoms = list(found)
    for request in _requests(message.text, meant, wished):
        line = message.line + (0 if message.escaped else request.line)
        own = [atom for atom in atoms if atom.line == line and _is_within(atom.quote, request.quote)]
        kept = list(_kept(own, replace(request, line=line), message))
        at = next((number for number, atom in enumerate(atoms) if atom in own), len(atoms))
        others = [atom for atom in atoms if atom not in own]
        atoms = [*others[:at], *kept, *others[at:]]
    return atoms


def _kept(own: Sequence[Atom], request: Request, message: Message) -> Iterator[Atom]:
    """Yield the memories that rules are sure of, and the whole request if these leave something out."""
    sure = [atom for atom in own if atom.confidence >= SURE and (atom.lasting or atom.type in PASSING)]
    yield from (replace(atom, requested=True) for atom in sure)
    if sure and _share(request.words, " ".join(f"{atom.key} {atom.value} {atom.text}" for atom in sure)) >= _COVERED:
        return
    alike = [atom for atom in own if atom.type not in KEYED and _share(request.words, atom.text) >= _COVERED]
    kind = alike[0].type if len(alike) == 1 else request.type
    confidence = SURE if request.sure else SURE - 0.01
    yield Atom(
        kind, request.words, confidence=confidence, quote=request.quote, line=request.line, why=WHY, at=message.at,
        lasting=kind not in PASSING, requested=True,
    )  # fmt: skip


def _requests(text: str, meant: str, wished: str) -> Iterator[Request]:
    """Yield the requests of a message. A request without words of its own means the sentence before it, else those
    after it, else what the user said before the message."""
    told = list(_sentences(text, meant))
    asked = [_asked(sentence, own, line) for sentence, own, line in told]
    listing = False  # the sentences that follow are to be remembered
    for at, (request, (sentence, own, line)) in enumerate(zip(asked, told, strict=True)):
        if request and request.words:
            yield request
        elif request:
            listing = sentence.endswith(_COLONS) or (at == 0 and len(told) > 1)
            before = told[at - 1] if at else None
            if before and not listing and not asked[at - 1] and BLANK not in before[1]:
                yield Request(_bare(before[0]), one_line(before[0]), before[2])
            elif not listing and not at and wished.strip():
                yield Request(one_line(wished), one_line(sentence), line)
        elif listing and own.replace(BLANK, "").strip():
            yield Request(_bare(sentence), one_line(sentence), line)


def _sentences(text: str, meant: str) -> Iterator[tuple[str, str, int]]:
    """Yield the sentences of a text as said and as meant, each with the number of line feeds before it."""
    at = 0
    for sentence, line in sentences(text):
        at = text.find(sentence, at)
        yield sentence, meant[at : at + len(sentence)], line
        at += len(sentence)


def _asked(sentence: str, own: str, line: int) -> Request | None:
    """Return the request that a sentence makes, or None."""
    plain = heard(sentence)
    for language in spoken(sentence):
        signs = language.signs
        asks = plain.rstrip(ENDS).endswith(ASKS) and not signs["request_asked"].match(plain)
        for sign, sure in (("request", True), ("request_loose", False), ("errand", False)):
            match = signs[sign].match(plain)
            if not match or asks or BLANK in own[: match.end()]:
                continue
            words_ = _bare(sentence[match.end() :])
            if not words_ and sign != "request":
                continue
            errand = sign == "errand" and whose(words_, language_of(words_ or sentence)) not in ("user", "family")
            return Request(words_, one_line(sentence), line, sure, "task" if errand else "fact")
        match = signs["request_behind"].search(plain)
        if match and not asks and match.start() and BLANK not in own[match.start() :]:
            return Request(_bare(sentence[: match.start()]), one_line(sentence), line)
    return None


def _bare(text: str) -> str:
    return stripped(one_line(text)).rstrip("?？").removesuffix("吗")


def _is_within(quote: str, other: str) -> bool:
    return quote in other or other in quote or _share(quote, other) >= _COVERED


def _share(wanted: str, said: str) -> float:
    """Return the share of the words of `wanted` that `said` holds."""
    own = words.features(wanted)
    return len(own & words.features(said)) / len(own) if own else 1.0
