"""The sensitive gate: what it finds, what it leaves alone, and what a hostile text can't get past it."""

from __future__ import annotations

import random
import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.remember import redacted
from memcli.remember.gates.sensitive import DEFAULTS, find_sensitive
from tests.remember.gates.cases import Case, negatives, positives
from tests.rows import check_rows

_SECRETS = {"api_key", "password", "high_entropy"}  # one family: a password may well look like a key


def is_covered(case: Case) -> bool:
    hits, at = find_sensitive(case.text), 0
    for secret in case.secrets:
        start = case.text.index(secret, at)
        at = start + len(secret)
        if not any(hit.start <= start and at <= hit.stop for hit in hits):
            return False
    return any(hit.kind == case.kind or {hit.kind, case.kind} <= _SECRETS for hit in hits)


def rates(yes: list[Case], no: list[Case]) -> tuple[float, float]:
    hit = sum(map(is_covered, yes))
    false = sum(bool(find_sensitive(case.text)) for case in no)
    return hit / len(yes), hit / (hit + false)


def test_the_labelled_set_is_large_enough_and_of_both_languages() -> None:
    assert len(positives()) >= 200 and len(negatives()) >= 200
    for cases in (positives(), negatives()):
        chinese = [case for case in cases if any("\u4e00" <= sign <= "\u9fff" for sign in case.text)]
        assert len(chinese) >= 50
    assert {case.kind for case in positives()} == {kind for kind, policy in DEFAULTS.items() if policy != "allow"}


@pytest.mark.parametrize("kept_aside", [False, True])
def test_nearly_all_is_found_and_hardly_anything_else(kept_aside: bool) -> None:
    recall, precision = rates(
        [case for case in positives() if case.kept_aside == kept_aside],
        [case for case in negatives() if case.kept_aside == kept_aside],
    )
    assert recall >= 0.98
    assert precision >= 0.95


def test_texts_that_came_later_are_told_as_well() -> None:
    recall, precision = rates(positives("fresh"), negatives("fresh"))
    assert recall >= 0.98
    assert precision >= 0.95


def test_a_day_a_span_or_a_time_is_never_a_phone_number() -> None:
    dates = (
        "2026-11-21",
        "20261121",
        "2026/11/21",
        "21.11.2026",
        "2026 2027",
        "2026-10 2026-11",
        "14:30",
        "2026年11月21日",
    )
    for word in (
        "call",
        "phone bill",
        "text me",
        "mobile",
        "fax",
        "signal",
        "电话",
        "打电话给老王",
        "手机",
        "致电客户",
        "[REDACTED_PHONE]",
    ):
        for date in dates:
            for text in (f"{word} {date}", f"{word}: {date} {date}", f"{word} {date} 14:30, {date}"):
                assert redacted(text) == (text, [])


def test_a_number_beside_a_date_is_found_and_the_date_stays() -> None:
    assert redacted("sort 40-12-63 / acc 60165979")[0] == "sort [REDACTED_ACCOUNT] / acc [REDACTED_ACCOUNT]"
    assert redacted("call 2026-11-21 139 1234 5678")[0] == "call 2026-11-21 [REDACTED_PHONE]"
    assert redacted("call +49 89 123456 2026-11-21 14:30")[0] == "call [REDACTED_PHONE] 2026-11-21 14:30"
    assert redacted("phone (212) 736-5000 2026-11-21")[0] == "phone [REDACTED_PHONE] 2026-11-21"


def test_the_end_of_a_mistyped_number_does_not_stay() -> None:
    assert redacted("Call the yard on 01225 555 0188 about it")[0] == "Call the yard on [REDACTED_PHONE] about it"


def test_a_fraction_is_no_card_though_its_digits_would_be_one() -> None:
    digits = "45199619" + "83914549"
    assert redacted(f"a share of 0.{digits} now") == (f"a share of 0.{digits} now", [])
    assert redacted(f"a share of {digits} now")[1] == ["card"]


@check_rows(
    "text, left",
    [
        ("card {} exp 09/28 cvv 123", "card [REDACTED_CARD] exp 09/28 cvv [REDACTED_CARD]"),
        ("{} exp 09/28", "[REDACTED_CARD] exp 09/28"),
        ("{}, valid until 09/28", "[REDACTED_CARD], valid until 09/28"),
        ("{} 09/28 123", "[REDACTED_CARD] 09/28 123"),
        ("{} 有效期 09/28", "[REDACTED_CARD] 有效期 09/28"),
        ("exp 09/28, {}", "exp 09/28, [REDACTED_CARD]"),
        ("order {} expires 09/28", "order {} expires 09/28"),
        ("parcel {} by 09/28", "parcel {} by 09/28"),
    ],
)
def test_a_number_beside_what_stands_on_a_card_is_one_whatever_its_check_digit_says(text: str, left: str) -> None:
    digits = "4929 1234 5678 901" + "4"
    assert redacted(text.replace("{}", digits))[0] == left.replace("{}", digits)


def test_an_address_beside_a_login_brings_no_password_where_words_follow() -> None:
    for text in (
        "my login is [REDACTED_EMAIL] and Kim's is [REDACTED_EMAIL]",
        "account on [REDACTED_EMAIL] with everything in it",
    ):
        assert redacted(text.replace("[REDACTED_EMAIL]", "jo@example.org"))[0] == text


