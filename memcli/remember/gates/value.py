"""Judge whether a stretch of text beside a label is a secret or only talk."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memcli.remember.gates.labels import SecretLabel, words_under
from memcli.remember.gates.patterns import patterns
from memcli.text.later import compile_later

# The relation of a value to its label, from the surest to the weakest: in a cell under it, alone on a line, after a
# sign like `=`, after a word like `is`, words up to the end of their clause after one, after a word that also says
# other things (`to`), right after it, only near it.
CELL, OWN, SIGN, SAID, WORDED, LED, SPACE, NEAR = range(8)


LONGEST = 1000  # characters of a value
SHORT = 4  # letters of an abbreviation that only introduces a password

_CODE, _DATED, _PATH, _ABOUT, _CALL, _DOCUMENTED = patterns(
    "code", "dated", "path", "about a password", "call of code", "documented"
)
_DOTTED = compile_later(r"[a-z_]+(?:\.[a-zA-Z_]+)+\(?\Z")
_DIGITS = compile_later(r"[#*]?\d+(?:[-#*]\d+){0,5}[#*]?\Z")
_DAY = compile_later(
    r"(?:19|20)\d\d[-/.]\d|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d\Z|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\Z"
)
_STRONG = compile_later(r"(?=.*\d)(?=.*[A-Za-z])(?=.*[!#$%^&*?])[A-Za-z\d]\S{6,}\Z")
_PARTS = compile_later(r"[-._/:]")
_UUID = compile_later(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CHINESE = "[\u3400-\u9fff]"
_NUMERALS = compile_later(
    r"[零〇一二三四五六七八九幺两]{4,12}\Z|[三四五六七八九十]个[零〇一二三四五六七八九幺a-zA-Z0-9]\Z"
)
_CYRILLIC_WORD = compile_later(
    "(?=.*[\u0400-\u04ff])[\u0400-\u04ffA-Za-z]+[.,;:!?]?"
)  # some letters are read as Latin ones
_WITH_CHINESE = compile_later(rf"{_CHINESE}{{2,12}}\d{{2,8}}\Z")
_IN_YEAR = compile_later(r"(?<!\d)(?:19|20)?\d\d\Z")


@dataclass(frozen=True)
class ValueCandidate:
    """Hold a stretch that may be the value of a label."""

    start: int
    stop: int
    how: int
    alone: bool = False
    quoted: bool = False


def is_value(
    value: str, how: int, label: SecretLabel, alone: bool = False, quoted: bool = False, after: str = ""
) -> bool:
    """Return whether a stretch is a secret. `alone` means that nothing follows in its line; `after` is what follows."""
    if (
        not 3 <= len(value) <= LONGEST
        or is_talk(value)
        or _PATH.match(value)
        or ":/" in value
        or is_quantity(value, after)
    ):
        return False
    if how != SAID and (_DOTTED.match(value) or (not quoted and _CALL.search(value))):
        return False
    if how != WORDED and how > SIGN and _CYRILLIC_WORD.fullmatch(value):
        return False  # a word of the sentence
    if how == WORDED:
        return _is_worded(value, label, alone)
    if label.value in ("key", "token"):
        return _is_key(value, how, label)
    if label.value == "login":
        if value.isdigit():
            return label.word.startswith("unlock") and 4 <= len(value) <= 8 and how in (SAID, LED)
        joined = how == SIGN and alone and bool(re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+){2,}", value))
        strong = bool(_STRONG.match(value)) and how == SPACE
        return (strong or (how <= LED and (joined or is_very_odd(value)))) and " " not in value
    return _is_password(value, how, label, alone or quoted, quoted)


def _is_password(value: str, how: int, label: SecretLabel, alone: bool, quoted: bool) -> bool:
    eastern = label.word[-1] >= "\u3000"
    weak = label.value == "secret"  # also the secret of good bread, or of tests that pass
    if _DIGITS.match(value):
        return not weak and _is_number(value, how, alone, eastern or (alone and "code" in label.word))
    if weak and how == SPACE:
        return is_very_odd(value) and "-" in value
    if weak and (how >= LED or (" " in value and not quoted)):
        return False
    if how == NEAR:
        return is_very_odd(value)
    if not value.isascii() and (
        _NUMERALS.match(value) or (_WITH_CHINESE.match(value) and (how == SAID or not _IN_YEAR.search(value)))
    ):
        return True
    if re.match(_CHINESE, value) and not quoted:
        return False
    if " " in value:
        if (
            quoted
            and how <= SAID
            and value.count(" ") > (how != SIGN)
            and not words_under("talk") & set(value.lower().split())
        ):
            return True
        return _is_phrase(value, how, label, alone)
    if how in (CELL, OWN):
        return is_odd(value) or (len(value) >= 6 and alone and not (weak and value.isalpha()))
    if how == SIGN:
        return (
            is_odd(value)
            or (alone and len(value) >= 5 and not (weak and value.isalpha()))
            or (quoted and len(value) >= 4)
        )
    if how == LED and not any(map(str.isdigit, value)):
        return (quoted or is_odd(value)) and not (value.isalpha() or value.isidentifier())
    if how == SAID and eastern:
        return len(value) >= 4 or quoted
    if (
        how == SPACE
        and eastern
        and re.fullmatch(r"[a-z]{12,}", value)
        and sum(map(value.count, "aeiou")) * 5 < len(value)
    ):
        return True  # letters that nobody can pronounce
    if how == SPACE and alone and len(value) >= 10 and re.fullmatch(r"[a-z]{3,}-[a-z]{3,}", value):
        return True  # `password root-vegetables`, as in a list
    if how == SPACE and alone and value.isascii() and (eastern or len(label.word) <= SHORT):
        return is_odd(value) or len(value) >= 8  # `pw` and `密码` stand right before a password
    joined = (label.value == "phrase" and value.count("-") > 1) or (
        how == SAID and alone and bool(re.fullmatch(r"[a-z]{3,}_[a-z]{3,}", value))
    )
    return is_odd(value) or joined or (quoted and len(value) >= 5)


def _is_worded(value: str, label: SecretLabel, alone: bool) -> bool:
    """Return whether plain words are the value. For a security question any are; for a password one word that
    doesn't describe it, as `expired` would."""
    words = value.lower().split()
    if label.value == "answer":
        return not (words_under("talk") | words_under("about")) & set(words[:1])
    if label.value != "password":
        return False
    if re.match("[\u3040-\u30ff\u3400-\u9fff]", value):
        return len(value) >= 4 and not any(word in value for word in words_under("about"))
    if len(words) != 1 or len(value) < 5 or not value.replace("-", "").isalpha() or _ABOUT.search(words[0]):
        return False
    return not (words_under("about") | words_under("talk")) & {*words, *words[0].split("-")}


