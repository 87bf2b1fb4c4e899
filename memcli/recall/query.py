"""Parse a question: words as patterns, dates, tags, names and kind. Text in, plain data out; no files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from memcli import bounds
from memcli.recall import hinted_tags, query_dates, split_verbs
from memcli.recall.figures import find_figures, spell_otherwise
from memcli.text import dates, phrases, words
from memcli.text.clean import harmless
from memcli.text.dates import DateSpan
from memcli.text.later import compile_later
from memcli.text.words import Term
from memcli.vault.entries import tags_in

EARLIER, THEIRS = 0.7, 0.5  # weight of the turns of a conversation before the last, and of an assistant's turns
PHRASE = 1.5  # weight of a quoted phrase
NAME, MINOR = 5.0, 0.99  # weight of a name that is a common word (in Go, with Will); of words that frame a question
DAYS = 7  # an order only mentions a longer time
FEW, MANY, PASTED = 4, 24, 600  # words of a search field; terms, and characters, of what is pasted

_QUOTED = compile_later(
    r'"([^"\n]{2,80})"|“([^”\n]{2,80})”|「([^」\n]{1,80})」|『([^』\n]{1,80})』|《([^》\n]{1,80})》'
)
_FILTER = compile_later(r"(?<!\S)(path|type|tag):(\S+)")
_SYMBOLIC = compile_later(r"(?<!\S)(?=\S*[^\W\d_])\S{0,2}[^\W_]\S*[+#.&/*_]\S*(?!\S)|(?<!\S)[^\W_][+#]{1,2}(?!\S)")
_TURN = compile_later(r"<(?P<mark>[^\W\d][\w .-]{0,30})>[:：]?|^[ \t]*(?P<name>[^\W\d]\w{0,30})[:：](?=[ \t])", re.M)
# Names that look like stop words: within a sentence ("in Go", "with May"), beside Chinese (阿May), and alone.
_NAMED = compile_later(
    r"(?:\b[a-z][\w']* |(?<=[^\x00-\x7f]) ?|(?=[A-Z][a-z]+ ?[^\x00-\x7f])|\A\s*(?=[A-Z][a-z]+\W*\Z))"
    r"(?<![A-Za-z])(?!M(?:rs?|s)\b)([A-Z][A-Za-z]+)(?![A-Za-z])"
)
_FULL_WIDTH = compile_later("[０-９Ａ-Ｚａ-ｚ．％]+")
_DAY_AND_TIME = compile_later(r"(?<=\d-\d\d)T(?=\d\d:\d\d)")  # 2026-10-14T08:40
_SPACED_YEAR = compile_later(r"(?<=[今明去前后]年) +(?=[一二三四五六七八九十]{1,2}月|[春夏秋冬][天季])")  # 明年 五月
_CLAUSE = compile_later(r"[,，。;；?？]")
_SENTENCES = compile_later(r"[.!?。！？]+[\s\"”]+(?=\S)|[。！？]+(?=\w)")  # where one sentence ends and another begins
_WRITTEN_DATE = compile_later(
    r"\d|[一二三四五六七八九十]+[月号日]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.I
)

# The kinds of question, tried in this order. `language/*/recall.txt` has their phrases, and `score` what each changes.
KINDS = ("who", "decision", "preference", "finished", "task", "howto", "when", "number", "name", "recent")
USER, ASSISTANT = "user", "assistant"


class Query(NamedTuple):
    raw: str
    terms: tuple[Term, ...] = ()
    tags: tuple[str, ...] = ()  # asked for by `#tag`
    hinted_tags: Mapping[str, float] = {}  # tags that words stand for in tags.yaml, with the certainty
    spans: tuple[DateSpan, ...] = ()
    kind: str = "open"
    about: frozenset[str] = frozenset()  # speakers whose words are wanted, as in `Name:`
    path: str = ""
    types: tuple[str, ...] = ()
    today: date = date.max

    def spots(self, text: str) -> list[tuple[int, str, float]]:
        """Return (offset, word, weight) for each occurrence of a query word in `text`."""
        low = text.lower()
        return [(place, term.text, term.weight) for term in self.terms for place in term.places(low)]

    @property
    def empty(self) -> bool:
        """Return whether the query has no word, tag, date or task. Place and type filters may still apply."""
        return not (self.terms or self.tags or self.spans or self.task)

    @property
    def task(self) -> str:
        """Return which tasks it asks for, "open" or "done", or "" when it asks for none."""
        return {"task": "open", "finished": "done"}.get(self.kind, "")

    @property
    def wants_decisions(self) -> bool:
        """Return whether it asks for the decisions as such, all of them or those of a time."""
        return self.kind == "decision" and self.is_general

    @property
    def named_spans(self) -> tuple[DateSpan, ...]:
        """Return the times that the question asks for: dates, days other than today, or any time if it asks nothing
        else. "Today", "lately" or "this autumn" are usually said in passing."""
        return self.spans if self.is_general else tuple(span for span in self.spans if not self._is_in_passing(span))

    def _is_in_passing(self, span: DateSpan) -> bool:
        is_written = _WRITTEN_DATE.search(span.text) is not None
        if (not is_written or (span.last - span.first).days > DAYS) and self.says("order"):
            return True  # "draft an invoice for January", "a menu for Saturday"
        return span.first <= self.today <= span.last and not is_written

    @property
    def names_past_day(self) -> bool:
        """Return whether it names a day that is over by its date, 14 May: whoever does wants to see that day."""
        return any(each.first == each.last <= self.today and _WRITTEN_DATE.search(each.text) for each in self.spans)

    @property
    def is_prompt(self) -> bool:
        """Return whether it is one message to an assistant that tells something before it asks."""
        return not self.is_conversation and bool(_SENTENCES.search(self.raw.strip()))

    @property
    def is_conversation(self) -> bool:
        """Return whether it is several turns of a conversation, and not one question."""
        return len(_split_turns(self.raw)) > 1

    @property
    def is_keywords(self) -> bool:
        """Return whether it is a few words, as typed into a search field, and not a sentence."""
        latin_words, runs = words.words(self.raw), words.CJK_RUN.findall(self.raw)
        few = 0 < len(latin_words) + len(runs) <= FEW and all(len(run) <= FEW for run in runs)
        return few and "?" not in self.raw and words.stops(self.raw).isdisjoint(latin_words)

    @property
    def is_long(self) -> bool:
        """Return whether it is so long that most of it can't be the question itself."""
        return (len(self.terms) >= MANY or len(self.raw) >= PASTED) and not self.is_conversation

    def says(self, sign: str) -> bool:
        """Return whether the question contains a phrase listed under `sign` in `language/*/recall.txt`."""
        return phrases.find_phrase("recall", sign, self.raw) is not None

    @property
    def asks_what_holds(self) -> bool:
        """Return whether it asks how things are now, and not how they were or what happened on a day."""
        if self.spans or self.is_prompt or self.is_conversation:
            return False
        return self.says("holds") or self.says("now")

    def asks_by(self, word: str) -> bool:
        """Return whether a word only says which kind of answer is wanted (decision, prefer, deadline) or what to make
        of the notes (a letter, a list)."""
        if self.kind in KINDS and _phrase_pattern(self.kind, self.raw).search(word):
            return True
        if self.spans and _phrase_pattern("agenda", self.raw).search(word):
            return True
        return bool(_phrase_pattern("product", self.raw).search(word)) and self.says("order")

    @property
    def asks_for_plans(self) -> bool:
        """Return whether it asks for plans or appointments, coming ones or others."""
        return self.says("plans")

    @property
    def is_for_a_time(self) -> bool:
        """Return whether the question asks for all of a time: what else its words say, 春节去谁家, is common."""
        return bool(self.spans) and self.is_general and not (self.tags or self.task)

    def names_time_of(self, matched: Sequence[str]) -> bool:
        """Return whether some matched words name a time of the question, as 春节 does."""
        return any(word in span.text.lower() for span in self.spans for word in matched)

    @property
    def is_general(self) -> bool:
        """Return whether the question asks for nothing in particular, such as 'what did I do lately'."""
        known = {word for tag in self.tags for word in (*words.words(tag), *words.pairs(tag))}
        known |= {term.text for term in self.terms for span in self.spans if term.text in span.text.lower()}
        telling = (term.text for term in self.terms if term.weight >= 1 and term.text not in known)
        return all(map(self.asks_by, telling))


