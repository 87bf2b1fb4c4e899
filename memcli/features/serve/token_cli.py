"""Define `mem token add|list|limit|withdraw`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli.clock import clock_of
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError, VaultError
from memcli.features.serve.access import Access, AccessTokens, facts_of
from memcli.message import Message, joined
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from datetime import datetime

Name = Annotated[str, "NAME", "What the token is called; the journal names it as the writer."]
Rate = Annotated[str, "N/min", "At most so many requests a minute; 0 takes the limit away."]
Days = Annotated[int | None, "N", "It ends after so many days; 0: when it is withdrawn."]


@command(
    "token add",
    "mem token add phone",
    "mem token add guest --vault ~/team --read-only --days 7 --rate 60/min",
    "mem token add scout --agent scout --json | jq -r .secret",
)
def add(
    terminal: Terminal,
    name: Name,
    /,
    agent: Annotated[str | None, "NAME", "Confined to what is shared and this agent's own space."] = None,
    read_only: Annotated[bool, "It changes nothing."] = False,
    days: Days = None,
    rate: Rate = "",
) -> Result:
    """Make a token for one vault, which mem serve lets in. Its secret is shown once and kept nowhere."""
    root = terminal.where()
    if not root.is_dir():
        raise VaultError("{root} does not exist", Message("mem init {root} makes a vault there", root=root), root=root)
    token, secret = _tokens(terminal).add(name, root, agent, not read_only, days or 0, _rate(rate) or 0)
    now = clock_of(terminal.environ)()
    note = Message(
        "{name} opens {place}: {RIGHTS}; the secret is shown this once",
        name=name,
        place=token.vault,
        RIGHTS=_rights(token, now),
    )
    return Result({**_as_json(token, now), "secret": secret}, secret, note)


@command("token list", "mem token", "mem token list --json | jq -r '.tokens[].name'")
def list_(terminal: Terminal) -> Result:
    """Show all tokens and what they open. No secret is among it: only hashes are kept."""
    now, listed = clock_of(terminal.environ)(), _tokens(terminal).listed()
    rows = [
        [one_line(token.token), one_line(str(token.vault)), token.agent or "", terminal.translate(_rights(token, now))]
        for token in listed
    ]
    return Result(
        {"tokens": [_as_json(token, now) for token in listed]},
        Table(rows, (CYAN, "", GREEN, DIM)),
        "" if listed else "there is no token yet; mem token add NAME makes one",
    )


@command("token limit", "mem token limit phone --rate 120/min", "mem token limit guest --read-only --days 1")
def limit(
    terminal: Terminal,
    name: Name,
    /,
    read_only: Annotated[bool | None, "--read-only/--read-write", "Whether it changes anything."] = None,
    days: Days = None,
    rate: Rate = "",
) -> Result:
    """Change what a token may do, how often and how long. It counts at once, also in a server that runs."""
    if read_only is None and days is None and not rate:
        raise UsageError("nothing to change", "--rate, --days, --read-only")
    token = _tokens(terminal).limit(name, None if read_only is None else not read_only, days, _rate(rate))
    now = clock_of(terminal.environ)()
    return Result(
        _as_json(token, now), f"{one_line(name)}{terminal.speech.colon}{terminal.translate(_rights(token, now))}"
    )


@command("token withdraw", "mem token withdraw phone")
def withdraw(terminal: Terminal, name: Name, /) -> Result:
    """Take a token away. It opens nothing from now on, also in a server that runs."""
    token = _tokens(terminal).withdraw(name)
    return Result(
        {"name": token.token, "withdrawn": True},
        terminal.translate("{name} opens nothing any more", name=one_line(name)),
    )


def _tokens(terminal: Terminal) -> AccessTokens:
    return AccessTokens(terminal.environ, clock_of(terminal.environ))


def _rate(text: str) -> int | None:
    """Return the requests a minute that an option names, or None if it is empty."""
    if not text:
        return None
    if not (match := re.fullmatch(r"(\d{1,9})(?:\s*/\s*min(?:ute)?)?", text.strip(), re.A)):
        raise UsageError("--rate {rate}: how many a minute?", "60/min, or 0 for no limit", rate=text)
    return int(match[1])


def _rights(token: Access, now: datetime) -> str:
    what: list[str] = ["reads and writes" if token.may_write else "reads"]
    what += [Message("{n} a minute", n=token.rate)] if token.rate else []
    if token.expires:
        told = "ended {time}" if token.is_over(now) else "until {time}"
        what.append(Message(told, time=token.expires[:16].replace("T", " ")))
    return joined(*what, by=", ")


def _as_json(token: Access, now: datetime) -> dict[str, Any]:
    facts = {key: value for key, value in facts_of(token).items() if key != "sha256"}
    return {"name": token.token, **facts, "expires": token.expires or None, "over": token.is_over(now)}
