"""Ask the model with `ask`, which redacts the question, keeps the limit and the deadline, and tries a second time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from memcli.check_value import find_fault
from memcli.llm.target import ModelFailure, Target, chosen_target
from memcli.message import Message
from memcli.text.clean import harmless
from memcli.text.images import ImageFilter, without_images
from memcli.vault import settings
from memcli.vault.vault import Vault

LIMIT = 100_000  # characters of an answer
MOST_TRIES = 200  # places in an answer where JSON could begin
_BEGIN = re.compile(r"[{\[]")
_THOUGHT = re.compile(r"\A\s*<(think|thinking)>.*?(?:</\1>|\Z)", re.S)  # the thoughts of reasoning models
_THINKING = ("<think>", "<thinking>")
_ESCAPE = 200  # characters held back while they may be part of a terminal escape
_ORDER = "Answer with JSON alone, nothing before or after it. It must fit this JSON schema:\n"

Schema = dict[str, Any]
Redact = Callable[[str], tuple[str, list[str]]]  # text → the text without secrets, and the kinds that were in it


@dataclass(frozen=True)
class ChatMessage:
    role: str  # system, user or assistant
    content: str


@dataclass(frozen=True)
class ModelAnswer:
    """Hold the model's answer; with a schema `data` is its JSON, checked and cleaned."""

    text: str
    data: Any
    seconds: float
    tries: int


class _InvalidAnswer(ModelFailure):
    """Signal an answer that does not fit its schema."""


def ask(
    vault: Vault,
    prompt: str | Sequence[ChatMessage],
    *,
    redact: Redact,
    schema: Schema | None = None,
    hear: Callable[[str], None] | None = None,
) -> ModelAnswer:
    """Ask the model and return its answer.

    Raise ModelFailure when it gives nothing usable. A temporary failure, or JSON that does not fit, gets a second try.

    `hear` gets the answer piece by piece as it comes, cleaned, without images and without the model's thoughts. A model
    that can only answer as a whole calls it once. After the first piece there is no second try, since it can't be taken
    back.
    """
    there, began = chosen_target(vault), time.monotonic()
    until = began + vault.settings.llm.timeout
    messages = _ready(vault, prompt, redact)
    if schema is not None:
        last = messages[-1]
        messages[-1] = ChatMessage(last.role, f"{last.content}\n\n{_ORDER}{json.dumps(schema, ensure_ascii=False)}")
    tries, formatted, text = 1, schema, ""
    while True:
        ear = StreamFilter(hear) if hear else None
        try:
            text = _THOUGHT.sub("", harmless(_answer(vault, there, messages, until, formatted, ear))).strip()
            if not text:
                raise ModelFailure("the model said nothing", "mem config list shows what is asked", again=0.0)
            _bounded(len(text))
            data = None if schema is None else _shaped(text, schema)
            return ModelAnswer(without_images(text), data, time.monotonic() - began, tries)
        except ModelFailure as error:
            if formatted and error.status in (400, 422):  # the server has no formats; the order in words stays
                formatted = None
                continue
            if tries > 1 or error.again is None or (ear and ear.heard) or time.monotonic() + error.again >= until:
                raise
            vault.notice("{WHY}; the model was asked again", WHY=error.message)
            time.sleep(error.again)
            tries += 1
            if isinstance(error, _InvalidAnswer):
                wrong = f"{error.message}. Answer again, with the corrected JSON alone."
                messages = [*messages, ChatMessage("assistant", redact(text)[0]), ChatMessage("user", wrong)]


def _ready(vault: Vault, prompt: str | Sequence[ChatMessage], redact: Redact) -> list[ChatMessage]:
    """Return the messages as they may leave, without secrets. Raise ModelFailure when they are too long."""
    messages, kinds = [], set()
    for each in [ChatMessage("user", prompt)] if isinstance(prompt, str) else prompt:
        content, found = redact(each.content)
        messages.append(ChatMessage(each.role, content.encode("utf-8", "replace").decode("utf-8")))
        kinds.update(found)
    if kinds:
        vault.notice("redacted before the model was asked: {kinds}", kinds=", ".join(sorted(kinds)))
    size, most = sum(len(message.content) for message in messages), vault.settings.llm.limit
    if size > most:
        raise ModelFailure(
            "a prompt of {n} characters is too long: nothing was sent", Message("llm.limit is {n}", n=most), n=size
        )
    return messages


def _shaped(text: str, schema: Schema) -> Any:
    data, wrong = read_json(text, schema)
    if wrong:
        raise _InvalidAnswer(
            Message("the JSON does not fit: {WHAT}", WHAT=wrong),
            "a larger model follows such orders better",
            again=0.0,
        )
    return data


