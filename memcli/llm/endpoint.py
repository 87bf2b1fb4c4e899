"""A model behind an OpenAI-compatible endpoint: chat completions over HTTP, whole or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from memcli import __version__
from memcli.llm.way import Unanswered, Way, is_local, shown
from memcli.text.clean import one_line

if TYPE_CHECKING:
    import httpx

CONNECT = 5.0  # seconds until a host that does not answer is given up
MOST_BYTES = 32 * 1024 * 1024  # an answer of events carries some 200 bytes a token
LONGEST_EVENT = 1024 * 1024
PAUSE = 1.0  # seconds before a busy server is asked again, at least
LONGEST_PAUSE = 10.0  # and at most, whatever it asks for
_MEND = "mem llm test tries it; mem config list shows llm.url"


def begin(
    way: Way, body: dict[str, Any], seconds: float, notice: Callable[[str], None]
) -> tuple[Iterator[str], Callable[[], None]]:
    """Send the question; the answer piece by piece, and how to end it early. Redirects are not followed."""
    import httpx

    try:
        # A proxy is for what lies outside.
        client = httpx.Client(
            timeout=httpx.Timeout(seconds, connect=min(CONNECT, seconds)), trust_env=not is_local(way.url)
        )
    except (
        ValueError,
        OSError,
        httpx.HTTPError,
        httpx.InvalidURL,
    ) as error:  # a proxy or certificate of the environment
        raise Unanswered(f"the endpoint can't be asked: {one_line(str(error), 200)}", _MEND) from None
    return _said(client, way, body, notice), client.close


def _said(client: httpx.Client, way: Way, body: dict[str, Any], notice: Callable[[str], None]) -> Iterator[str]:
    import httpx

    headers = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": f"mem/{__version__}"}
    if way.key:
        headers["authorization"] = f"Bearer {way.key}"
    try:
        with client, client.stream("POST", way.url, content=json.dumps(body), headers=headers) as response:
            if (
                response.headers.get("content-encoding", "identity") != "identity"
            ):  # a small answer could unfold to gigabytes
                raise Unanswered(f"{shown(way.url)} sent a packed answer though it was asked not to", _MEND)
            if response.status_code != 200:
                raise _refusal(response, way)
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                yield from _events(response, way, notice)
            else:
                yield _text(_parsed(b"".join(_limited(response)), way), "message", way, notice)
    except httpx.TimeoutException as error:
        slow = "could not be reached" if isinstance(error, httpx.ConnectTimeout) else "fell silent"
        raise Unanswered(f"{shown(way.url)} {slow}", _MEND, again=0.0) from None
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        why = _without(way.key, str(error)) or type(error).__name__
        raise Unanswered(f"{shown(way.url)}: {why}", _MEND, again=PAUSE) from None


def _refusal(response: httpx.Response, way: Way) -> Unanswered:
    """What a server said instead of answering, and whether it may think otherwise in a moment."""
    code = response.status_code
    raw = b""
    for piece in _limited(response):
        raw += piece
        if len(raw) > 65536:
            break
    said = raw.decode("utf-8", "replace")
    try:
        error = json.loads(said)["error"]
        said = str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    hint = {
        401: "the key is wrong or missing: llm.key_env names the variable that holds it",
        404: "llm.url or llm.model is wrong: the address usually ends in /v1",
    }.get(code, _MEND)
    if 300 <= code < 400:
        said, hint = "it sends elsewhere, which is not followed", "set llm.url to the final address"
    pause = None
    if code in (408, 429) or code >= 500:
        wanted = response.headers.get("retry-after", "")
        pause = min(max(PAUSE, float(wanted) if wanted.isdecimal() else PAUSE), LONGEST_PAUSE)
    why = _without(way.key, said)
    return Unanswered(f"{shown(way.url)} answered {code}{': ' + why if why else ''}", hint, pause, code)


def _events(response: httpx.Response, way: Way, notice: Callable[[str], None]) -> Iterator[str]:
    """The words of server-sent events. A talk that ends without saying so was cut off."""
    rest, ended = b"", False
    for piece in _limited(response):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return
            event = _parsed(data, way)
            ended = ended or bool(_choice(event).get("finish_reason"))
            if text := _text(event, "delta", way, notice):
                yield text
        if len(rest) > LONGEST_EVENT:
            break
    if not ended:
        raise Unanswered(f"{shown(way.url)} broke off in the middle of the answer", _MEND, again=PAUSE)


def _parsed(data: bytes, way: Way) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unanswered(f"{shown(way.url)} does not speak like an OpenAI-compatible endpoint", _MEND, again=PAUSE)
    if found.get("error"):
        raise Unanswered(f"{shown(way.url)}: {_without(way.key, str(found['error']))}", _MEND, again=PAUSE)
    return found


def _choice(found: dict[str, Any]) -> dict[str, Any]:
    choices = found.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    return first if isinstance(first, dict) else {}


def _text(found: dict[str, Any], part: str, way: Way, notice: Callable[[str], None]) -> str:
    """The words in one message or event."""
    choice = _choice(found)
    if part == "message" and not isinstance(choice.get("message"), dict):
        raise Unanswered(f"{shown(way.url)} does not speak like an OpenAI-compatible endpoint", _MEND)
    if choice.get("finish_reason") == "length":
        notice("the model's answer ends where the model's own limit was reached")
    inner = choice.get(part)
    said = inner.get("content") if isinstance(inner, dict) else None
    return said if isinstance(said, str) else ""


def _limited(response: httpx.Response) -> Iterator[bytes]:
    read = 0
    for piece in response.iter_raw():
        read += len(piece)
        if read > MOST_BYTES:
            raise Unanswered("the answer has no end: it was given up", _MEND)
        yield piece


def _without(key: str, said: str) -> str:
    """What a server said, short and without the key: some repeat it."""
    return one_line(said.replace(key, "[key]") if key else said, 200)
