"""Find what was proposed to the user and how they answered: yes, "yes, but …", one of several options, or a repetition.

A proposal is kept whole, in the words of the user who agrees; rules only choose the type of memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.features.learn import corrections
from memcli.features.learn.answers import refuses
from memcli.features.learn.clauses import analyse_clause, sentences, whose
from memcli.features.learn.frames import BLANK, without_quotes
from memcli.features.learn.hits import ASKS, NAMELESS, slug, strip_joints
from memcli.features.learn.language import Language, language_of, languages_of, load_language, normalized
from memcli.features.learn.statement import in_sentence
from memcli.features.learn.transcript import Utterance
from memcli.message import Message
from memcli.remember.atoms import SURE, Atom
from memcli.text import words
from memcli.text.clean import one_line

_OFFERS = 3  # sentences at the end of a message that a yes may answer
_CLAUSES = 3  # clauses of an answer that are searched for a repeated proposal
_ECHO = 6  # the most words, or pairs of Chinese characters, of a repeated proposal
_ELLIPTIC = 5  # words, or pairs of Chinese characters, that make a proposal understandable alone
_SHORT_ADVICE = 24  # same unit: advice that is kept whole is at most so long
_NAMED = 3  # same unit: a text that names something has at least so many
_WISH = 20  # same unit: a question that is kept with its answer is at most so long
_EDGES = " \t,，.。;；!！~～"
_OPTION = re.compile(
    r"(?:^|(?<=[\s:：,，;；。?？])|(?=[①-⑤]))([A-E]|[1-5]|[①-⑤])(?:[).、:：）]|(?<=[①-⑤])|(?=\s))\s*(?=\S)"
)
_NAMES = ("ABCDE", "12345", "①②③④⑤")
_KEYED = ("profile", "label")


@dataclass(frozen=True)
class Yes:
    """Describe how the user agreed: their words, whether they decide something, what they add, and which words of the
    proposal they repeat."""

    words: str
    decides: bool = False
    more: str = ""
    echo: frozenset[str] = frozenset()


@dataclass(frozen=True)
class OfferedText:
    """Hold a proposal as it was said, and in the user's own words. `before` is the sentence before it, if the
    proposal refers to that."""

    offer: str
    text: str
    before: str = ""


def confirmed_atoms(asked: Utterance, answer: Utterance, wished: str = "") -> Iterator[Atom]:
    """Yield the memories of a proposal that the user agrees to, with the value they correct, if any. `wished` is
    what the user said before the proposal."""
    if option := _chosen(asked.text, answer.text):
        yield _decided(option, wished, Yes(one_line(answer.text)), answer)
        return
    said = [sentence for sentence, _ in sentences(asked.text)]
    yes = _agreement(answer.text, said)
    right = None if yes else corrections.correction_in(answer.text)
    found: list[Atom] = []
    for proposal in _proposals(asked.text) if yes or right else ():
        language = language_of(proposal.offer)
        if right:
            yield from (
                _named(atom, wished) for atom in corrections.corrected_atoms(proposal.text, right, answer, language)
            )
        elif yes and (yes.decides or not _only_advises(proposal.offer, language)):
            found += _agreed_to(proposal, yes, answer, wished, language)
    if yes and yes.decides and not found:
        found = [_decided(sentence, wished, yes, answer) for sentence in _advice(said, yes, wished)]
    yield from found


def _only_advises(offer: str, language: Language) -> bool:
    """Return whether the sentence only suggests something, so that a yes to it decides nothing."""
    return bool(language.signs["suggests"].search(plain := normalized(offer))) and not plain.rstrip().endswith(ASKS)


def _agreed_to(proposal: OfferedText, yes: Yes, answer: Utterance, wished: str, language: Language) -> Iterator[Atom]:
    """Yield the memories of a proposal; together they hold all of its words."""
    why, place = Message("you confirmed it: {words}", words=yes.words.strip(_EDGES)), frozenset({"agreed to"})
    found = [atom for _, atom in in_sentence(proposal.text, answer.line, answer.at, why, place)]
    standing = language.signs["standing"].search(normalized(proposal.offer))
    if proposal.before:  # the proposal refers to the sentence before, which holds the content
        found = [_with(proposal.before, atom, language) for atom in found if not atom.guessed]
    else:
        found = list(_whole(found, proposal.text, language))
    if not found and (standing or proposal.before):
        text = language.signs["opening"].sub("", proposal.text).strip(_EDGES)
        wish = proposal.before or language.signs["standing"].search(normalized(text))
        noted = language.signs["remembers"].search(normalized(proposal.offer)) and not wish
        if (
            standing and analyse_clause(text, "", language).time == "ahead"
        ):  # `note Saturday's rehearsal`, `remind me on Friday`
            found = [Atom("event" if noted else "task", text, lasting=False)]
        else:
            found = [_preference(text) if standing and not noted else Atom("fact" if noted else "decision", text)]
        found = [replace(atom, line=answer.line, why=why, at=answer.at, guessed=not standing) for atom in found]
    if not found and language.signs["concludes"].match(proposal.text):  # a conclusion about the user is a fact
        found = [Atom("fact", proposal.text, line=answer.line, why=why, at=answer.at, guessed=True)]
    righted = language.signs["puts_right"].search(normalized(answer.text))
    found = [_with_more(atom, yes.more) for atom in found if not (yes.more and atom.type in _KEYED)]
    for atom in (_named(atom, wished) for atom in found if not _is_of_the_other(atom, language)):
        unsure = (atom.guessed and not standing) or yes.more or righted
        sure = min(atom.confidence, SURE - 0.01) if unsure else max(atom.confidence, SURE)
        yield replace(atom, confidence=sure, quote=one_line(proposal.offer))


def _is_of_the_other(atom: Atom, language: Language) -> bool:
    """Return whether a memory is about the speaker of the proposal. An example is `I'll note it for you, I have an
    interview at three`. A wish about how that speaker acts still belongs to the user."""
    theirs = (
        atom.type not in ("preference", "decision")
        and whose(strip_joints(atom.text, language), language) == "assistant"
    )
    return theirs or bool(language.signs["of_the_other"].search(atom.text))


def _whole(found: Sequence[Atom], proposal: str, language: Language) -> Iterator[Atom]:
    """Yield the memories of a proposal, each extended over the words up to the next one. A road belongs to a thing to
    avoid, and words after a wish are part of it."""
    starts = [proposal.find(atom.text) for atom in found]
    if -1 in starts or starts != sorted(starts):
        yield from found
        return
    begun: list[tuple[int, Atom]] = []
    for start, atom in zip(starts, found, strict=True):
        last = begun[-1][1] if begun else None
        if last and last.type not in (*_KEYED, "fact", "event") and atom.type not in _KEYED:
            continue
        begun.append((start, atom))
    for number, (start, atom) in enumerate(begun):
        first = 0 if number == 0 and atom.type not in _KEYED else start
        end = begun[number + 1][0] if number + 1 < len(begun) else len(proposal)
        text = language.signs["opening"].sub("", proposal[first:end]).strip(_EDGES)
        text = language.signs["tail"].sub("", text) or text
        if atom.type in _KEYED or len(text) <= len(atom.text):
            yield atom
        elif atom.type == "preference":
            named = atom.key not in (slug(atom.text), NAMELESS)
            key = atom.key if named else slug(text) or NAMELESS
            yield replace(atom, text=text, key=key, value=text if atom.value == atom.text else atom.value)
        else:
            turned = atom.type == "fact" and first < start and language.signs["standing"].search(text)
            yield replace(_preference(text, atom) if turned else atom, text=text)


def _preference(text: str, atom: Atom | None = None) -> Atom:
    wish = Atom("preference", text, slug(text) or NAMELESS, text)
    return replace(atom, type=wish.type, text=text, key=wish.key, value=text) if atom else wish


def _with_more(atom: Atom, more: str) -> Atom:
    """Return a memory with the condition that the user added, or with the other day that they named."""
    if not more:
        return atom
    text = corrections.with_new_value(atom.text, more)
    if text == atom.text:
        text = f"{text}{'，' if words.CJK_RUN.search(more) else ', '}{more}"
    return replace(atom, text=text, value=text if atom.value == atom.text else atom.value)


def _with(before: str, atom: Atom, language: Language) -> Atom:
    """Put the sentence before in front of a memory that refers to it (`this road`)."""
    if not language.signs["refers"].search(normalized(atom.text)):
        return atom
    text = f"{language.signs['opening'].sub('', before).strip(_EDGES)}: {atom.text}"
    return replace(atom, text=text, key=slug(text) if atom.key else "", value=text if atom.value else "")


def _named(atom: Atom, wished: str) -> Atom:
    """Put the user's earlier words in front of a wish that names nothing: `下次别走`, `avoid it`, `Wednesday`."""
    *_, last = [""] + [sentence for sentence, _ in sentences(wished)]
    signs = language_of(atom.text).signs
    points = signs["nameless"].fullmatch(atom.key.replace("_", " ")) or signs["points"].search(atom.text)
    says_all = not points and len(words.features(atom.text)) >= _NAMED
    if atom.type in _KEYED or says_all or len(words.sequence(last)) < 2 or ": " in atom.text:
        return atom
    text = f"{last.strip(_EDGES + '?？')}: {atom.text}"
    return replace(atom, text=text, key=slug(text) if atom.key else "", value=text if atom.value else "")