def parse(raw: str, today: date, tag_words: Mapping[str, Sequence[str]] | None = None) -> Query:
    """Parse a question. `tag_words` has the words for each tag, from `tags.yaml`."""
    raw = harmless(raw[: bounds.QUESTION])
    text = _SPACED_YEAR.sub("", _DAY_AND_TIME.sub(" ", _find_both_widths(raw)))
    path = ""
    types: list[str] = []
    asked: list[str] = []
    for name, value in _FILTER.findall(text):
        if name == "path":
            path = value
        elif name == "type":
            from memcli.vault import names  # few questions name a type

            types.append(names.type_name(value))
        else:
            asked.append(value.lstrip("#"))
    text = _FILTER.sub(" ", text)
    asked += tags_in(text)
    kind = next((kind for kind in KINDS if _phrase_pattern(kind, text).search(text)), "open")
    spans = tuple(dates.find_asked_dates(text, today))
    plans, was = (_phrase_pattern(sign, text).search(text) if spans else None for sign in ("plans", "was planned"))
    spans = tuple(query_dates.add_last_year(spans, today, kind == "task" or bool(plans and not was)))
    spans = tuple(query_dates.add_other_readings(text, [*query_dates.include_deadlines(spans, today)], today))
    undated = plain = query_dates.blank_dates(text, spans)
    named = [span for span in spans if not span.first < today == span.last]
    spans = tuple(query_dates.leave_out_days_of_rules(text, spans))
    if kind in ("task", "finished"):  # the tag path finds tasks by their box, so these words need no match
        plain = _phrase_pattern(f"words of {kind}", plain).sub(" ", plain)
    for frame in ("aside", "order"):
        plain = _phrase_pattern(frame, plain).sub(" ", plain)
    plain = split_verbs.join_verbs(plain)
    for tag in tags_in(plain):  # "#work/billing" asks for no other "#work"
        plain = plain.replace(f"#{tag}", tag.rpartition("/")[2])
    terms: tuple[Term, ...] = tuple(_find_terms(plain, asked))
    if not terms and not spans and kind == "open":  # 写周报: what is noted of reports, else the latest notes
        framing = _find_terms(_phrase_pattern("order", undated).sub(" ", undated), asked)
        terms = tuple(term._replace(weight=MINOR * term.weight) for term in framing)
        kind = "recent" if terms else kind
    # A question that names nothing but a time means all of that time, and other notes only where it is a feast.
    # A time up to today, "since May", is not about the day that it begins with.
    terms = terms + query_dates.find_time_names(named) if terms else query_dates.find_feasts(named)
    hinted = hinted_tags.find_hinted_tags(text, tag_words or {}, asked, terms)
    return Query(
        raw, terms, tuple(dict.fromkeys(asked)), hinted, spans, kind, _find_subject(plain), path, tuple(types), today
    )


