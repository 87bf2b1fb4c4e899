"""Find memories in messages by rules, which consider the speaker, and later messages that retract or confirm earlier
ones.

`statement` handles single sentences; `answers` and `agreement` handle the user's answers and agreements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memcli.features.learn import agreement, answers, corrections, explicit_request, frames
from memcli.features.learn.clauses import sentences
from memcli.features.learn.hits import ASKS, ENDS, slug, strip_joints
from memcli.features.learn.language import language_of, languages_of, normalized
from memcli.features.learn.parts import SentenceContext
from memcli.features.learn.statement import in_sentence
from memcli.features.learn.transcript import USER, Utterance
from memcli.remember.atoms import SURE, Atom
from memcli.remember.proposals import is_within
from memcli.text import words
from memcli.text.later import compile_later
from memcli.text.telling_signs import TELLING_SIGN

_FRAGMENT = 6  # words, or pairs of Chinese characters, of an answer that is not a statement, at most
_ALIKE = 0.8
_LOOK_BACK = 500  # atoms compared with a new one, so that long conversations stay fast

# The comma before a second thought, which ends what was said first: I live in Leeds, no wait, York.
_SECOND_THOUGHT = compile_later(
    r"[，,](?= ?(?:[哎哦噢啊呃]?不对|哦不|不不)[，,]| (?:no,? wait|wait,? no|sorry,? no)\b)", re.I
)


def find_atoms(messages: Sequence[Utterance]) -> list[Atom]:
    """Return the memories of a conversation, by rules: from the user's statements, answers and agreements."""
    atoms: list[Atom] = []
    asked: Utterance | None = None
    wished = ""  # what the user said before they were asked
    open: tuple[Utterance, str] | None = None  # a proposal that they asked about first, and their words before it
    last = 0  # where the memories of the user's last message begin
    playing = False
    for message in messages:
        if message.role != USER:
            asked = message
            continue
        playing = (playing or frames.begins_role(message.text)) and not frames.ends_role(message.text)
        if playing:
            atoms += explicit_request.with_requests([], message, playing=True)
        else:
            own = replace(message, text=frames.without_foreign_words(message.text))
            first = next(sentences(own.text), ("", 0))[0]
            if frames.takes_back(first):
                del atoms[last:]
            elif frames.says_it_was_a_joke(first):
                atoms[last:] = [atom for atom in atoms[last:] if atom.requested]
            asks = asked is not None and normalized(asked.text).rstrip(ENDS).endswith(ASKS)
            said = asked.text if asked else ""
            found = _in_message(own, frozenset({"behind a question"} if asks else ()), said, wished)
            found = [answers.of_whom(atom, said) for atom in found]
            if asks:
                found = [atom for atom in found if not answers.is_no(atom.quote)]
            taken: list[Atom] = []
            if asked:
                taken = list(agreement.confirmed_atoms(asked, own, wished))
                if not taken and open:
                    taken = list(agreement.confirmed_atoms(open[0], own, open[1]))
                replies = [*taken, *answers.answer_atoms(asked, own, found, wished)]
                open = None if open or taken else (asked, wished)
                found = [*replies, *(atom for atom in found if not answers.is_told(atom, replies))]
            if not taken:
                atoms[last:], better = corrections.apply_second_thoughts(atoms[last:], own)
                found = [atom for atom in found if not (better and atom.guessed)]
            if asks and asked and not answers.refuses(own.text):
                found = list(_with_questions(found, asked.text))
            found = explicit_request.with_requests(found, message, "" if taken else wished)
            last = len(atoms)
            atoms += [replace(atom, scope=_scope(atom, message)) for atom in found]
        asked, wished = None, message.text
    return without_repeats(atoms)