def _proposals(asked: str) -> Iterator[OfferedText]:
    """Yield the last proposals of a message, one per sentence. Add the sentence before if they refer to it: `Make it
    your default?`."""
    before = ""
    for offer in [sentence for sentence, _ in sentences(without_quotes(asked))][-_OFFERS:]:
        language = language_of(offer)
        proposal = language.proposed(normalized(offer)).strip(_EDGES)
        only_refers = _only_refers(proposal, language)
        refers = before.rstrip(_EDGES) if only_refers or language.signs["refers"].search(proposal) else ""
        if only_refers:  # the sentence only asks to keep what was said before
            proposal, refers, offer = refers, "", f"{before} {offer}"
        before = language.in_own_words(normalized(offer))
        if proposal and BLANK not in proposal + refers and not language.signs["either"].search(normalized(offer)):
            says_more = not refers or slug(proposal).count("_")  # `make it 8 am`; `make it your default` does not
            yield OfferedText(offer, f"{refers}: {proposal}" if refers and says_more else refers or proposal, refers)


def _only_refers(proposal: str, language: Language) -> bool:
    """Return whether a proposal names nothing itself: `remind me`, `note that down`."""
    rest = language.signs["standing"].sub(" ", language.signs["remembers"].sub(" ", proposal))
    return bool(language.signs["refers"].fullmatch(proposal)) or all(map(words.is_stop, words.sequence(rest)))


