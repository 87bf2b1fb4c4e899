"""Asking an endpoint: the protocol as it should be, and everything a server can do wrong."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from memcli import llm
from memcli.errors import MissingPart, UsageError
from memcli.llm import client, endpoint
from memcli.llm.target import _address, safe_url
from memcli.text.messages import translated
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.llm.server import Wire, refuse, serving, whole

SHAPE = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def plain(text: str) -> tuple[str, list[str]]:
    return text, []


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PAUSE", 0.01)


def at(folder: Path, url: str, **more: object) -> Vault:
    return opened(folder, llm__url=url, **{"llm__model": "small", "llm__timeout": 5.0, **more})


def test_a_question_is_sent_and_its_answer_returned(folder: Path) -> None:
    with serving("blue 蓝") as model:
        answer = llm.ask(at(folder, model.url), "what colour?", redact=plain)
    assert (answer.text, answer.data, answer.tries) == ("blue 蓝", None, 1)
    assert model.asked == [
        {"messages": [{"role": "user", "content": "what colour?"}], "stream": False, "model": "small"}
    ]
    assert model.paths == ["/v1/chat/completions"]


def test_messages_keep_their_roles(folder: Path) -> None:
    talk = [llm.ChatMessage("system", "be brief"), llm.ChatMessage("user", "天空？")]
    with serving("蓝") as model:
        llm.ask(at(folder, model.url), talk, redact=plain)
    assert [each["role"] for each in model.asked[0]["messages"]] == ["system", "user"]


# -- keys ------------------------------------------------------------------------------------------------------------


def test_the_key_comes_from_the_environment_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret\n")
    with serving("x") as model:
        llm.ask(at(folder, model.url, llm__key_env="MY_KEY"), "?", redact=plain)
        llm.ask(at(folder, model.url), "?", redact=plain)
    assert model.headers[0]["authorization"] == "Bearer sk-secret"
    assert "authorization" not in model.headers[1]


def test_a_key_is_not_repeated_in_a_message(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM_LLM_KEY", "sk-secret")
    with serving(refuse(401, "no such key: sk-secret")) as model, pytest.raises(llm.ModelFailure) as failed:
        llm.ask(at(folder, model.url), "?", redact=plain)
    assert "no such key: [key]" in failed.value.message
    assert "llm.key_env" in failed.value.hint
    assert "sk-secret" not in repr(llm.chosen_target(at(folder, model.url)))


def test_a_broken_key_is_named_by_its_variable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM_LLM_KEY", "sk-密")
    with pytest.raises(UsageError, match="MEM_LLM_KEY") as failed:
        llm.ask(at(folder, "http://127.0.0.1:9"), "?", redact=plain)
    assert "密" not in failed.value.message


def test_ones_own_key_does_not_go_where_a_trusted_vault_points(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memcli.vault import trust

    monkeypatch.setenv("MEM_LLM_KEY", "sk-mine")
    monkeypatch.setenv("THEIRS", "sk-theirs")
    with serving("x") as model:
        for more, sent in (("", None), ("  key_env: THEIRS\n", "Bearer sk-theirs")):
            (folder / "mem.yaml").write_text(f"llm:\n  url: {model.url}\n{more}", encoding="utf-8")
            with pytest.raises(MissingPart, match="no language model is set up") as failed:
                llm.ask(opened(folder), "?", redact=plain)
            assert "mem trust" in failed.value.hint
            trust.trust(folder, opened(folder).environ)
            llm.ask(opened(folder), "?", redact=plain)
            assert model.headers[-1].get("authorization") == sent


# -- servers that do not do what they should -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (refuse(503, "loading model"), "answered 503: loading model"),
        (refuse(429, "slow down", retry_after="0"), "answered 429: slow down"),
        (lambda wire: wire.head(content_length="1000").write('{"choices": ['), "closed connection"),
        (lambda wire: wire.head().write("<html>hello"), "does not speak like"),
        (lambda wire: wire.head().write("[" * 100_000), "does not speak like"),
        (lambda wire: wire.head().write('{"error": "out of memory"}'), "out of memory"),
        (lambda wire: None, "disconnected"),
        (lambda wire: wire.head().write(whole("")), "said nothing"),
    ],
)
def test_a_passing_failure_gets_a_second_try_and_a_notice(folder: Path, first: object, why: str) -> None:
    with serving(first, "fine") as model:
        vault = at(folder, model.url)
        answer = llm.ask(vault, "?", redact=plain)
        assert (answer.text, answer.tries) == ("fine", 2)
        (notice,) = vault.notices
        assert why in notice and "asked again" in notice
    with serving(first) as model, pytest.raises(llm.ModelFailure, match=why):
        llm.ask(at(folder, model.url), "?", redact=plain)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (refuse(404, "model 'small' not found"), "answered 404: model 'small' not found"),
        (lambda wire: wire.head(302, location="http://127.0.0.1:9/").write(""), "sends elsewhere"),
        (lambda wire: wire.head().write('{"choices": []}'), "does not speak like"),
        (lambda wire: wire.head().write('{"choices": [{"message": 5}]}'), "does not speak like"),
        (lambda wire: wire.head(content_encoding="gzip").write(gzip.compress(b"0" * 10_000_000)), "packed"),
        (lambda wire: wire.head().write(whole("x" * 500)), "longer than 100"),
    ],
)
def test_a_lasting_failure_is_told_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: object, why: str
) -> None:
    monkeypatch.setattr(client, "LIMIT", 100)
    with serving(answer) as model, pytest.raises(llm.ModelFailure, match=why) as failed:
        llm.ask(at(folder, model.url), "?", redact=plain)
    assert (len(model.asked), failed.value.code) == (1, 5)


def test_an_answer_without_an_end_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "MOST_BYTES", 100_000)

    def endless(wire: Wire) -> None:
        wire.head()
        while True:
            wire.write(": " + "x" * 5000 + "\n")

    with serving(endless) as model, pytest.raises(llm.ModelFailure, match="has more than"):
        llm.ask(at(folder, model.url), "?", redact=plain)


def test_a_server_that_drips_is_left_at_the_deadline(folder: Path) -> None:
    def drip(wire: Wire) -> None:
        wire.head()
        wire.write(*["x"] * 500, pause=0.02)

    with serving(drip, lambda wire: time.sleep(8)) as model:
        for _ in range(2):
            began = time.monotonic()
            with pytest.raises(llm.ModelFailure, match=r"longer than 0.3 s|fell silent"):
                llm.ask(at(folder, model.url, llm__timeout=0.3), "?", redact=plain)
            assert time.monotonic() - began < 5  # a bound, no measure: the drip is 10 s long


def test_an_answer_cut_by_the_model_is_noticed(folder: Path) -> None:
    with serving(lambda wire: wire.head().write(whole("The reason is", "length"))) as model:
        vault = at(folder, model.url)
        assert llm.ask(vault, "?", redact=plain).text == "The reason is"
    assert "own limit" in vault.notices[0]


def test_nobody_there_is_told_within_seconds(folder: Path) -> None:
    with serving("x") as model:
        pass
    with pytest.raises(llm.ModelFailure, match="could not be reached") as caught:
        llm.ask(at(folder, model.url), "?", redact=plain)
    assert translated(caught.value.message, "zh").endswith(" 连不上")


# -- answers that want something -----------------------------------------------------------------------------------------


def test_escapes_in_an_answer_do_not_reach_the_terminal(folder: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2Jhi\u202e\u200b\r\nthere"
    with serving(evil) as model:
        assert llm.ask(at(folder, model.url), "?", redact=plain).text == "hi\nthere"
    with serving('{"n": 1, "s": "\\u001b[2J\\u202ehi\\ud800"}') as model:
        data = llm.ask(at(folder, model.url), "?", redact=plain, schema=SHAPE).data
    assert data == {"n": 1, "s": "hi\ufffd"}


def test_what_a_model_thinks_aloud_is_left_out(folder: Path) -> None:
    with serving('<think>maybe {"n": 7}?</think>\n\n{"n": 8}') as model:
        assert llm.ask(at(folder, model.url), "?", redact=plain, schema=SHAPE).data == {"n": 8}


# -- JSON ----------------------------------------------------------------------------------------------------------------


def test_json_that_does_not_fit_is_asked_for_once_more_with_the_reason(folder: Path) -> None:
    with serving('{"n": "seven"}', 'Sure:\n```json\n{"n": 7}\n```') as model:
        vault = at(folder, model.url)
        assert llm.ask(vault, "how many?", redact=plain, schema=SHAPE).data == {"n": 7}
    *_, said, wrong = model.asked[1]["messages"]
    assert (said["role"], said["content"]) == ("assistant", '{"n": "seven"}')
    assert "n must be a whole number" in wrong["content"]
    assert "asked again" in vault.notices[0]


def test_a_model_that_never_gets_it_right_is_unanswered(folder: Path) -> None:
    with serving("I would rather not") as model, pytest.raises(llm.ModelFailure, match="no JSON"):
        llm.ask(at(folder, model.url), "?", redact=plain, schema=SHAPE)
    assert len(model.asked) == 2


def test_a_server_that_knows_no_formats_is_asked_in_words(folder: Path) -> None:
    with serving(refuse(400, "response_format is not supported"), '{"n": 1}') as model:
        assert llm.ask(at(folder, model.url), "?", redact=plain, schema=SHAPE).tries == 1
    assert [("response_format" in each) for each in model.asked] == [True, False]
    assert '"required": ["n"]' in model.asked[1]["messages"][-1]["content"]


# -- what leaves -----------------------------------------------------------------------------------------------------------


def test_secrets_are_taken_out_before_anything_leaves_second_tries_included(folder: Path) -> None:
    def redact(text: str) -> tuple[str, list[str]]:
        return text.replace("hunter2", "[REDACTED]"), ["password"] if "hunter2" in text else []

    with serving('{"no": "hunter2"}', '{"n": 1}') as model:
        vault = at(folder, model.url)
        talk = [llm.ChatMessage("system", "hunter2"), llm.ChatMessage("user", "is it hunter2?")]
        llm.ask(vault, talk, redact=redact, schema=SHAPE)
    assert "hunter2" not in str(model.asked)
    assert vault.notices[0] == "redacted before the model was asked: password"


def test_a_prompt_that_is_too_long_is_not_sent(folder: Path) -> None:
    with serving("x") as model, pytest.raises(llm.ModelFailure, match="nothing was sent"):
        llm.ask(at(folder, model.url, llm__limit=10), "x" * 11, redact=plain)
    assert model.asked == []


def test_offline_means_nobody_is_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving("x") as model:
        monkeypatch.setenv("MEM_LLM_OFFLINE", "true")
        vault = at(folder, model.url)
        with pytest.raises(MissingPart, match="offline"):
            llm.ask(vault, "?", redact=plain)
        assert not llm.available(vault)
    assert model.asked == []


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("http://h:11434", "http://h:11434/v1/chat/completions"),
        ("http://h:11434/", "http://h:11434/v1/chat/completions"),
        ("https://h/api/v1/", "https://h/api/v1/chat/completions"),
        ("https://h/v1/chat/completions?k=1#x", "https://h/v1/chat/completions?k=1"),
    ],
)
def test_an_address_is_taken_as_people_give_it(given: str, asked: str) -> None:
    assert _address(given) == asked


@pytest.mark.parametrize("given", ["file:///etc/passwd", "h:80", "http://", "http://h:99999", "http://[", "ftp://h"])
def test_what_is_no_http_address_is_refused(folder: Path, given: str) -> None:
    with pytest.raises(UsageError, match=r"llm\.url"):
        llm.chosen_target(at(folder, given))


def test_an_address_is_shown_without_its_secrets() -> None:
    assert safe_url("https://me:pw@h:1/v1/chat/completions?key=abc") == "https://h:1/v1"
