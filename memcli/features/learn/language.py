"""Read the tables of a language, `language/*/learn*.txt` beside this file, when a sentence in it comes.

The head of each table explains its rows; `text/tables.py` turns them into regular expressions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from memcli.text import words
from memcli.text.hanzi import simplified
from memcli.text.tables import Row, expression, rows

# Patterns that sentences are tested for besides the rules. A sign without a row in a language never matches there.
SIGNS = (
    "opening", "break", "part", "joint", "lead", "tail", "aside", "own", "mine", "asks", "order", "once", "lasting",
    "condition", "only_when", "not",
    "contrast", "not_meant", "material", "own_lead", "play", "play_over", "taken_back", "not_kept", "not_kept_before",
    "joked", "light", "bare", "decides",
    "forbids", "ever", "habit", "here", "everywhere", "yes", "no", "offer", "refers", "nameless", "again", "repeats",
    "corrects", "wished", "thing", "reason", "hangs", "whereabouts", "supposes", "standing", "asked", "suggests",
    "of_the_other", "half", "takes", "advises", "wants_to_choose", "echo_aside", "picks",
    "changes", "day", "changes_mind", "puts_right", "overtaken", "points", "either", "headless", "greets", "remembers",
    "several", "mere", "negates", "turned_down", "concludes",
    "because", "request", "request_loose", "request_asked", "request_behind", "errand", "past", "somebody", "street",
)  # fmt: skip
FOLDER = Path(__file__).parent / "language"
TABLES = (
    "learn",
    "learn_frames",
    "learn_facts",
    "learn_words",
    "learn_talk",
)  # together they are one table; each file has its own subject
CLASSES = ("whose", "mood", "time", "about")  # what a clause is classified by, from its words
_NEVER = re.compile(r"(?!)")
_LATIN = re.compile("[A-Za-z]")
_WORD = rf"[A-Za-z][\w.+#]{{0,20}}[{words.CJK}]"  # `vscode卸了`
_RUN = rf"[{words.CJK}](?:[A-Za-z\d][\w.+#/-]{{0,20}}(?= [{words.CJK}]))?"  # `用postgres`, before more Chinese
_PAUSE = re.compile(rf"({_RUN}) (?=(?![月日号年点岁个元块天])[{words.CJK}]|{_WORD})")


@dataclass(frozen=True)
class Rule:
    """Describe how people say one kind of memory. The groups of its pattern are keys of a profile, `who` and `what`
    of a label, or `about` and `value` of a preference."""

    name: str
    type: str
    pattern: re.Pattern[str]
    why: str
    once: bool = False  # true on one occasion only, or not at all
    stated: bool = True  # false: inferred from what the user does
    confidence: float = 0.8
    key: str = ""  # the key of a preference that always has the same subject
    part: str = ""  # the field of a label: phone, address or ""
    after: tuple[str, ...] = ()  # matches only in a clause after a memory of one of these types or keys
    here: bool = False  # applies only to the project of the conversation, if there is one
    first: bool = False  # is tried before all rules above it
    outright: bool = False  # keeps its own confidence, whatever the likelihood of its words, so that it is not missed
    general: bool = False  # interprets a clause by its words, if no rule matches


@dataclass(frozen=True)
class Shape:
    """Describe what a value looks like: where it ends, what can't be one, and what surely is one."""

    ends: re.Pattern[str]
    never: re.Pattern[str]
    only: re.Pattern[str] | None
    sure: re.Pattern[str] | None

    def cut(self, value: str) -> str:
        """Return the value without what follows it, or "" if it can't be one."""
        if match := self.ends.search(value):
            value = value[: match.start()]
        value = value.strip(" .,!。，！、~～\"“”「」'")
        return "" if self.never.search(value) or (self.only and not self.only.fullmatch(value)) else value

    def is_sure(self, value: str) -> bool:
        return self.sure is None or bool(self.sure.search(value))


@dataclass(frozen=True)
class Ask:
    """Describe a question to the user and what its answer is."""

    key: str
    type: str
    pattern: re.Pattern[str]
    of: tuple[tuple[str, re.Pattern[str]], ...] = ()  # the label it is about, by what the user said before

    def about(self, wished: str) -> str:
        """Return the key of the answer, or "" if it is about a place of this one occasion."""
        return self.key if not self.of else next((name for name, words in self.of if words.search(wished)), "")


@dataclass(frozen=True)
class Language:
    name: str
    signs: dict[str, re.Pattern[str]]
    barred: dict[str, re.Pattern[str]]  # type → what looks like a memory of it but is none
    rules: tuple[Rule, ...]  # the first that matches a clause decides
    follows: tuple[Rule, ...]  # what a clause after a memory of some type or key adds to it
    turns: tuple[tuple[re.Pattern[str], str], ...]  # turn a proposal into the words of the user who agrees
    shapes: dict[str, Shape]  # key → what its values look like
    asks: tuple[Ask, ...]
    classes: dict[str, tuple[tuple[str, re.Pattern[str]], ...]]  # kind → the names of its classes and their words
    predicates: tuple[Rule, ...]  # for clauses that no rule matches; the first one that matches decides

    def is_barred(self, type: str, clause: str) -> bool:
        return type in self.barred and bool(self.barred[type].search(clause))

    def proposed(self, sentence: str) -> str:
        """Return a proposal to the user, in the user's own words, or "" if the sentence is not a proposal."""
        if not self.signs["offer"].search(sentence):
            return ""
        sentence = self.in_own_words(sentence)
        return "" if self.signs["asked"].match(sentence) else sentence

    def in_own_words(self, sentence: str) -> str:
        """Return a sentence addressed to the user as the user would say it about themselves."""
        for pattern, turned in self.turns:
            sentence = pattern.sub(turned, sentence)
        return sentence