def _is_number(value: str, how: int, alone: bool, eastern: bool) -> bool:
    """Return whether digits are a password. They are not a year and no span, and are long or alone in their line if
    little else shows it."""
    digits = sum(map(str.isdigit, value))
    if _DAY.match(value) or re.fullmatch(r"\d{1,4}-\d{1,4}", value):
        return False
    if how == NEAR:
        return 4 <= digits <= 8 and alone and (digits >= 6 or not re.match(r"(?:19|20)\d\d\Z", value))
    return digits >= (5 if how == SPACE and value[0] not in "#*" and not eastern else 4) and not (
        how == SPACE and re.match(r"(?:19|20)\d\d\Z", value)
    )


def _is_phrase(value: str, how: int, label: SecretLabel, alone: bool) -> bool:
    words = value.lower().split()
    if not 2 <= len(words) <= 12 or words[0] in words_under("talk"):
        return False
    if label.value == "phrase":
        return (how <= SAID or how == SPACE) and len(words) >= 3
    if how == SIGN and alone and len(words) >= 3 and value == value.lower() and not words_under("talk") & set(words):
        return True
    odd = any(any(map(str.isdigit, word)) and not _DATED.match(word) for word in words) and not re.search(
        r"[=(){}:;\"/]|\d\d-\d\d", value
    )
    return how <= SIGN and odd and 3 <= len(words) <= 5 and not words_under("talk") & set(words)