def _find_both_widths(text: str) -> str:
    """Return a text with its full-width letters and figures as people usually type them, and as they stand there."""
    wide = _FULL_WIDTH.findall(text) if not text.isascii() else []
    narrow = _FULL_WIDTH.sub(lambda run: "".join(chr(ord(sign) - 0xFEE0) for sign in run[0]), text) if wide else text
    return " ".join([narrow, *wide])


def names_of_speaker(who: str) -> frozenset[str]:
    """Return the names by which written conversations call a speaker: the user or the assistant."""
    return phrases.words_of("recall", who, phrases.LANGUAGES)


def _phrase_pattern(sign: str, text: str) -> re.Pattern[str]:
    """Return a pattern of the phrases for `sign` in the languages of a text."""
    return phrases.pattern("recall", sign, phrases.languages(text))


def _split_turns(text: str) -> list[tuple[float, str]]:
    """Return (weight, text) of the question, or of each turn of a conversation; the last turn weighs most."""
    marks = list(_TURN.finditer(text))
    if len(marks) < 2 and not any(mark["mark"] for mark in marks):
        return [(1.0, text)]
    stops = [*(mark.start() for mark in marks[1:]), len(text)]
    turns = [(text[: marks[0].start()], EARLIER)] if text[: marks[0].start()].strip() else []
    for mark, stop in zip(marks, stops, strict=True):
        speaker = (mark["mark"] or mark["name"]).lower()
        ours = speaker in names_of_speaker(ASSISTANT)
        words_said = text[mark.end() : stop].strip(' \n"“”')
        named = (
            words_said if ours or speaker in names_of_speaker(USER) else f"{speaker} {words_said}"
        )  # "user" is nobody's name
        turns.append((named, THEIRS if ours else 1.0 if stop == len(text) else EARLIER))
    return [(weight, words_said) for words_said, weight in turns]