def _advice(sentences: Sequence[str], yes: Yes, wished: str) -> Sequence[str]:
    """Return the sentences that the user adopts from a message. It is the one whose words they repeat, all of a
    short advice, or else one that sounds like advice or answers their question."""
    plain = [sentence for sentence in sentences if not normalized(sentence).rstrip().endswith(ASKS)]
    if yes.echo:
        again = [sentence for sentence in plain if yes.echo & words.features(normalized(sentence))][:1]
        several = any(language_of(each).signs["several"].search(normalized(each)) for each in again)
        return [yes.words] if several else again  # the user names one of several options
    advice = [sentence for sentence in plain if language_of(sentence).signs["advises"].search(normalized(sentence))]
    if not (advice or _asks(wished)):
        return []
    whole = " ".join(plain)
    return [whole] if len(words.features(whole)) <= _SHORT_ADVICE else advice[-1:] or plain[:1]


def _decided(sentence: str, wished: str, yes: Yes, answer: Utterance) -> Atom:
    """Return a decision that is confirmed before it is kept. Its subject is put in front if the sentence doesn't
    name it."""
    language, told = language_of(sentence), normalized(sentence)
    text = (told if sentence == yes.words else language.in_own_words(told)).strip(_EDGES)  # the user's own "my" stays
    *_, last = [""] + [each for each, _ in sentences(wished)]
    elliptic = _asks(wished) or len(words.features(text)) < _ELLIPTIC
    if elliptic and slug(last) and len(words.features(last)) <= _WISH:
        text = f"{normalized(last).rstrip('?？ ' + _EDGES)}: {text}"
    atom = Atom("decision", text)
    if language.signs["standing"].search(normalized(f"{text} {answer.text}")):
        atom = _preference(text)
    why = Message("you confirmed it: {words}", words=yes.words.strip(_EDGES))
    atom = replace(atom, confidence=SURE - 0.01, quote=one_line(sentence), line=answer.line, why=why, at=answer.at)
    return _with_more(atom, yes.more)


