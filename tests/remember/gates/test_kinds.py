"""A kind of what is sensitive is one definition: whoever adds one is told here what is still missing."""

from __future__ import annotations

from pathlib import Path

from memcli.remember.gates import sensitive
from memcli.remember.gates.sensitive import DEFAULTS, KINDS, find_sensitive, name_kinds, of_documents, redacted
from memcli.vault.gates import PERSONAL, Gates
from memcli.vault.settings import keys
from tests.rows import check_rows

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLES = {  # a text for each kind, and what of it is of that kind
    "private_key": ("-----BEGIN RSA PRIVATE " + "KEY-----\nabcd\n-----END RSA PRIVATE " + "KEY-----", "abcd"),
    "api_key": ("api_key = 9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e", "9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e"),
    "password": ("the wifi password is Blue-Kettle-42", "Blue-Kettle-42"),
    "iban": ("rent goes to DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"),
    "national_id": ("BSN for the tax return is 963512420", "963512420"),
    "card": ("my Visa is 4111 1111 1111 1111", "4111 1111 1111 1111"),
    "email": ("write to anna@posteo.net", "anna@posteo.net"),
    "ip": ("ssh into 203.208.60.1", "203.208.60.1"),
    "phone": ("call me at +1 415 555 2671", "+1 415 555 2671"),
    "company_number": ("统一社会信用代码：91110000600037341L", "91110000600037341L"),
    "licence_plate": ("车牌 沪A·8K372 停在 B2", "沪A·8K372"),
    "chat_id": ("微信加 wxid_q8k2m4z7", "wxid_q8k2m4z7"),
    "address": ("收货地址：杭州市余杭区文一西路 998 号 5 幢", "文一西路 998 号"),
    "high_entropy": ("the box says Zk3vQ9xT2mB7wL5yH8nR4cJ6", "Zk3vQ9xT2mB7wL5yH8nR4cJ6"),
}


@check_rows("kind", KINDS)
def test_nothing_is_forgotten_of_a_kind(kind: str) -> None:
    assert kind in EXAMPLES, f"{kind}: give an example of it in EXAMPLES of {Path(__file__).name}"
    text, secret = EXAMPLES[kind]
    hits = [
        text[hit.start : hit.stop] for hit in find_sensitive(text, dict.fromkeys(KINDS, "allow") | {kind: "redact"})
    ]
    hint = "nothing in remember/gates finds"
    if kind in PERSONAL and not sensitive._PERSONAL.search(text):
        hint = "the cheap look `_PERSONAL` in remember/gates/sensitive.py does not let pass"
    assert any(secret in hit for hit in hits), f"{kind}: {hint} {secret!r} in {text!r}"
    row = f"| `gates.{kind}` | {DEFAULTS[kind]} |"
    assert row in (DOCS / "gates.md").read_text(encoding="utf-8"), (
        f"{kind}: docs/gates.md lacks a row that begins {row}"
    )
    assert keys()[f"gates.{kind}"].guarded, f"{kind}: a vault of somebody else could open it without trust"


@check_rows("kind", KINDS)
def test_a_kind_that_is_allowed_stays_and_one_that_is_not_is_blacked_out(kind: str) -> None:
    text, secret = EXAMPLES[kind]
    assert secret in redacted(text, dict.fromkeys(KINDS, "allow"))[0]
    assert secret not in redacted(text, dict.fromkeys(KINDS, "redact"))[0]


def test_what_is_no_secret_is_allowed_until_the_settings_say_otherwise() -> None:
    for kind in ("company_number", "licence_plate", "chat_id", "address"):
        assert redacted(EXAMPLES[kind][0]) == (EXAMPLES[kind][0], [])


def test_kinds_are_told_in_words() -> None:
    assert name_kinds(["email", "phone"]) == "an e-mail address and a phone number"


def test_documents_keep_no_secret_and_nothing_that_is_to_be_refused() -> None:
    rules = of_documents(Gates(email="refuse", password="allow"))
    assert {kind for kind, rule in rules.items() if rule == "redact"} == {
        "private_key",
        "api_key",
        "high_entropy",
        "email",
    }
    assert set(rules) == set(KINDS) and set(PERSONAL) < set(KINDS)