def _is_key(value: str, how: int, label: SecretLabel) -> bool:
    if value.isdigit() or re.match(r".*[ (]|[a-z]+/[\da-f]{32}|[A-Za-z_]+(?:\.[A-Za-z_]+)+\Z", value):
        return False
    if _UUID.fullmatch(value):
        return (how <= SPACE and label.value == "key") or how == SIGN
    if is_keylike(value):
        return True
    return label.value == "key" and how <= SIGN and len(value) >= 12 and any(map(str.isdigit, value)) and is_odd(value)


def is_keylike(value: str) -> bool:
    """Return whether a text is a key even without a label: long, with letters and digits mixed at random."""
    plain = re.fullmatch(r"(?=(?:.*\d){3})(?=.*[A-Za-z].*[A-Za-z])[A-Za-z0-9]{16,}={0,2}", value)
    if plain:
        return True
    return bool(re.fullmatch(r"(?=(?:.*\d){2})[A-Za-z0-9+/_.=~-]{18,}", value)) and _changes(value) > 0.3


def is_talk(value: str) -> bool:
    """Return whether a text is code, a placeholder, or words about a secret."""
    bare = value.strip("\"'`*_.,;:!?()[]<>{}。 -").lower()
    first = re.split(r"[\s,;/(]", bare, maxsplit=1)[0]
    talk = words_under("talk")
    if (
        _CODE.match(value)
        or _DOCUMENTED.search(value)
        or bare in talk
        or (first in talk and (" " in bare or first == bare))
    ):
        return True
    return not value.isascii() and bool(_eastern_talk().search(value))


@lru_cache(maxsize=1)
def _eastern_talk() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in words_under("talk") if len(word) > 1 and not word.isascii()))


def is_quantity(value: str, after: str) -> bool:
    """Return whether a text is a number with its unit, a day, a version or a product. Examples are `8 characters`,
    `2026-11-21` and `iPhone15`."""
    if has_unit(value, after):
        return True
    if _DIGITS.match(value) and len(value) > 3:
        return False
    return bool(_DATED.match(value)) and not re.search(r"[^\W\d_]\d+[^\W\d_]|[!#$%^&*+~]", value)


def has_unit(value: str, after: str) -> bool:
    number, unit = re.match(r"[\d.,–-]+\Z", value), re.match(r"\s?([^\W\d]+|[%°]\w?)", after)
    if not number or not unit:
        return False
    word = unit[1].lower()
    return any(word == name or (not name.isascii() and word.startswith(name)) for name in words_under("units"))


def is_day(value: str) -> bool:
    return bool(_DAY.match(value))


def is_odd(value: str) -> bool:
    """Return whether a text looks unlike an ordinary word: it mixes digits and letters, or has signs or odd capitals.

    A name in snake_case looks ordinary, and so does a number.
    """
    if any(map(str.isdigit, value)):
        return any(map(str.isalpha, value))
    bare = re.sub(r"[-/]", "", value)
    if re.fullmatch(r"[a-z]+(?:_[a-z]+)+", value):  # a variable
        return False
    return len(value) >= 5 and (not bare.isalnum() or not (bare.islower() or bare.isupper() or bare.istitle()))


def is_very_odd(value: str) -> bool:
    """Return whether a text is odd enough with hardly any other evidence. It is not a name of a file, product, ticket
    or variable."""
    if len(value) < 6 or not any(map(str.isalpha, value)) or _DATED.match(value) or "(" in value or "=" in value[:-1]:
        return False
    if re.search(r"[A-Za-z\d][!#$%^&*+?~@][A-Za-z\d]", value):
        return not value.startswith(("@", "#"))
    digits = sum(map(str.isdigit, value))
    if not digits or value.isupper() or (digits > 6 and not re.search("[A-Z]", value)):
        return False
    if not _PARTS.search(value) and "_" not in value:
        return True
    return not value.islower() and bool(re.search("[a-z]", value)) and (value[-1].isalnum() or value[-1] in "!#$%*+")


def _changes(text: str) -> float:
    """Return how often, per character, a text changes between letters and digits or between cases."""
    signs = [2 if sign.isdigit() else 1 if sign.isupper() else 0 for sign in text if sign.isalnum()]
    return sum(a != b for a, b in pairwise(signs)) / max(1, len(signs))
