"""Find what identifies a person: e-mail addresses, phone numbers, cards, accounts, ids, IP addresses, streets.

A regex only proposes; the libraries decide by check digits and number plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from memcli.remember.gates.digits import find_numbers
from memcli.remember.gates.patterns import patterns
from memcli.remember.gates.sensitive import Finding
from memcli.text.later import compile_later
from memcli.text.plain import Plain

_EMAIL, _IPV4, _IPV6, _VERSION, _HOST, _PASSPORT = patterns("e-mail", "ipv4", "ipv6", "version", "host", "passport")
_NO_MAIL = compile_later(r"@[23]x\.\w+$|\.(?:png|jpe?g|gif|svg|webp|local|internal|lan)$", re.I)
_IN_URL = compile_later(r"://[^\s/]*\Z")

_RESOLVERS = frozenset(
    "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 114.114.114.114 223.5.5.5 223.6.6.6 119.29.29.29".split()
)

_SAMPLES = ("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:")  # addresses reserved for documentation

_PLATE, _CHAT, _STREET = patterns("licence plate", "chat name", "street")
_COMPANY = compile_later(r"(?<![A-Za-z\d])[1-9A-GY][1239]\d{6}[\dA-HJ-NPQRTUWXY]{10}(?![A-Za-z\d])")
_IBAN = compile_later(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?:[ \n-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")


def find_personal(seen: Plain) -> Iterator[Finding]:
    text = seen.text
    passports = (("national_id", *match.span(1)) for match in _PASSPORT.finditer(text))
    for kind, start, stop in (*_mail(text), *_addresses(text), *_accounts(text), *passports, *find_numbers(text)):
        yield Finding(kind, *seen.span(start, stop))


def find_by_policy(seen: Plain) -> Iterator[Finding]:
    """Yield data that is not secret but identifies a person. It is searched only if the settings ask for it."""
    for match in _COMPANY.finditer(seen.text):
        from stdnum.cn import uscc

        if uscc.is_valid(match[0]):
            yield Finding("company_number", *seen.span(*match.span()))
    for kind, shape in (("licence_plate", _PLATE), ("chat_id", _CHAT), ("address", _STREET)):
        for match in shape.finditer(seen.text):
            yield Finding(kind, *seen.span(*match.span(match.lastindex or 0)))


def _mail(text: str) -> Iterator[tuple[str, int, int]]:
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        if not _NO_MAIL.search(match[0]) and not _IN_URL.search(text, max(0, match.start() - 80), match.start()):
            yield "email", match.start(), match.end()


def _addresses(text: str) -> Iterator[tuple[str, int, int]]:
    for match in (*_IPV4.finditer(text), *_IPV6.finditer(text)):
        try:
            address = ip_address(match[0].rstrip(":"))
        except ValueError:
            continue
        if not (address.is_global or match[0].startswith(_SAMPLES)) or match[0] in _RESOLVERS:
            continue
        if (
            address.version == 4
            and len(match[0]) < 10 + bool(re.match(r"\.\d", text[match.end() : match.end() + 2]))
            and not _is_at(match)
        ):
            continue  # short parts belong to a version or a section
        if address.version == 4 and _VERSION.search(text, max(0, match.start() - 12), match.start()):
            continue
        if address.version == 6 and match[0][0] not in "23":  # addresses in use lie in 2000::/3; `a::b` is code
            continue
        yield "ip", match.start(), match.end()


def _is_at(match: re.Match[str]) -> bool:
    """Return whether the text around a short address shows that it is one."""
    text, start, stop = match.string, *match.span()
    return bool(re.match(r"[:/]\d", text[stop : stop + 2]) or _HOST.search(text, max(0, start - 30), start))


def _accounts(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _IBAN.finditer(text):
        from stdnum import iban

        ends = [at for at in range(match.end(), match.start() + 14, -1) if not text[at : at + 1].isalnum()]
        for stop in ends:  # the words after it may look like a part of it
            if iban.is_valid(text[match.start() : stop].replace("\n", ""), check_country=False):
                yield "iban", match.start(), stop
                break