def language_of(text: str) -> Language:
    """Return the language of a sentence."""
    return load_language("zh" if words.CJK_RUN.search(text) else "en")


def languages_of(text: str) -> list[Language]:
    """Return the languages whose letters a text contains."""
    return [load_language(name) for name, letter in (("en", _LATIN), ("zh", words.CJK_RUN)) if letter.search(text)]


def normalized(text: str) -> str:
    """Return a text in the form that the tables use, of the same length. It has simplified characters, standard
    words for those of common dialects, and a comma where somebody leaves only a space: `我不吃香菜 给个做法`."""
    if text.isascii():
        return text
    mark, dialect = _dialect()
    if mark.search(text):
        text = simplified(text)
        for word, standard in dialect:
            text = word.sub(standard, text)
    return _PAUSE.sub(r"\1，", simplified(text).replace("’", "'"))


@cache
def _dialect() -> tuple[re.Pattern[str], list[tuple[re.Pattern[str], str]]]:
    """Return the pattern that recognizes a dialect, and its words with standard words of the same length."""
    table = list(rows(FOLDER / "zh" / "dialect.txt"))
    marks = "|".join(way for row in table for way in row.get("mark", []))
    return re.compile(marks or "(?!)"), [
        (re.compile("|".join(row["says"])), row["is"][0]) for row in table if "says" in row
    ]


@cache
def load_language(name: str) -> Language:
    signs: dict[str, list[str]] = {sign: [] for sign in SIGNS}
    barred: dict[str, list[str]] = {}
    found: list[Rule] = []
    turns: list[tuple[re.Pattern[str], str]] = []
    shapes: dict[str, Shape] = {}
    asks: list[Ask] = []
    classes: dict[str, list[tuple[str, re.Pattern[str]]]] = {kind: [] for kind in CLASSES}
    predicates: list[Rule] = []
    pieces: dict[str, str] = {}
    for row in chain.from_iterable(rows(FOLDER / name / f"{table}.txt") for table in TABLES):
        kind, (title, *_) = next(iter(row.items()))
        if kind == "piece":
            pieces[title] = f"(?:{expression(row['is'], pieces)})"
            continue
        if kind == "value":
            shapes |= dict.fromkeys((key.strip() for key in title.split(",")), _shape(row, pieces))
            continue
        says = expression([*row.get("says", ()), *_listed(row)], pieces)
        if kind in CLASSES:
            classes[kind].append((title, _compiled(says)))
        elif kind == "predicate":
            predicates.append(_rule(row, _compiled(says)))
        elif kind == "sign":
            signs[title].append(says)
        elif kind == "never":
            for type in title.split(","):
                barred.setdefault(type.strip(), []).append(says)
        elif kind == "turn":
            turns.append((_compiled(says), row["into"][0]))
        elif kind == "ask":
            named = (line.partition(" = ") for line in row.get("of", ()))
            asks.append(Ask(title, row["type"][0], _compiled(says), tuple((n, _compiled(w)) for n, _, w in named)))
        else:
            found.append(_rule(row, _compiled(says)))
    return Language(
        name,
        {sign: _compiled("|".join(ways)) if ways else _NEVER for sign, ways in signs.items()},
        {type: _compiled("|".join(ways)) for type, ways in barred.items()},
        tuple(sorted((rule for rule in found if not rule.after), key=lambda rule: not rule.first)),
        tuple(rule for rule in found if rule.after),
        tuple(turns),
        shapes,
        tuple(asks),
        {kind: tuple(found) for kind, found in classes.items()},
        tuple(predicates),
    )


def _listed(row: Row) -> list[str]:
    """Return expressions for listed words, which are separated by commas. They match whole words, in any form if
    they end with a star."""
    listed = [word.strip() for line in row.get("words", ()) for word in line.split(",") if word.strip()]
    if not listed:
        return []
    ways = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", " ") for word in listed]
    if not any(map(words.CJK_RUN.search, ways)):
        return [rf"\b(?:{'|'.join(ways)})\b"]
    # between Chinese characters no word ends: a Latin word ends where no other letter follows
    return [way if words.CJK_RUN.search(way) else rf"(?<![A-Za-z\d]){way}(?![A-Za-z\d])" for way in ways]


def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.I)


def _shape(row: Row, pieces: dict[str, str]) -> Shape:
    found = {
        column: _compiled(expression(row[column], pieces))
        for column in ("ends", "never", "only", "sure")
        if column in row
    }
    return Shape(found.get("ends", _NEVER), found.get("never", _NEVER), found.get("only"), found.get("sure"))


def _rule(row: Row, pattern: re.Pattern[str]) -> Rule:
    cells = {column: lines[0] for column, lines in row.items()}
    return Rule(
        cells.get("rule") or cells["predicate"], cells["type"], pattern, cells["why"], cells.get("holds") == "once",
        "inferred" not in row, float(cells.get("sure", 0.8)), cells.get("key", ""), cells.get("part", ""),
        tuple(filter(None, cells.get("after", "").split(", "))), "here" in row, "first" in row, "outright" in row,
        "predicate" in row,
    )  # fmt: skip
