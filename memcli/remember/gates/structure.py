"""Find candidates for the value of a label: after it in its line, in the lines below, in a table's cell, or before it.

`value.py` judges whether it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memcli.remember.gates import grid
from memcli.remember.gates.labels import LabelPlace, line_at, line_begin, line_end, words_under
from memcli.remember.gates.patterns import patterns
from memcli.remember.gates.value import LED, NEAR, OWN, SAID, SIGN, SPACE, WORDED, ValueCandidate
from memcli.text.later import compile_later
from memcli.text.plain import WALL

REACH = 100  # characters after a label in which its value is searched
LEAD = 40  # characters right before a value that show its relation to the label
LINES = 12  # lines below a label that are searched
AGAIN = 3  # times that a label may be repeated in its line before its value
SIDE = 400  # characters of a long line on each side of a label

_TAIL, _CAMEL, _NO_END, _NAMED, _TOKEN, _CLAUSE = patterns(
    "rest of a name", "rest of a camel name", "goes on", "part of a public key", "token", "clause"
)
_PHRASE = compile_later(r"[a-zà-ÿ0-9'-]+(?: [a-zà-ÿ0-9'-]+){2,9}(?![^\s,.;(\u3000-\u9fff])")
_WORD = compile_later(
    r"(?<=[\s:=：「『“\"'«])[^\W\d_\u3040-\u9fff]|(?:(?<=[是为成叫作は:：])|(?<=[成换]了))(?!了)[\u3040-\u30ff\u3400-\u9fff]"
)
_NAME = compile_later(r"[\w.@-]*(?<![.-])", re.A)
_LEAD = r"[ \t]*(?:[-*+•>]+[ \t]+|\d{1,2}[.)][ \t]+|[□☐✓][ \t]*)*"
_LINE = compile_later(rf"{_LEAD}[\"'`*_]*(?P<value>[^\n]*?)[\"'`*_\\]*[ \t]*$", re.M)
_SIGNED = compile_later(r"(?:\A>|=>|:=|->|={1,3}|:{1,2}|→|⇒|➜|\]|\))[\s\"'`“„「『«‘(*_\[]*\Z")
_DASHED = compile_later(r"\s(?:[-–—>]|—+)\s*[\"'`“„(*_]*\Z")
_SENTENCE = compile_later(r"[.!?。！？](?:\s|\Z)|\n")
_ADDRESSED = compile_later(  # the name or address that one logs in with, before the password
    r"(?:[\w.+%-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,30})+|(?<!\d)\+?\d{7,13})"
    r"(?: ?[,，、;；|/] ?| (?:and|with|plus|then|und|mit|et|avec|y|con) | ?[和跟与加] ?| )(?:pass(?:word)? )?\Z",
    re.A,
)
_JOINED = compile_later(r"[\w.+%-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,30})+[,;，；](?=\S)", re.A)
_RULE = compile_later(r"[=\-~^]{3,}[ \t]*\Z")
_PAIR = compile_later(r"[^\s:=|]{2,60}\n[^\s:=|]{5,60}(?:\n|\Z)")  # a name, with its password in the next line
_ANSWER = compile_later(r"(?:[\u3400-\u9fff]{1,4} )?([!-~]{5,40})(?= |$)", re.M)  # the answer of a speaker in a chat
_SPEAKER = compile_later(r"(?:\[[^\]\n]{4,30}\] ?)?(?:[^\s:：]{1,12}[:：] ?|现在的?是 ?|是 ?){0,2}")


def candidates(text: str, place: LabelPlace) -> Iterator[ValueCandidate]:
    """Yield the candidates for the value, the likeliest first."""
    if (
        _TAIL.match(text, place.stop)
        or _CAMEL.match(text, place.stop)
        or (place.label.value == "token" and _NAMED.match(text, place.stop))
        or text.startswith(("@", ">@"), place.stop)
    ):
        return
    begin = line_begin(text, place.start, SIDE)
    end = line_end(text, place.stop, place.stop + SIDE)
    yield from grid.cells(text, place, begin, end)
    if text[begin:end].lstrip().startswith("|"):
        cell = text.find("|", place.stop, end)
        yield from _behind(text, place, cell if cell > 0 else end)
        return
    last = _repeated(text, place, end)
    yield from _behind(text, place, last)
    yield from _worded(text, place, last)
    if text[end : end + 1] in ("", "\n"):  # below a line that was cut, the text is not under it
        yield from _under(text, place, begin, end)
    yield from _before(text, place, begin)


def _repeated(text: str, place: LabelPlace, end: int) -> int:
    """Return where the label is repeated for the `AGAIN`th time in its line, else `end`. What follows belongs to
    another."""
    word, at = text[place.start : place.stop], place.stop
    for _ in range(AGAIN):
        if (at := text.find(word, at, end) + len(word)) < len(word):
            return end
    return at - len(word)


def _behind(text: str, place: LabelPlace, end: int) -> Iterator[ValueCandidate]:
    """Yield candidates in the line of the label."""
    begin = name_end(text, place)
    stop = min(end, begin + REACH + 100)
    phrased = False
    for match in _TOKEN.finditer(text, begin, stop):
        gap = text[begin : match.start()]
        if len(gap) > REACH or '""' in gap:
            return
        group = match.lastgroup or "bare"
        start, done = match.span(group)
        if group == "bare":
            if start == begin and not text[start].isalnum() and text[start] != "(":
                start, done = _unsigned(text, start, done)
            if joined := _JOINED.match(text, start, done):
                start = joined.end()
            done = _trimmed(text, start, done, "=" in gap or "://" in text[start:done])
        if done - start < 1:
            continue
        if text[start] == "(" and text[done - 1 : done + 1].startswith(")"):
            start, done = start + 1, done - 1
        gap = text[begin:start]
        how = _how(gap)
        if how == NEAR and WALL in gap:  # the label already had its value
            return
        clear = how in (SIGN, SAID) or (how == SPACE and place.label.value == "phrase")
        if clear and not phrased and (phrase := _PHRASE.match(text, start, end)):
            phrased = how != SPACE
            yield ValueCandidate(start, phrase.end(), how, not text[phrase.end() : end].strip(" .()"))
        rest = text[done:end].strip("\"'`*_)]}.,;|\\ \t。，")
        alone = not rest or rest.startswith(("#", "//", "</")) or gap.endswith("=")
        yield ValueCandidate(start, done, how, alone, group in ("quoted", "single"))


def _worded(text: str, place: LabelPlace, end: int) -> Iterator[ValueCandidate]:
    """Yield words up to the end of their clause, if the line plainly says that they are the value. An example is
    `the code word is rhubarb`."""
    begin = name_end(text, place)
    if re.match(r"\s*(?:==|!=)|[^\n]{0,20}(?:\"\"|'')", text[begin:end][:40]):
        return
    for word in _WORD.finditer(text, begin, min(end, begin + REACH)):
        gap = text[begin : word.start()]
        led = place.label.value == "answer" and gap.rstrip().endswith((":", "=", "→", "->"))
        if not (led or _how(gap) in (SIGN, SAID)) or (
            text[word.start()] >= "\u3000" and gap[-1:] in ":：" and gap.strip(":： ")
        ):
            continue
        if re.search(r"\b(?:la|el|los|las|le|les|der|die|das|the|o)\s\Z", gap):
            continue  # `the key is the patience` is not a secret
        if match := _CLAUSE.match(text, word.start(), end):
            yield ValueCandidate(*match.span(), WORDED, match.end() == end)


def _unsigned(text: str, start: int, done: int) -> tuple[int, int]:
    """Return the span without the sign joined to it: `password=x`, `password:x`, `password"=>"x`."""
    sign = re.compile(r"[\"'`\])*_]{0,3}(?:=>|:=|->|={1,3}|:{1,2}|\]=?|>|/(?=[A-Z][^/]{5,}$))").match(text, start, done)
    return (sign.end(), done) if sign else (start, done)


def relation(text: str, place: LabelPlace, start: int) -> int:
    """Return the relation to the label of what begins at `start`, in the label's line."""
    return _how(text[name_end(text, place) : start])