def _find_terms(text: str, tags: Sequence[str]) -> list[Term]:
    """Return the terms of a question, or of all turns of a conversation."""
    found: dict[str, Term] = {}
    for weight, turn in _split_turns(text):
        for term in _find_terms_of_turn(turn, tags):
            term = term._replace(weight=term.weight * weight)
            if term.text not in found or term.weight > found[term.text].weight:
                found[term.text] = term
    return sorted(found.values(), key=lambda term: -term.weight)[: bounds.TERMS]


def _find_terms_of_turn(text: str, tags: Sequence[str]) -> tuple[Term, ...]:
    found: dict[str, Term] = {}
    stop = words.stops(text)
    for groups in _QUOTED.findall(text):
        if phrase := " ".join(next(filter(None, groups)).split()):  # "tomorrow" is a date, and nothing is left of it
            found[f'"{phrase}"'] = Term(f'"{phrase}"', (words.literal(phrase),), PHRASE)
    for word in _SYMBOLIC.findall(text):  # C++, node.js, a/b, max_size: a word pattern would lose their signs
        word = word.strip(".,;:!?()[]{}\"'").lower()
        if len(word) > 1 and word not in stop and not (word.startswith("#") or words.WORD.fullmatch(word)):
            found.setdefault(word, Term(word, (words.literal(word[: bounds.WORD]),)))
    figures, text = find_figures(text)
    found |= figures
    bits = {bit for code in figures for bit in code.split("-") if "-" in code and len(bit) < 3}  # "he" of HE-12
    seen: set[str] = set()
    named = {name.lower() for name in _NAMED.findall(text)}
    in_tags = " ".join(tag.rpartition("/")[2] for tag in tags)
    for word in words.words(f"{text.replace('#', ' ')} {in_tags}"):
        is_letter = len(word) < 2 and not word.isdigit() and word.isascii()
        if is_letter or word in bits or (word in stop and word not in named):
            continue
        is_name = word in stop
        forms = (words.whole(word),) if is_name else words.forms(word[: bounds.WORD]) + spell_otherwise(word, text)
        if forms[0].literal not in seen:
            seen.add(forms[0].literal)
            found.setdefault(word, Term(word, forms, NAME if is_name else 1.0))
    for run in words.CJK_RUN.findall(text):
        for term in words.cjk_terms(run):
            found.setdefault(term.text, term)
    return tuple(found.values())


def _find_subject(text: str) -> frozenset[str]:
    """Return the speaker whose words the question asks for, by the first 'I' or 'you' in the last clause that has
    one."""
    text = _phrase_pattern("aside", text).sub("", text)
    for clause in reversed(_CLAUSE.split(text)):
        named = [
            (match.start(), who) for who in (USER, ASSISTANT) if (match := _phrase_pattern(who, clause).search(clause))
        ]
        if named:
            return names_of_speaker(min(named)[1])
    return frozenset()