def _in_message(message: Utterance, behind: frozenset[str], asked: str, wished: str = "") -> list[Atom]:
    """Return the memories of each sentence. A sentence may take back the one before it, or say how long that holds.
    `behind`, `asked` and `wished` describe what came before the message."""
    found: list[list[Atom]] = []
    *_, earlier = [""] + [sentence for sentence, _ in sentences(wished)]
    before, supposed = "", False
    spoken = list(sentences(_SECOND_THOUGHT.sub(lambda comma: "。" if comma[0] == "，" else ".", message.text)))
    asking = {at for at, (sentence, _) in enumerate(spoken) if normalized(sentence).rstrip(ENDS).endswith(ASKS)}
    for at, (sentence, line) in enumerate(spoken):
        place = behind | ({"in a message that asks"} if len(asking) > (at in asking) else set())
        language = language_of(sentence)
        if found and (language.signs["taken_back"].search(normalized(sentence)) or frames.takes_back(sentence)):
            found.pop()
            continue
        if frames.asks_not_to_keep(sentence):
            continue
        line = message.line + (0 if message.escaped else line)
        if found:
            found[-1], better = corrections.apply_second_thoughts(found[-1], replace(message, text=sentence, line=line))
            if better:
                continue
        if (again := answers.standing_again(sentence, before or earlier, line, message.at)) and not any(found[-1:]):
            found.append([again])
            continue
        if before and found and language.signs["bare"].fullmatch(strip_joints(normalized(sentence), language)):
            found.pop()
            sentence, before = f"{before.rstrip(ENDS)}, {sentence}", ""
        supposed = supposed or bool(language.signs["supposes"].search(normalized(sentence)))
        after = normalized(spoken[at + 1][0]) if at + 1 < len(spoken) else ""
        around = SentenceContext(normalized(before), normalized(asked) if at == 0 else "", after)
        stated = [atom for _, atom in in_sentence(sentence, line, message.at, place=place, around=around)]
        unsure = SURE - 0.01 if supposed else 1.0
        found.append([replace(atom, confidence=min(atom.confidence, unsure)) for atom in stated])
        before = sentence
    return [atom for atoms in found for atom in atoms]


def _with_questions(found: Sequence[Atom], asked: str) -> Iterator[Atom]:
    """Yield the atoms, putting the question in front of answers that mean nothing alone: `size boots: 43`."""
    questions = [sentence for sentence, _ in sentences(asked) if normalized(sentence).rstrip().endswith(ASKS)]
    for atom in found:
        topic = _topic(questions[0]) if questions and _is_fragment(atom) else ""
        if topic and len(questions) > 1:
            questions = questions[1:]
        yield replace(atom, text=f"{topic}: {atom.text}") if topic else atom


def _is_fragment(atom: Atom) -> bool:
    if atom.type != "fact" or len(words.features(atom.text)) > _FRAGMENT:
        return False
    own = (language.signs[sign] for language in languages_of(atom.text) for sign in ("mine", "own"))
    return not any(sign.search(normalized(atom.text)) for sign in own)


def _topic(question: str) -> str:
    """Return the subject of a question in a few words, or "" if it only offers help or lists the answers itself."""
    language = language_of(question)
    own = language.in_own_words(normalized(question))
    if any(language.signs[sign].search(normalized(question)) for sign in ("greets", "either")):
        return ""
    return own.strip(" ?？") if language.signs["negates"].search(own) else slug(own).replace("_", " ")


def _scope(atom: Atom, message: Utterance) -> str:
    """Return the scope of a memory: "project:NAME" for the work in a project, "" for everywhere."""
    if atom.type not in ("preference", "decision", "fact") or not atom.scope:
        return ""
    return f"project:{message.project}" if message.project else atom.scope


def without_repeats(atoms: Iterable[Atom]) -> list[Atom]:
    """Return each memory once. Under one key the later of two different values stays, of the profile the fuller one;
    of two similar texts the first stays."""
    distinct: list[Atom] = []
    keyed: dict[tuple[str, bool, str, str], int] = {}
    said: dict[tuple[str, bool], list[tuple[frozenset[str], list[str]]]] = {}
    for atom in atoms:
        if atom.key:
            name = (atom.type, atom.lasting, atom.key.lower(), f"{atom.part}{'@' * ('@' in atom.value)}")
            at = keyed.setdefault(name, len(distinct))
            if at < len(distinct):
                before = distinct[at]
                if before.requested and atom.value != before.value and atom.confidence < min(before.confidence, SURE):
                    distinct.append(atom)  # keep the requested one; the user is asked about the other
                elif not (atom.type == "profile" and is_within(atom.value, before.value)):
                    distinct[at] = atom
                continue
        else:
            mine = words.features(atom.text), re.findall(rf"\d+|{TELLING_SIGN}", atom.text)
            others = said.setdefault((atom.type, atom.lasting), [])
            if any(_alike(mine, other) for other in others[-_LOOK_BACK:]):
                continue
            others.append(mine)
        distinct.append(atom)
    return distinct


def _alike(one: tuple[frozenset[str], list[str]], other: tuple[frozenset[str], list[str]]) -> bool:
    """Return whether two texts have nearly the same words and exactly the same numbers and telling signs."""
    return one[1] == other[1] and len(one[0] & other[0]) >= _ALIKE * len(one[0] | other[0])
