"""Run the tools. The packages behind them are loaded when a client first calls a tool.

Answers keep to the budget that was asked for, labels included. A recall goes to the watcher of its vault if there is
one. If that fails for any reason, this process answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from memcli import contributions, extras
from memcli.errors import MemError, UsageError, VaultError
from memcli.features.serve.mcp import wording
from memcli.features.serve.mcp.homes import PROJECT, USER
from memcli.features.serve.mcp.tools import AGENT, BUDGET
from memcli.message import Message
from memcli.text import tokens
from memcli.text.clean import one_line, tame
from memcli.text.frame import bullet, choose_fitting
from memcli.vault import agents
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault, open_vault

UNASKED = 0.4  # share of the budget that the additions of features may take
FIRST = 0.6  # share of the budget that the project may take, so that the user's own memory has room, too
HEADS = {
    PROJECT: "From this project (cite as path:line):\n",
    USER: f"From the user's own memory (cite as {USER}:path:line):\n",
}
EMPTY = "Nothing is remembered yet."
ERROR_LENGTH = 200  # characters of the reason why one of two memories can't answer

Clock = Callable[[], datetime]


class Calls:
    """Run the tools on the memories of one server: the tool `show` of `tools.TOOLS` is the method `tool_show`."""

    def __init__(
        self,
        homes: list[tuple[str, str]],
        environ: Mapping[str, str],
        here: str,
        clock: Clock,
        tell: Callable[[str], Any],
        opener: Callable[..., Vault] = open_vault,
        agent: str = "",
    ) -> None:
        self.homes, self.environ, self.here, self.clock, self.tell = homes, environ, here, clock, tell
        self.opener = opener
        self.agent = agent  # "" means the agent that the client names

    def run(self, name: str, arguments: dict[str, Any], client: str) -> tuple[str, bool]:
        """Return the answer of a tool, and whether it failed."""
        try:
            if not self.homes:
                raise VaultError("there is no memory here yet", "the user can make one: mem init")
            with extras.wanted():
                do = getattr(self, f"tool_{name}", None) or partial(self._of_feature, name)
                return do(arguments, wording.name(client)), False
        except MemError as error:
            return "; ".join(filter(None, (error.message, wording.for_clients(error.hint)))), True

    def _of_feature(self, name: str, arguments: dict[str, Any], client: str) -> str:
        tool = next(each for each in contributions.mcp_tools() if each.name == name)
        if not tool.head:
            text = tool.run(self._open(self.homes[0][0], client), arguments)
            if not isinstance(text, str):
                raise TypeError(f"{name} returned {type(text).__name__}, not a text")
            return text
        left, found = arguments.get("budget", BUDGET) - wording.count(tool.head), [tool.head]
        for owner, _ in self.homes:
            vault = self._open(owner, client)
            if text := tool.run(vault, {**arguments, "budget": left}):
                found.append(text)
                left -= wording.count(text) + 1
            self._tell(vault)
        return "".join(found) if found[1:] else tool.nothing

    def _open(self, owner: str, client: str) -> Vault:
        """Return the vault of the owner, as the client's agent may see it."""
        root = Path(dict(self.homes).get(owner) or self.homes[0][1])
        return self.opener(root, self.clock, self.environ, {}, client).seen_by(self._agent(client))

    def _agent(self, client: str) -> str:
        return self.agent or agents.agent_name(client)

    # -- reading -----------------------------------------------------------------------------------------------------

    def tool_recall(self, arguments: dict[str, Any], client: str) -> str:
        """Return what features add to a question, followed by the results of recall."""
        above, budget = self._unasked(arguments["question"], client), arguments.get("budget", BUDGET)
        if not above or wording.count(above) > budget * UNASKED:
            return self._remembered(arguments, client)
        return above + self._remembered({**arguments, "budget": budget - wording.count(above)}, client)

    def _unasked(self, question: str, client: str) -> str:
        layers = [layer for layer in contributions.prompt_layers() if layer.recall]
        for owner, _ in self.homes if layers else ():
            try:
                vault = self._open(owner, client)
                blocks, count = "", tokens.counter(vault.settings.recall.encoding)
                for layer in layers:
                    budget = vault.settings.of_feature(f"prompt.{layer.name}")
                    put = lambda lines, head=layer.recall: "\n".join([head, *map(bullet, lines), ""])  # noqa: E731
                    blocks += choose_fitting(contributions.lines(layer, vault, question, False), budget, put, count)[0]
                if blocks:
                    return blocks
            except MemError:  # the recall itself will report this failure
                continue
        return ""

    def _remembered(self, arguments: dict[str, Any], client: str) -> str:
        if len(self.homes) == 1:
            return self._recalled(*self.homes[0], arguments, arguments.get("budget"), client)[0] or EMPTY
        left = total = arguments.get("budget", BUDGET)
        blocks: list[tuple[bool, str]] = []  # whether anything matched, and the text
        errors: list[MemError] = []
        for owner, root in self.homes:
            budget = (int(total * FIRST) if owner == PROJECT else left) - wording.count(HEADS[owner]) - 1
            try:
                text, matched = self._recalled(owner, root, arguments, budget, client)
            except MemError as error:  # the other one can still answer
                errors.append(error)
                text, matched = one_line(f"It can't be read: {error.message}", ERROR_LENGTH) + "\n", True
            if text:
                blocks.append((matched, HEADS[owner] + text))
                left -= wording.count(blocks[-1][1]) + 1
        if len(errors) == len(self.homes):
            raise errors[0]
        return "\n".join([text for matched, text in blocks if matched] or [text for _, text in blocks[-1:]]) or EMPTY

    def _recalled(
        self, owner: str, root: str, arguments: dict[str, Any], budget: int | None, client: str
    ) -> tuple[str, bool]:
        """Return the block of one memory, and whether anything in it matches the question."""
        question, since, tags = arguments["question"], arguments.get("since", ""), arguments.get("tags", [])
        words = [
            "recall",
            "--strict",
            *([f"--agent={agent}"] if (agent := self._agent(client)) else []),
            *([f"--budget={budget}"] if budget else []),
        ]
        words += [*([f"--since={since}"] if since else []), *(f"--tag={tag}" for tag in tags), "--", question]
        code, text = self._watched(root, words)
        if text:
            return text, code == 0
        from memcli.recall import Request, recall
        from memcli.vault import labels
        from memcli.vault.filter import read_days

        vault = self._open(owner, client)
        first = read_days(since, vault.today)[0] if since else None
        block = recall(vault, Request(question, budget, since=first, tags=tuple(tags)))
        if used := [fact.label for fact in block.facts if fact.label]:
            labels.count_uses(vault, used)
        self._tell(vault)
        return block.text, block.matched

    def tool_show(self, arguments: dict[str, Any], client: str) -> str:
        vault, entry, prefix = self._found(arguments["place"], client)
        budget, around = arguments.get("budget", BUDGET), list(wording.around(vault, entry))
        facts = [entry.id, str(entry.day or "undated"), entry.type or entry.kind, *(f"#{tag}" for tag in entry.tags)]
        if entry.superseded:
            facts.append(Message("superseded by {id}", id=entry.superseded))
        head = tame(one_line(" · ".join([prefix + entry.place, *facts]), 200)) + "\n"
        count = tokens.counter()
        whole = wording.line(entry, entry.raw)
        if count(head + whole) > budget:
            from memcli.text.excerpt import best_excerpt

            cost = lambda text: count(wording.line(entry, text))  # noqa: E731
            whole = wording.line(entry, best_excerpt(entry.raw, budget - count(head), cost, lambda text: ())[0])
        shown = {entry.line: whole}
        for other in around:
            more = {**shown, other.line: wording.line(other, other.raw)}
            if count(head + "".join(more.values())) > budget:
                break
            shown = more
        self._tell(vault)
        return head + "".join(text for _, text in sorted(shown.items()))

    # -- writing -----------------------------------------------------------------------------------------------------

    def tool_remember(self, arguments: dict[str, Any], client: str) -> str:
        from memcli import remember

        text, kind, tags = arguments["text"], arguments.get("type", ""), arguments.get("tags", [])
        whose = arguments.get("owner", "")
        owner = whose or (USER if kind == "preference" else PROJECT)
        vault = agents.keeping_vault(
            self._open(owner, client), whose and (agents.OWN if whose == AGENT else agents.SHARED)
        )
        if kind == "preference":
            message, place = _preferred(vault, text), vault.space
        else:
            added = remember.add(vault, remember.Memory(text, tuple(tags), kind, source=client))
            verb = "known already, marked as said again:" if added.again else "kept as"
            place = added.entry.place
            message = f"{verb} {added.entry.id} in {self._prefix(owner)}{one_line(place)}"
            if not added.again:
                users = vault if vault.agent else agents.keeping_vault(self._open(USER, client), agents.SHARED)
                message += _against(vault, users, added.entry)
        if vault.agent and place.startswith(vault.space):
            message += f"; {vault.agent} alone sees it, until the user hands it on: mem agent share"
        return "\n".join([message, *(f"note: {wording.for_clients(notice)}" for notice in vault.notices)])

    def tool_forget(self, arguments: dict[str, Any], client: str) -> str:
        from memcli import remember

        vault, entry, prefix = self._found(arguments["place"], client)
        path = remember.forget(vault, entry).changes[0].path
        return f"archived in {prefix}{one_line(path)}: {tame(one_line(entry.words, 100))}\nmem undo brings it back"

    # -- finding -----------------------------------------------------------------------------------------------------

    def _found(self, place: str, client: str) -> tuple[Vault, Entry, str]:
        """Return the vault and entry of a citation, and the prefix of its place: `user:` for the user's memory when the
        server has two. The project's memory is searched first."""
        place = re.sub(r"(:\d+)[-–]\d+$", r"\1", place.strip())
        errors = []
        for owner, _ in self.homes:
            prefix = self._prefix(owner)
            if place.startswith(f"{USER}:") and len(self.homes) > 1 and not prefix:
                continue
            try:
                vault = self._open(owner, client)
                return vault, vault.find_entry(place.removeprefix(f"{USER}:")), prefix
            except MemError as error:
                errors.append(error)
        if not isinstance(errors[-1], UsageError):
            raise errors[-1]
        raise UsageError(errors[-1].message, "use path:line as recall prints it, or an id as show and remember do")

    def _prefix(self, owner: str) -> str:
        return f"{USER}:" if owner == USER and len(self.homes) > 1 else ""

    def _watched(self, root: str, words: list[str]) -> tuple[int, str]:
        """Return the exit code and output of a command that the vault's watcher ran, or (0, "") without a watcher."""
        try:
            from memcli.watch import wire
        except ImportError:
            return 0, ""
        return wire.run(root, words, self.environ, self.here) or (0, "")

    def _tell(self, vault: Vault) -> None:
        for notice in vault.notices:
            self.tell(f"note: {one_line(notice)}")


def _against(vault: Vault, users: Vault, entry: Entry) -> str:
    """Return a note if a new memory contradicts another one or a keyed value of the user; else ""."""
    from memcli import remember

    if other := remember.contradicted(vault, entry):
        return f", against {other.id}: {tame(one_line(other.words, 100))}; the user says which holds: mem review"
    known = remember.contradicted_value(users, entry)
    return f", but {tame(one_line(known, 100))}; the user says which holds: mem review" if known else ""


def _preferred(vault: Vault, text: str) -> str:
    """Keep a preference under its key, as `mem add --type preference` does. Return the answer to the client."""
    from memcli.remember import learning, proposals

    kept = learning.keep_preference(vault, learning.find_preference(text))
    said = f"{one_line(kept.atom.key)}: {one_line(kept.atom.value)}"
    if isinstance(kept, proposals.Repetition):
        return f"known already: {said}"
    before = Message(", no longer: {before}", before=one_line(kept.before, 60)) if kept.before else ""
    return f"kept as a preference: {said}{before}"