def _asks(text: str) -> bool:
    """Return whether the user asks which option to take."""
    return any(language.signs["wants_to_choose"].search(normalized(text)) for language in languages_of(text))


def _echo(plain: str, sentences: Sequence[str]) -> frozenset[str]:
    """Return the words of a proposal that an answer repeats at its beginning or after a yes. The set is empty if it
    repeats none."""
    language = language_of(plain)
    heads = [language.signs["echo_aside"].sub(" ", clause) for clause in re.split(r"[,，.。!！;；\n]", plain)]
    whole = words.features(normalized(" ".join(sentences)))
    for told in [told for told in map(words.features, heads) if told][:_CLAUSES]:
        says = any(not words.is_stop(word) or word.isdigit() for word in told)
        if says and len(told) <= _ECHO and told <= whole and not plain.endswith(ASKS):
            return told
    return frozenset()


def _chosen(asked: str, answer: str) -> str:
    """Return the option that the user picks from a list, or "" if they pick none."""
    marks = list(_OPTION.finditer(asked))
    names = [match[1] for match in marks]
    if len(marks) < 2 or not any(kind.startswith("".join(names)) for kind in _NAMES):
        return ""
    matches = (
        language.signs["picks"].match(normalized(answer).strip())
        for language in languages_of(answer) or [load_language("en")]
    )
    picked = next((match[0] for match in matches if match), "")
    ends = [*(match.start() for match in marks[1:]), len(asked)]
    parts = (re.split(r"[。\n]", asked[match.end() : end])[0] for match, end in zip(marks, ends, strict=True))
    options = dict(zip(names, parts, strict=True))
    chosen = [options[name] for name in re.findall(r"[A-E]\b|[1-5]|[①-⑤]", picked.upper()) if name in options]
    return "; ".join(part.strip(" ,，;；") for part in chosen)


def _agreement(text: str, said: Sequence[str]) -> Yes | None:
    """Return how the user said yes, or None if the message doesn't begin with a yes."""
    plain = normalized(text).strip()
    echo = frozenset() if refuses(plain) else _echo(plain, said)
    for language in languages_of(text) or [language_of(text)]:
        if language.signs["turned_down"].match(plain):
            return None
        if match := language.signs["half"].match(plain):
            name, more = next((name, words) for name, words in match.groupdict().items() if words)
            return Yes(plain[: match.start(name)].strip(_EDGES), True, one_line(more).strip(_EDGES))
        takes = language.signs["takes"].match(plain)
        if match := takes or language.signs["yes"].match(plain):
            decides = takes or language.signs["decides"].search(plain) or echo
            return Yes(one_line(match[0]), bool(decides), echo=echo)
    return Yes(one_line(text), True, echo=echo) if echo else None
