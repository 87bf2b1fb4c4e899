"""Decide whether a message changes the topic of the last rounds. It is pure.

Signs for and against are weighed: phrases of the message ("on another note", "and what about"), words that it shares
with the rounds before, and the fields of life (cooking, travel, code …) of its words. Signs and weights are in
`language/*/topic.txt`, the fields in `language/*/fields.txt`.

Likeness to the last turns, or shared entities, recognize a change far worse alone (F1 0.57 against 0.86 on the labelled
dialogues, 0.60 with the phrases that announce a change). A shorter list costs as much: 0.79 with three quarters of it,
0.76 with half. So both are kept.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memcli.text import words
from memcli.text.entities import entities
from memcli.text.hanzi import split_at_known
from memcli.text.phrases import LANGUAGES, find_phrase, languages, table
from memcli.text.tables import rows
from memcli.text.words import CJK_RUN

ROUNDS = 3  # rounds that a message is compared with
_READ = 2000  # characters of a turn
_TERSE = 4  # a message of at most so many words belongs to the previous one
_LONG = 8  # a message of at least so many words shows its own subject
# Endings that may be removed from an English word, and what may replace them.
_ENDINGS = (
    ("ies", "y"), ("s", ""), ("es", ""), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e"), ("er", ""), ("ers", ""),
    ("ly", ""),
)  # fmt: skip
_TELLING = {1: 0.4, 2: 1.0}  # weight of a Chinese word by its characters; 1.5 if longer, 1 for other words
_LONGEST = 6  # characters of a Chinese word in the list


@dataclass(frozen=True)
class Shift:
    score: float  # from 0.5, barely a change, to 1
    why: str


@dataclass(frozen=True)
class _Content:
    """Hold the subject words of a text."""

    fields: tuple[tuple[str, tuple[str, ...]], ...]  # words that belong to fields of life, with their fields
    others: frozenset[str]  # stems of words in no field, and rare characters

    @property
    def all(self) -> frozenset[str]:
        return self.others | {word for word, _ in self.fields}


def topic_shift(before: Sequence[str], now: str) -> Shift | None:
    """Return the change of topic that `now` makes, or None. `before` holds the texts of the turns before it, the
    user's and the assistant's, oldest first. It is compared with the last rounds; coming back to an older topic is a
    change, too."""
    turns = [text.strip()[:_READ] for text in before if text.strip()]
    now = now.strip()[:_READ]
    if not turns or not now:
        return None
    signs = _signs(turns, now)
    weights = _weights(LANGUAGES[CJK_RUN.search(now) is not None])
    score = 1 / (1 + math.exp(-sum(weights.get(name, 0.0) * value for name, value in signs.items())))
    return Shift(round(score, 3), _why(signs)) if score >= 0.5 else None


def _signs(before: Sequence[str], now: str) -> dict[str, float]:
    """Return the signs for and against a change, mostly from 0 to 1. The tables explain each sign."""
    lexicon, turns = _lexicon([*before, now]), before[-2 * ROUNDS :]
    message, *recent = [_content(text, lexicon) for text in (now, *turns)]
    earlier = _all_words([_content(text, lexicon) for text in before[: -2 * ROUNDS]])
    shared = message.all & _all_words(recent)
    characters = sum(map(len, CJK_RUN.findall(now)))
    size = len(words.WORD.findall(now)) + characters / 1.6
    names = {name for name in entities(now) if not name[0].isdigit()}
    spoken_of = set().union(*map(entities, turns))
    hangs_on = any(says(sign, now) for sign in ("follow", "anaphora", "points"))
    apart = size > _TERSE and not (hangs_on or names & spoken_of or shared)
    return {
        "base": 1.0,
        **{name: float(says(name, now)) for name in ("change", "back", "opening", "asks", "ends")},
        "follow": (0.6 if size > _LONG else 1.0) * says("follow", now),
        "anaphora": (0.3 if size > _LONG else 1.0) * says("anaphora", now),
        "answers": float(turns[-1].endswith(("?", "？"))),
        "satisfied": float(len(turns) > 1 and len(turns[-2]) < 30 and says("content", turns[-2])),
        "size": min(size, 14) / 14,
        "tiny": float(size <= _TERSE),
        "shared": min(2, len(message.all & _all_words(recent[-2:]))) / 2,
        "near": min(2, len(shared)) / 2,
        "named": float(bool(names - spoken_of)),
        "renamed": float(apart and _of_one_field(names, spoken_of, lexicon)),
        "returns": min(2, len(message.all & earlier - _all_words(recent))) / 2,
        **_field_signs(message, recent, has_chinese=bool(characters)),
    }


def _field_signs(message: _Content, recent: Sequence[_Content], has_chinese: bool) -> dict[str, float]:
    """Return the signs in the words of a message that the last rounds do not have, and in the fields of its words."""
    known, main_fields = _all_words(recent), _main_fields(recent)
    recent_fields, last_fields = _field_counts(recent), _field_counts(recent[-2:])
    new_fields = [fields for word, fields in message.fields if word not in known]
    strange = [fields for fields in new_fields if not any(recent_fields[field] for field in fields)]
    untouched = sum(not any(last_fields[field] for field in fields) for _, fields in message.fields)
    near = {word: _with_near(fields) for word, fields in message.fields if word not in known}
    new_others = message.others - known
    weight = _telling(near)
    return {
        "fielded": float(bool(new_fields)),
        "strange": min(3, len(strange)) / 3,
        "strange_now": min(3, untouched) / 3,
        "far": min(2, sum(not main_fields & _with_near(fields) for fields in strange)) / 2,
        "alien": min(3, len(new_others) / (1.5 if has_chinese else 1)) / 3,
        "kin": float(any(main_fields & set(fields) for fields in new_fields)),
        "own": min(3, weight) / 3,
        "away": min(2, _telling(word for word, fields in near.items() if not fields & last_fields.keys())) / 2,
        "homeless": float(weight >= 1 and not any(main_fields & _with_near(fields) for _, fields in message.fields)),
        "new": min(4, len(new_others)) / 4,
    }


def _why(signs: dict[str, float]) -> str:
    if signs["change"] or signs["back"]:
        return "it says so"
    return "its words belong to other fields" if signs["strange"] else "it shares no words with the last rounds"


def _telling(found: Iterable[str]) -> float:
    """Return the total weight of words. A single character weighs little, because it is part of many words; a long
    Chinese word weighs more."""
    return sum(1.0 if word.isascii() else _TELLING.get(len(word), 1.5) for word in found)


def _all_words(contents: Sequence[_Content]) -> frozenset[str]:
    return frozenset().union(*(content.all for content in contents))


def _field_counts(contents: Sequence[_Content]) -> Counter[str]:
    """Return the number of words in each field."""
    return Counter(field for content in contents for _, fields in content.fields for field in fields)


def _main_fields(contents: Sequence[_Content]) -> set[str]:
    """Return the two or three fields that texts are mostly about; a word of several fields counts partly for each."""
    sizes: dict[str, float] = {}
    for content in contents:
        for _, fields in content.fields:
            for field in fields:
                sizes[field] = sizes.get(field, 0.0) + 1 / len(fields)
    largest = sorted(sizes, key=lambda field: -sizes[field])[:3]
    return {field for field in largest if sizes[field] >= max(sizes.values()) / 4}


def _with_near(fields: Sequence[str]) -> set[str]:
    """Return these fields and those near them."""
    return {*fields, *(near for field in fields for near in _near_fields().get(field, ()))}


def _of_one_field(names: Iterable[str], others: Iterable[str], lexicon: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a name replaces another one of the same field, as PostgreSQL for Redis."""
    fields, before = ({field for name in some for field in lexicon.get(name, ())} for some in (names, others))
    return bool(fields & before)


