"""Run the command of a request on the vault of its token, in the right lane."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TypeVar

from memcli.errors import MemError
from memcli.features.serve import answers, problems
from memcli.features.serve.access import Access
from memcli.features.serve.keys import ApiAnswer, Keys, hash_of
from memcli.features.serve.problems import Problem
from memcli.features.serve.readers import Readers
from memcli.features.serve.run_command import CommandResult, Hear, Opener, RunCommand, confined
from memcli.features.serve.words import RequestedCommand
from memcli.features.serve.work import Lanes, QueueName, ServerLimits
from memcli.rest_rows import SLOW, WRITE, Row
from memcli.warm import WarmVault, WarmVaults

OPEN_KEYS = 64  # how many vaults may have their kept answers in memory

Query = list[tuple[str, str]]
T = TypeVar("T")


class CommandRunner:
    """Runs commands for requests. `readers` are processes that read; without them this process reads."""

    def __init__(
        self,
        run: RunCommand,
        vaults: WarmVaults,
        limits: ServerLimits,
        clock: Callable[[], datetime],
        readers: Readers | None = None,
    ) -> None:
        self.run, self.vaults, self.limits, self.clock, self.readers = run, vaults, limits, clock, readers
        self._lanes = Lanes(limits, readers.many if readers else 0)
        self._keys: OrderedDict[Path, Keys] = OrderedDict()
        self._lock = Lock()

    async def run_read(self, row: Row, wanted: RequestedCommand, access: Access, query: Query) -> ApiAnswer:
        def work() -> ApiAnswer:
            vault = self.vaults.at(access.vault)
            if self.readers:
                ran = self.readers.run(wanted.words, wanted.stdin, access)
            else:
                ran = self._run(wanted, access, vault.reading)
            return answers.answer_for(row, ran, wanted, query)

        if row.lane == SLOW:
            return await self._lanes.as_long_as_it_takes(work)
        return await self._lanes.take_turn(QueueName(access.vault, access.token), work)

    async def call(self, access: Access, writes: bool, work: Callable[[WarmVault], T]) -> T:
        """Run other work on the vault of a token. Work that reads takes its turn; work that writes waits for all
        earlier writes."""
        vault = self.vaults.at(access.vault)
        if not writes:
            return await self._lanes.take_turn(QueueName(access.vault, access.token), lambda: work(vault))

        def write() -> T:
            try:
                return work(vault)
            finally:
                self._wrote(access, vault)

        return await self._lanes.in_turn(WRITE, access.vault, write)

    async def hear(self, wanted: RequestedCommand, access: Access, hear: Hear) -> CommandResult:
        """Run a command and pass its output to `hear` while it is printed."""

        def work() -> CommandResult:
            return self._run(wanted, access, self.vaults.at(access.vault).reading, hear)

        return await self._lanes.as_long_as_it_takes(work)

    async def run_write(
        self, row: Row, wanted: RequestedCommand, access: Access, key: str, same: Sequence[str | bytes]
    ) -> ApiAnswer:
        """Run a write after all earlier ones, and return its answer when it is on disk. With a key it is done only
        once."""

        def work() -> ApiAnswer:
            vault, now = self.vaults.at(access.vault), self.clock()
            if not key:
                return self._written(row, wanted, access, vault)
            keys, name, request = self._keys_of(access.vault, now), hash_of(access.token, key), hash_of(*same)
            answer = keys.find_answer(name, request, now)
            if answer is None:
                answer = self._written(row, wanted, access, vault)
                if answer.status < 500:
                    keys.keep(name, request, answer, now)
            return answer

        return await self._lanes.in_turn(row.lane, access.vault, work)

    def _written(self, row: Row, wanted: RequestedCommand, access: Access, vault: WarmVault) -> ApiAnswer:
        try:
            return answers.answer_for(row, self._run(wanted, access, vault.writing), wanted, [])
        except Problem as problem:
            return answers.problem_answer(problem)
        except MemError as error:
            return answers.problem_answer(problems.problem_of_error(error))
        finally:
            self._wrote(access, vault)

    def _wrote(self, access: Access, vault: WarmVault) -> None:
        """Make sure that the next reader sees the write, in this process or another."""
        vault.wrote()
        if self.readers:
            self.readers.wrote(access.vault)

    def _run(self, wanted: RequestedCommand, access: Access, opener: Opener, hear: Hear | None = None) -> CommandResult:
        return self.run(wanted.words, wanted.stdin, access, confined(opener, access), hear)

    def _keys_of(self, root: Path, now: datetime) -> Keys:
        with self._lock:
            keys = self._keys.pop(root, None) or Keys(root, now)
            self._keys[root] = keys
            if len(self._keys) > OPEN_KEYS:
                self._keys.popitem(last=False)
        return keys

    async def finish(self) -> None:
        await self._lanes.finish()