def name_end(text: str, place: LabelPlace) -> int:
    """Return where the name ends that a label is a part of: `password_file`, `passwordField.text`."""
    if not place.label.word[-1].isascii():
        return place.stop
    match = _NAME.match(text, place.stop)
    return match.end() if match else place.stop


def _trimmed(text: str, start: int, done: int, whole: bool) -> int:
    """Return the end of a value without the punctuation of the sentence around it."""
    value = re.split(r"&\w+=|[.)]\(|</", text[start:done])[0]
    value = value.rstrip(".:?\\*_(") if not whole else value.rstrip("\\")
    while value and value[-1] in ")]}" and value.count(value[-1]) > value.count("([{"[")]}".index(value[-1])]):
        value = value[:-1]
    return start + len(value)


def _how(gap: str) -> int:
    """Return how the text between a label and a value links them: SPACE, SIGN, SAID, LED or NEAR."""
    gap = re.sub(r"\([^()]*\)", "", gap)
    if not gap.strip("\"'`“„「『«‘*_()[],，、 \t"):
        return LED if "," in gap else SPACE
    if re.search(r"[:=：]\s?\S+\s?/\s?\Z", gap):
        return SIGN
    if gap.strip() == "/":
        return SAID
    if _ADDRESSED.search(gap):
        return LED
    if re.search(
        r"\w\s?/\s?\Z|(?:^|\s)(?:admin|root|user|administrator|postgres|sa|ubuntu|pi)\s\Z", gap
    ):  # a name and its password
        return SAID
    if re.fullmatch(r"[.。·…]{1,30}\s{0,3}", gap.lstrip()) and (len(gap.strip()) > 1 or "。" in gap):
        return SIGN  # dots that lead to the value, or a word that is its own sentence
    if re.search(r"(?:!==?|===)\s*\Z", gap):
        return NEAR  # code that compares
    if _SIGNED.search(gap):
        return LED if "," in gap or len(gap) > 60 else SIGN
    if _SENTENCE.search(gap[:-1]) or len(gap) > 60:
        return NEAR
    if _DASHED.search(gap):
        return SAID
    words = gap.rstrip("\"'`“„「『«‘*_([:,，、 \t").lower()[-LEAD:]
    return SAID if _last("says").search(words) else LED if _last("leads").search(words) else NEAR