def _answer(
    vault: Vault,
    target: Target,
    messages: list[ChatMessage],
    until: float,
    schema: Schema | None,
    ear: StreamFilter | None,
) -> str:
    """Return the model's words.

    A separate thread reads them, so nobody waits beyond the deadline, however slowly they come.
    """
    seconds = max(0.0, until - time.monotonic())
    if target.command:
        from memcli.llm import command

        workdir = settings.data_home(vault.environ) / "llm"
        read, end = command.begin(target.command, _as_text(messages), workdir, vault.environ)
    else:
        from memcli.llm import endpoint

        body = _as_body(target, messages, schema, stream=ear is not None)
        read, end = endpoint.begin(target, body, seconds, vault.notice)
    pieces: SimpleQueue[tuple[str | Exception, bool]] = SimpleQueue()  # a piece and False; last the whole and True

    def listen() -> None:
        try:
            pieces.put((read(lambda piece: pieces.put((piece, False))), True))
        except Exception as error:
            pieces.put((error, True))

    Thread(target=listen, name="llm", daemon=True).start()
    done = False
    try:
        while not done:
            found, done = pieces.get(timeout=max(0.0, until - time.monotonic()))
            if isinstance(found, Exception):
                raise found
            if ear:
                ear.take("" if done else found, last=done)
    except Empty:
        allowed = vault.settings.llm.timeout
        raise ModelFailure(
            "the model took longer than {n} s", "llm.timeout gives it more", n=f"{allowed:.3g}"
        ) from None
    finally:
        end()
    return str(found)


def _bounded(size: int) -> None:
    if size > LIMIT:
        raise ModelFailure("the answer is longer than {n} characters", n=LIMIT)


class StreamFilter:
    """Filter an answer in pieces: pass on no thoughts, no images and no escape sequence hidden by a cut."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self.heard = 0  # characters
        self._images, self._rest = ImageFilter(hear), ""
        self._close: str | None = None  # the tag that ends the current thought; "": it has ended

    def take(self, piece: str, last: bool = False) -> None:
        self._rest += piece
        if not self.heard and not self._has_begun(last):
            return
        at = len(self._rest) if last else self._whole()
        clean, self._rest = harmless(self._rest[:at]), self._rest[at:]
        if clean:
            self.heard += len(clean)
            _bounded(self.heard)
            self._images.add(clean)
        if last:
            self._images.end()

    def _has_begun(self, last: bool) -> bool:
        """Return whether the words have begun. Blanks and a thought may stand before them."""
        if self._close is None:
            self._rest = self._rest.lstrip()
            if tag := next((tag for tag in _THINKING if self._rest.startswith(tag)), ""):
                self._close = f"</{tag[1:]}"
            elif not last and any(tag.startswith(self._rest) for tag in _THINKING):
                return False
        if self._close:
            before, closed, after = self._rest.partition(self._close)
            self._rest = after if closed else "" if last else before[-len(self._close) :]
            if not closed:
                return False
            self._close = ""
        self._rest = self._rest.lstrip()
        return bool(self._rest)

    def _whole(self) -> int:
        """Return how many characters certainly hold no half of an escape sequence or of a line end."""
        at = max(self._rest.rfind("\x1b"), self._rest.rfind("\x9b"))
        if at >= 0 and len(self._rest) - at < _ESCAPE:
            return at
        return len(self._rest) - self._rest.endswith("\r")


def _as_text(messages: list[ChatMessage]) -> str:
    """Return the messages as one text, for a command that knows no roles."""
    talk = sum(message.role != "system" for message in messages) > 1
    return "\n\n".join(
        f"{message.role.capitalize()}: {message.content}" if talk and message.role != "system" else message.content
        for message in messages
    )


def _as_body(target: Target, messages: list[ChatMessage], schema: Schema | None, stream: bool) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": [vars(message) for message in messages], "stream": stream}
    if target.model:
        body["model"] = target.model
    if schema is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    return body


# -- JSON in an answer ------------------------------------------------------------------------------------------------


def read_json(text: str, schema: Schema) -> tuple[Any, str]:
    """Return the first JSON in `text` that fits the schema, cleaned, and "".

    If none fits, return the first JSON there is and what keeps it from fitting.
    """
    first: tuple[Any, str] = (None, "there is no JSON in the answer")
    decoder, at = json.JSONDecoder(parse_constant=_no_number), 0
    for _ in range(MOST_TRIES):
        begin = _BEGIN.search(text, at)
        if not begin:
            break
        try:
            value, at = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            at = begin.end()
            continue
        value = _clean(value)
        if not (wrong := find_fault("the answer", value, schema)):
            return value, ""
        if first[0] is None:
            first = value, wrong
    return first


def _clean(value: Any) -> Any:
    """Return a value with clean strings: escape sequences and hidden characters can also arrive as JSON escapes.

    1.0 becomes 1, which JSON does not tell apart.
    """
    if isinstance(value, str):
        return without_images(harmless(value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    return {harmless(name): _clean(each) for name, each in value.items()} if isinstance(value, dict) else value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
