"""Talk to a model behind an OpenAI-compatible endpoint: chat completions over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from memcli.http import Call, HttpError, HttpLimits, TimedOut, UnacceptableAnswer
from memcli.llm.target import MOST_BYTES, Hear, ModelFailure, Target
from memcli.message import Message
from memcli.text.clean import one_line

CONNECT = 5.0  # seconds after which a host that does not answer is given up
PAUSE = 1.0  # seconds before a busy server is asked again, at least
LONGEST_PAUSE = 10.0  # and at most, whatever it asks for
_HINT = Message("mem config list shows {name}", name="llm.url")


def begin(
    target: Target, body: dict[str, Any], seconds: float, notice: Callable[[str], None]
) -> tuple[Callable[[Hear], str], Callable[[], None]]:
    """Prepare a request.

    Return a function that reads the answer piece by piece, and one that ends it. No redirect is followed.
    """
    headers = {"content-type": "application/json"}
    if target.key:
        headers["authorization"] = f"Bearer {target.key}"
    limits = HttpLimits(seconds, seconds, min(CONNECT, seconds), MOST_BYTES)
    call = Call(target.url, limits, headers, body=json.dumps(body))
    return lambda hear: _receive_answer(call, target, notice, hear), call.end


def _receive_answer(call: Call, target: Target, notice: Callable[[str], None], hear: Hear) -> str:
    try:
        with call:
            if call.status != 200:
                raise _make_failure(call, target)
            if call.kind != "text/event-stream":  # the server may not support streams
                hear(words := _read_words(call.read_body(), "message", target, notice)[0])
                return words
            return _read_events(call.pieces(), target, notice, hear)
    except HttpError as error:
        again = None if isinstance(error, UnacceptableAnswer) else 0.0 if isinstance(error, TimedOut) else PAUSE
        why = str(error)  # a message, which stays one if the key is not in it
        why = _remove_key(target.key, why) if target.key and target.key in why else why
        raise ModelFailure("{place} {WHY}", _HINT, again=again, place=target.address, WHY=why) from None


def _make_failure(call: Call, target: Target) -> ModelFailure:
    """Return the error that a server's refusal stands for, and whether a second try makes sense."""
    code = call.status
    message = call.read_body().decode("utf-8", "replace")
    try:
        error = json.loads(message)["error"]
        message = str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    hint = {
        401: "the key is wrong or missing: llm.key_env names the variable that holds it",
        404: "llm.url or llm.model is wrong: the address usually ends in /v1",
    }.get(code, _HINT)
    if 300 <= code < 400:
        message, hint = "it sends elsewhere, which is not followed", "set llm.url to the final address"
    pause = None
    if code in (408, 429) or code >= 500:
        wanted = call.headers.get("retry-after", "")
        pause = min(max(PAUSE, float(wanted) if wanted.isdecimal() else PAUSE), LONGEST_PAUSE)
    why = _remove_key(target.key, message)
    return ModelFailure(
        "{place} answered {n}{WHY}", hint, pause, code, place=target.address, n=code, WHY=": " + why if why else ""
    )


def _read_events(pieces: Iterator[bytes], target: Target, notice: Callable[[str], None], hear: Hear) -> str:
    """Return the words of server-sent events.

    Raise ModelFailure when they stop without an end, which means they were cut off.
    """
    said: list[str] = []
    rest, ended = b"", False
    for piece in chain(pieces, [b"\n"]):  # the last line may have no end
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return "".join(said)
            if line.startswith(b"data:"):
                words, last = _read_words(data, "delta", target, notice)
                ended = ended or last
                said.append(words)
                hear(words)
    if not ended:
        raise ModelFailure("{place} broke off in the middle of the answer", _HINT, again=PAUSE, place=target.address)
    return "".join(said)


def _read_words(data: bytes, event: str, target: Target, notice: Callable[[str], None]) -> tuple[str, bool]:
    """Return the words in an answer (its `message`) or in an event (its `delta`), and whether they are the last."""
    strange = Message("{place} does not speak like an OpenAI-compatible endpoint", place=target.address)
    try:
        found = json.loads(data)
        if found.get("error"):
            raise ModelFailure(f"{target.address}: {_remove_key(target.key, str(found['error']))}", _HINT, again=PAUSE)
    except (ValueError, RecursionError, AttributeError):
        raise ModelFailure(strange, _HINT, again=PAUSE) from None
    if event == "delta" and not found.get("choices"):  # an event that only counts tokens
        return "", False
    try:
        choice = found["choices"][0]
        inner = choice[event] if event == "message" else choice.get(event) or {}
        content, why = inner.get("content"), choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError):
        raise ModelFailure(strange, _HINT) from None
    if why == "length":
        notice("the model's answer ends where the model's own limit was reached")
    return content if isinstance(content, str) else "", bool(why)


def _remove_key(key: str, text: str) -> str:
    """Return a server's words, short and without the key, which some servers repeat."""
    return one_line(text.replace(key, "[key]") if key else text, 200)