@lru_cache(maxsize=2)
def _last(way: str) -> re.Pattern[str]:
    """Return a pattern for words of `prose.txt` at the end of a gap between label and value."""
    words = sorted(words_under(way), key=len, reverse=True)
    plain = "|".join(re.escape(word) for word in words if word[-1] < "\u3000")
    other = "|".join(re.escape(word) for word in words if word[-1] >= "\u3000")
    return re.compile(rf"(?:(?:(?<=[\s'…,.])|\A)(?:{plain})|'s{'|' * bool(other)}{other})(?: \([^()]*\))?\Z")


def _under(text: str, place: LabelPlace, begin: int, end: int) -> Iterator[ValueCandidate]:
    """Yield candidates in the lines under a label that ends its line or is a heading."""
    line = text[begin:end]
    rest = text[place.stop : end].strip("\"'`*_)] \t").lower()
    at, under = end + 1, line_at(text, end + 1)
    heading = (
        line.lstrip().startswith("#") or bool(_RULE.match(under)) or bool(re.match(r"\s*(\*\*|__).*\1\s*\Z", line))
    )
    coded = re.search(r"[{}=<;]|\([^()]*$|^[^()]*\)", rest[:-1]) or len(rest) > 60
    titled = (rest.endswith((":", "：", "=", "->", "→", ">")) and not coded) or (
        place.label.value != "secret" and _is_title(line[: place.start - begin]) and _ends_title(rest, under)
    )
    pair = place.label.value in ("login", "password") and bool(_PAIR.match(text, end + 1)) and not rest.endswith(".")
    talked = not (heading or titled or pair)
    if _RULE.match(under):
        at += len(under) + 1
    blank, first, listed = 0, True, False
    for _ in range(3 if talked else LINES):
        if at > len(text):
            return
        row = line_at(text, at)
        following = at + len(row) + 1
        if not row.strip():
            blank += 1
            if talked or blank > (1 if first and (heading or titled) else 0):
                return
        elif row.lstrip().startswith(("#", "|", "```")) and not row.strip("` "):
            pass
        elif row.lstrip().startswith("#"):
            return
        else:
            match = _LINE.match(text, at)
            bullet = bool(match) and match.start("value") > at  # type: ignore[union-attr]
            if not (first or listed or talked or pair or row[:1] in " \t" or place.label.value == "code"):
                return
            listed = listed or bullet
            yield from _own(text, match, talked)  # type: ignore[arg-type]
            first = False
        at = following


def _is_title(before: str) -> bool:
    """Return whether a line up to its label is a title of a few names, and no sentence."""
    words = before.lower().split()
    return len(words) < 6 and not re.search(r"[.,;!?(]", before) and not {"a", "the", *words_under("says")} & set(words)


def _ends_title(rest: str, under: str) -> bool:
    return (
        not rest
        or bool(re.fullmatch(r"\([^()]*\)", rest))
        or (len(rest) < 5 and bool(re.match(r"[-*+\d]", under.lstrip())))
    )


def _own(text: str, match: re.Match[str], talked: bool) -> Iterator[ValueCandidate]:
    """Yield a line as a whole, and what follows a name in it."""
    start, stop = match.span("value")
    start = _SPEAKER.match(text, start, stop).end() if talked else start  # type: ignore[union-attr]
    if stop <= start:
        return
    whole = text[start:stop]
    if talked and " " in whole and (word := _ANSWER.match(text, start, stop)):
        yield ValueCandidate(*word.span(1), NEAR, True)
    if not talked or " " not in whole:
        yield ValueCandidate(start, stop, NEAR if talked else OWN, True)
    if not talked and " " in whole:
        for token in _TOKEN.finditer(text, start, stop):
            span = token.span(token.lastgroup or "bare")
            how = _how(text[start : span[0]]) if span[0] > start else NEAR
            yield ValueCandidate(span[0], _trimmed(text, *span, False), SAID if how <= LED else NEAR, span[1] == stop)


def _before(text: str, place: LabelPlace, begin: int) -> Iterator[ValueCandidate]:
    """Yield candidates before the label: `bluebird7 is the wifi password`, `k9x (the door's code)`."""
    begin = max(begin, place.start - REACH)
    if place.label.word.isascii() and _NO_END.match(text, place.stop):
        return
    for match in _TOKEN.finditer(text, begin, place.start):
        group = match.lastgroup or "bare"
        start, done = match.span(group)
        done = _trimmed(text, start, done, False)
        gap = text[match.end() : place.start]
        if done < place.start and first_words().match(gap):
            yield ValueCandidate(start, done, NEAR)


@lru_cache(maxsize=1)
def first_words() -> re.Pattern[str]:
    words = sorted(map(re.escape, words_under("first")), key=len, reverse=True)
    return re.compile(rf"[\"'`」”)]?[,，、]?\s?(?:\(|(?:{'|'.join(words)})(?![a-z]))[^,，。?!？！\n]{{0,28}}\Z", re.I)
