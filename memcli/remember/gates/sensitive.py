"""Find data that must not be kept in plain text, and black it out as the settings say.

`personal` (addresses, numbers) and `secrets` (keys, passwords) do the finding; both are loaded only for text that could
hold any of it. Only kinds and positions are passed on, never what was found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from memcli import contributions
from memcli.message import Message, joined
from memcli.text import plain
from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.vault.gates import ALLOW, KINDS, PERSONAL, REDACT, REFUSE, Gates


def policy(gates: Gates) -> dict[str, str]:
    """Return the policy in the settings for each kind: refuse, redact or allow."""
    return {kind: getattr(gates, kind) for kind in KINDS}


def of_documents(gates: Gates) -> dict[str, str]:
    """Return the rules for documents, which are about the world and never refused whole. Secrets and refused kinds
    are blacked out; addresses and numbers that memories only black out may stay."""
    allowed = {kind for kind in PERSONAL if getattr(gates, kind) != REFUSE}
    rules = policy(gates)
    return {kind: ALLOW if kind in allowed or rules[kind] == ALLOW else REDACT for kind in KINDS}


DEFAULTS = policy(Gates())

BY_POLICY = ("company_number", "licence_plate", "chat_id", "address")  # searched only if the settings ask for it

REACH = ("email", "phone")  # kinds of data that reach a person
LONGEST_CONTACT = 400  # characters of an entry of an address book; a longer text only happens to hold addresses

LOOKS = 5

_MASKED = compile_later(r"\d[ -]?(?:[Xx]{4}|[*•]{4})")  # a number that somebody masked: 4111 **** **** 1111
_MARK = compile_later(r"\[REDACTED_[A-Z_]{1,20}\]")
_CALLED_IN_MARK = {"iban": "account"}  # which may be a sort code and a number, too

# A quick test: does a text hold anything that the two modules, and the libraries they load, should see? A set of first
# characters, then what may follow each, is four times as fast as trying one alternative after the other.
_NUMERAL = "[零〇一二三四五六七八九幺]"
_PERSONAL = compile_later(
    rf"""(?:[@\d:Pp护]|{_NUMERAL}) (?:
      (?<=@)
    | (?<=\d) (?: (?: (?:_|[^\w\n]){{0,3}} \n? [^\w\n]{{0,3}} \d ){{6}} | \.\d+\.\d+\.\d )
    | (?<=[0-9A-Fa-f]:) [0-9A-Fa-f:]* :
    | (?<=[A-Za-z]{{2}}\d) \d [ ]? [A-Za-z0-9]{{4}}
    | (?<=[Pp]) assport | (?<=P) ASSPORT | (?<=护) 照
    | (?<={_NUMERAL}) {_NUMERAL}{{10}}
    )""",
    re.X,
)
_LONG = compile_later(
    r"(?<![\w+/=.$:~-])[\w+/=.$:~-]{15}"
    r"|[—–→>:-] (?=\S{0,30}\d)(?=\S{0,30}[A-Z])(?=\S{0,30}[!#$%^&*+?@])\S{8}",
    re.A,
)


@dataclass(frozen=True)
class Finding:
    """Hold the kind and position of something sensitive, never the text itself."""

    kind: str
    start: int
    stop: int


def find_sensitive(text: str, rules: Mapping[str, str] = DEFAULTS) -> list[Finding]:
    """Return everything in a text that is sensitive and not allowed, in order and without overlap."""
    wanted = frozenset(kind for kind in KINDS if rules[kind] != ALLOW)
    seen = plain.plain(text)
    seen = replace(seen, text=simplified(_MARK.sub(lambda mark: plain.WALL * len(mark[0]), seen.text)))
    words, may_be_secret = seen, _secret(seen.text)
    if may_be_secret or _PERSONAL.search(seen.text):
        from memcli.remember.gates import pointers

        words = replace(seen, text=pointers.hide_pointers(seen.text))
    found = _in(seen, words, wanted, may_be_secret)
    return _merged([hit for hit in found if hit.kind in wanted and not _is_hidden(text, hit)])


def _in(seen: plain.Plain, words: plain.Plain, wanted: frozenset[str], may_be_secret: bool) -> Iterator[Finding]:
    """Yield what is sensitive in a text; `words` is the text with its pointing parts hidden: links, file names."""
    if may_be_secret:
        from memcli.remember.gates import secrets

        yield from secrets.find_private_keys(seen)
        yield from secrets.find_secrets(words)
        if words.text != seen.text:
            yield from secrets.find_by_format(seen)
    if wanted & set(PERSONAL) and _PERSONAL.search(words.text):
        from memcli.remember.gates import personal

        yield from personal.find_personal(words)
    if wanted & set(BY_POLICY):
        from memcli.remember.gates import personal

        yield from personal.find_by_policy(words)
    for secret in contributions.secrets():
        kind = secret.kind if secret.kind in KINDS else "api_key"  # a misspelt kind lets nothing through
        for match in re.finditer(secret.pattern, seen.text):
            yield Finding(kind, *seen.span(*match.span(match.lastindex or 0)))


def _secret(text: str) -> bool:
    """Return whether a text names a secret or holds something long enough to be one."""
    from memcli.remember.gates import labels, tokens

    if _LONG.search(text):
        return True
    low = labels.same_length_lower(text)
    return tokens.has_command(low) or bool(labels.find_labels(text, low))


def redact_added(before: str, after: str, rules: Mapping[str, str], contacts: bool = False) -> tuple[str, list[str]]:
    """Return `after` with the sensitive parts of its new lines blacked out, and their kinds. Lines that `before`
    has, too, stay."""
    old = set(before.split("\n"))
    return _black_out(
        after,
        lambda text: [hit for hit in _taken(text, rules, contacts) if set(_lines(text, hit).split("\n")) - old],
    )


def _taken(text: str, rules: Mapping[str, str], contacts: bool) -> list[Finding]:
    hits = find_sensitive(text, rules)
    spared = {kind for kind in REACH if rules[kind] == REDACT} if contacts else ()
    return [hit for hit in hits if hit.kind not in spared or not is_about_others(_lines(text, hit))]


def is_about_others(line: str) -> bool:
    """Return whether a short line is about somebody other than its writer.

    An address book needs the addresses of other people. The writer's own address, or one without a name, need not be
    kept in plain text.
    """
    if len(line) > LONGEST_CONTACT:
        return False
    from memcli.remember.gates.patterns import patterns

    other, own = patterns("somebody else", "of oneself")
    return bool(other.search(line)) and not own.search(line)


def _lines(text: str, hit: Finding) -> str:
    end = text.find("\n", hit.stop)
    return text[text.rfind("\n", 0, hit.start) + 1 : end if end >= 0 else len(text)]


def _black_out(text: str, find: Callable[[str], list[Finding]]) -> tuple[str, list[str]]:
    """Return a text with everything blacked out that `find` finds in it, and the kinds."""
    kinds: list[str] = []
    for _ in range(LOOKS):  # a redacted neighbour may have hidden another match
        hits = find(text)
        if not hits:
            break
        kinds += (hit.kind for hit in hits)
        pieces: list[str] = []
        done = 0
        for hit in hits:
            pieces += (text[done : hit.start], f"[REDACTED_{_CALLED_IN_MARK.get(hit.kind, hit.kind).upper()}]")
            done = hit.stop
        text = "".join([*pieces, text[done:]])
    return text, list(dict.fromkeys(kinds))


def redacted(text: str, rules: Mapping[str, str] = DEFAULTS, contacts: bool = False) -> tuple[str, list[str]]:
    """Return `text` with all that is not allowed blacked out, and the kinds found. `contacts` keeps the address and
    phone number in a line about somebody else; use it for text that is stored, not for text that leaves the machine."""
    return _black_out(text, lambda text: _taken(text, rules, contacts))


def without_secrets(text: str, gates: Gates) -> str:
    """Return `text` with its secrets blacked out, as the settings say; personal data stays in."""
    return redacted(text, {kind: ALLOW if kind in PERSONAL else how for kind, how in policy(gates).items()})[0]


def name_kinds(kinds: list[str]) -> str:
    """Return kinds in words: `an e-mail address and a phone number`."""
    words = [KINDS[kind] for kind in kinds]
    return (
        Message("{A} and {B}", A=joined(*words[:-1], by=", "), B=words[-1])
        if len(words) > 1
        else words[0]
        if words
        else ""
    )


def _is_hidden(text: str, hit: Finding) -> bool:
    """Return whether a hit holds a mark of redaction or, in personal numbers, masking signs, which a key may have."""
    if _MARK.search(text, hit.start, hit.stop):
        return True
    return hit.kind in PERSONAL and _MASKED.search(text, hit.start, hit.stop) is not None


def _merged(spans: list[Finding]) -> list[Finding]:
    """Return the hits with overlapping ones joined, under the stronger kind."""
    rank = {kind: at for at, kind in enumerate(KINDS)}
    merged: list[Finding] = []
    for each in sorted(spans, key=lambda each: (each.start, -each.stop)):
        if merged and each.start < merged[-1].stop:
            last = merged.pop()
            kind = min(last.kind, each.kind, key=rank.__getitem__)
            each = Finding(kind, last.start, max(last.stop, each.stop))
        merged.append(each)
    return merged
