"""Who reads next: nobody waits long, and nobody waits for somebody who asks a lot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("starlette")

from memcli.features.serve.problems import Problem
from memcli.features.serve.work import QueueName, Turns

ANNA, BEN = QueueName("anna's", "anna"), QueueName("ben's", "ben")
ANNAS_PHONE = QueueName("anna's", "phone")


class Room:
    """Readings that come to their end when a test says so, and the order in which they began."""

    def __init__(self, at_once: int = 1, most: int = 4) -> None:
        self.turns = Turns(self._begin, at_once, most)
        self.begun: list[str] = []
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        self._ends: list[asyncio.Future[Any]] = []

    def _begin(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        self.begun.append(work())
        self._ends.append(asyncio.get_running_loop().create_future())
        return self._ends[-1]

    async def ask(self, name: str, whose: QueueName) -> None:
        self.tasks[name] = asyncio.ensure_future(self.turns.take_turn(whose, lambda: name))
        await settled()

    async def end_one(self) -> None:
        at = next(at for at, end in enumerate(self._ends) if not end.done())
        self._ends[at].set_result(f"answer to {self.begun[at]}")
        await settled()

    async def end_all(self) -> None:
        while any(not end.done() for end in self._ends):
            await self.end_one()

    def sent_away(self) -> list[str]:
        return [name for name, task in self.tasks.items() if task.done() and isinstance(task.exception(), Problem)]


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def played(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def test_who_asks_a_lot_makes_nobody_else_wait() -> None:
    async def scene() -> None:
        room = Room(most=10)
        for number in range(6):
            await room.ask(f"noise {number}", ANNA)
        await room.ask("a question", BEN)
        await room.end_one()
        assert room.begun == ["noise 0", "a question"]
        await room.end_all()

    played(scene)


def test_a_full_room_has_a_place_for_somebody_new_and_who_has_most_gives_up_the_last() -> None:
    async def scene() -> None:
        room = Room(most=4)
        for number in range(5):
            await room.ask(f"noise {number}", ANNA)
        assert room.sent_away() == ["noise 4"]
        await room.ask("a question", BEN)
        assert room.sent_away() == ["noise 3", "noise 4"]
        await room.end_all()
        assert room.begun == ["noise 0", "a question", "noise 1", "noise 2"]

    played(scene)


def test_many_tokens_of_one_vault_have_no_more_than_one_of_another() -> None:
    async def scene() -> None:
        room = Room(most=10)
        await room.ask("first", BEN)
        for number in range(4):
            await room.ask(f"noise {number}", QueueName("anna's", f"token {number}"))
        await room.ask("second", BEN)
        await room.end_all()
        assert room.begun[:3] == ["first", "noise 0", "second"]

    played(scene)


def test_tokens_of_one_vault_take_turns_too() -> None:
    async def scene() -> None:
        room = Room(most=4)
        for number in range(4):
            await room.ask(f"noise {number}", ANNA)
        await room.ask("a question", ANNAS_PHONE)
        assert room.sent_away() == ["noise 3"]
        await room.end_one()
        assert room.begun == ["noise 0", "a question"]
        await room.end_all()

    played(scene)


def test_who_would_wait_too_long_is_told_at_once_when_there_is_room_and_each_another_time() -> None:
    async def scene() -> None:
        room = Room(most=2)
        room.turns.pace = 2.0
        for number in range(5):
            await room.ask(f"question {number}", ANNA)
        problems = [room.tasks[name].exception() for name in room.sent_away()]
        assert [problem.status for problem in problems if isinstance(problem, Problem)] == [429] * 3
        times = [int(problem.headers["Retry-After"]) for problem in problems if isinstance(problem, Problem)]
        assert times == sorted(set(times)) and times[0] >= 2
        await room.end_all()

    played(scene)


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    async def scene() -> None:
        room = Room(most=10)
        await room.ask("other", ANNA)
        await room.ask("gone", ANNA)
        await room.ask("stays", ANNA)
        room.tasks["gone"].cancel()
        await settled()
        assert room.turns.waiting == 1
        await room.end_all()
        assert room.begun == ["other", "stays"]
        assert await room.tasks["stays"] == "answer to stays"

    played(scene)


def test_what_fails_fails_for_who_waited_and_the_next_one_has_its_turn() -> None:
    async def scene() -> None:
        room = Room()
        await room.ask("broken", ANNA)
        await room.ask("next", ANNA)
        room._ends[0].set_exception(ValueError("broken"))
        await settled()
        with pytest.raises(ValueError, match="broken"):
            await room.tasks["broken"]
        assert room.begun == ["broken", "next"]
        await room.end_all()

    played(scene)