def _content(text: str, lexicon: Mapping[str, tuple[str, ...]]) -> _Content:
    in_fields, others = [], set()
    for word in words.words(text):
        if words.is_stop(word):
            continue
        fields = next((lexicon[form] for form in _forms(word) if form in lexicon), None)
        if fields:
            in_fields.append((words.stem(word), fields))
        elif fields is None and len(word) > 3 and not word.isdigit():
            others.add(words.stem(word))
    for run in CJK_RUN.findall(text):
        others.update(character for character in run if lexicon.get(character) != ())
        known = (word for word in split_at_known(run, lexicon, _LONGEST) if lexicon.get(word))
        in_fields += ((word, lexicon[word]) for word in known)
    return _Content(tuple(in_fields), frozenset(others))


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            yield word[: -len(ending)] + instead


def _lexicon(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the fields of the words in these texts; the lists are long, so only these words are kept. Words in no
    field are included, so that their parts are not taken for words."""
    wanted = {form for text in texts for word in words.words(text) for form in _forms(word)}
    for text in texts:
        for run in CJK_RUN.findall(text):
            wanted.update(run[at : at + size] for size in range(1, _LONGEST + 1) for at in range(len(run) - size + 1))
    lexicon: dict[str, tuple[str, ...]] = {}
    for language in languages(" ".join(texts)):
        for row in table("talk/fields", language):
            (field,) = row["field"]
            for line in row["words"]:
                for word in wanted.intersection(line.split()):
                    known = lexicon.get(word, ())  # a number may be in the lists of both languages
                    lexicon[word] = () if field == "-" else known if field in known else (*known, field)
    return lexicon


@lru_cache(maxsize=1)
def _near_fields() -> dict[str, set[str]]:
    near: dict[str, set[str]] = {}
    for row in rows(Path(__file__).parent / "language/fields.txt"):
        (field,) = row["field"]
        for other in row["near"][0].split():
            near.setdefault(field, set()).add(other)
            near.setdefault(other, set()).add(field)
    return near


@lru_cache(maxsize=2)
def _weights(language: str) -> dict[str, float]:
    """Return the weight of each sign and measure in a language."""
    return {
        row.get("sign", row.get("measure", []))[0]: float(row["weight"][0])
        for row in table("talk/topic", language)
        if "weight" in row
    }


def says(sign: str, text: str) -> bool:
    """Return whether a text has a sign of the table."""
    return find_phrase("talk/topic", sign, text.lower()) is not None