def test_what_is_found_is_blacked_out_and_named_and_the_rest_stays() -> None:
    text = "Anna, anna@posteo.net, +1 415 555 2671: 电话和邮箱"
    assert redacted(text) == ("Anna, [REDACTED_EMAIL], [REDACTED_PHONE]: 电话和邮箱", ["email", "phone"])


def test_what_is_allowed_stays() -> None:
    text = "anna@posteo.net has 4111 1111 1111 1111"
    assert redacted(text, {**DEFAULTS, "email": "allow"}) == ("anna@posteo.net has [REDACTED_CARD]", ["card"])


def test_what_was_blacked_out_is_not_found_again() -> None:
    for case in positives():
        once = redacted(case.text)[0]
        assert redacted(once) == (once, [])


@given(
    st.lists(
        st.one_of(
            st.sampled_from([each for case in positives() for each in (case.text, *case.secrets)]),
            st.sampled_from([case.text for case in negatives()]),
            st.sampled_from(
                [" ", "\n", "-", ".", ",", "@", "call ", "password: ", "[REDACTED_PHONE]", "[REDACTED_", "2026-11-21"]
            ),
        ),
        max_size=8,
    )
)
def test_a_second_look_finds_nothing(parts: list[str]) -> None:
    once = redacted("".join(parts))[0]
    assert redacted(once) == (once, [])


@given(st.text(max_size=200))
def test_any_text_can_be_asked_and_nothing_but_stretches_of_it_is_taken(text: str) -> None:
    hits = find_sensitive(text)
    assert all(0 <= a.start < a.stop <= len(text) for a in hits)
    assert all(a.stop <= b.start for a, b in pairwise(hits))


@given(
    st.lists(
        st.sampled_from(["\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u202e", "\u2066"]), min_size=1, max_size=6
    ),
    st.randoms(),
)
def test_hidden_characters_anywhere_in_a_secret_hide_nothing(hidden: list[str], chance: random.Random) -> None:
    for secret in ("anna@posteo.net", "+1 415 555 2671", "4111111111111111", "password: hunter2"):
        signs = list(secret)
        for each in hidden:
            signs.insert(chance.randrange(1, len(signs)), each)
        text, kinds = redacted(f"note {''.join(signs)} here")
        assert kinds
        assert "posteo" not in text and "2671" not in text and "hunter" not in text and "1111" not in text
        assert text.startswith("note ") and text.endswith(" here")


@check_rows(
    "text",
    [
        "4111 1111\n1111 1111", "4111-\n1111-1111-1111", "anna@posteo.net\u0000\u0000", "４１１１１１１１１１１１１１１１", "pаsswоrd: hunter2",
        "- pass\u200bword = hunter2", "密\u200b码：abc12345", "> password: hunter2", "```\nAPI_TOKEN=9f8a7b6c5d4e3f2a1b0c\n```",
        "<b>anna@posteo.net</b>", "[mail](mailto:anna@posteo.net)", "`+8613800138000`", "|13800138000|", "**anna@posteo.net**",
        "{\"password\": \"hunter2\"}", "password\u00a0:\u00a0hunter2", "PASSWORD=HUNTER-2", "anna＠posteo。net" .replace("。", "．"),
    ],
)  # fmt: skip
def test_dress_does_not_matter(text: str) -> None:
    assert redacted(text)[1], text


def test_a_secret_may_go_on_in_the_next_line() -> None:
    key = "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=36))
    text, kinds = redacted(f"the key\n  ghp_{key[:20]}\n  {key[20:]}\nis for the build")
    assert (text, kinds) == ("the key\n  [REDACTED_API_KEY]\nis for the build", ["api_key"])


def test_words_of_the_next_line_are_not_taken_for_more_of_a_key() -> None:
    text, _ = redacted("AKIA" + "Q7ZR3M5KX2WLT9PB" + "\nbelongs to backup2024 of Anna")
    assert text.endswith("\nbelongs to backup2024 of Anna")


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "1",
        "1 ",
        "aB3",
        "@",
        "a@",
        "a@b.",
        "::",
        "1.",
        "\u200b",
        "密码",
        "password ",
        "-----BEGIN ",
        "+",
        "x\n",
        "é",
        "[",
        "://a:",
        "1-",
        "(1",
        "sk-",
        "secret_",
        "//a/:_authToken=",
        "https://hooks.slack",
        "call 123 456 7890 ",
        "2026-11-21 ",
        "password = ",
        "张三@",
    ],
)
def test_a_long_hostile_line_does_not_stall(unit: str) -> None:
    import time

    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        begun = time.process_time()
        find_sensitive(text)
        return time.process_time() - begun

    spent(1000)  # whatever has to be loaded first
    small, large = max(spent(10_000), 0.002), spent(100_000)
    assert large < 40 * small  # ten times the text, not a hundred times the work


def test_where_an_imported_memory_came_from_is_no_password() -> None:
    assert find_sensitive("Designing Systems with OTP [source:: mem:a89f939]") == []
    assert find_sensitive("the wifi password [source:: hunter22]")
