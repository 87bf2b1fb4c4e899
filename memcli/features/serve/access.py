"""Keep the access tokens for HTTP: each names a vault, an agent's space, the right to write, and an expiry.

A secret is 256 random bits and is shown once. Only its SHA-256 is kept, in a file that only the user reads. A slow hash
as for passwords protects words that can be guessed, but nobody guesses 256 bits, and every request needs a lookup.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memcli import filenames, system
from memcli.errors import MemError, Refused, UsageError, VaultError
from memcli.message import Message
from memcli.vault import discover, files
from memcli.vault.lock import lock_user_files

FILE = "tokens.json"  # lies in the user's data folder, beside the list of trusted vaults
PREFIX = "mem_"  # lets scanners, and mem's own gate, recognise a secret that was published by mistake
LONGEST = 200  # characters of a secret that are read
MOST_A_MINUTE, MOST_DAYS = 1_000_000, 36_500

_NAME = re.compile(r"[\w][\w.@-]{0,39}\Z")
Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Access:
    """Describe the access of a token: to one vault, as an agent sees it or as a whole. What only the list of tokens
    needs does not make two differ."""

    vault: Path
    agent: str | None = None  # the agent to whose space it is confined
    may_write: bool = False
    token: str = ""  # the name of the token, never its secret; the journal records it as the writer
    rate: int = 0  # requests a minute; 0 means no limit
    sha256: str = field(default="", compare=False)  # of the secret
    made: str = field(default="", compare=False)
    expires: str = field(default="", compare=False)  # "" means that it is valid until it is withdrawn

    def is_over(self, now: datetime) -> bool:
        return bool(self.expires) and now >= datetime.fromisoformat(self.expires)


class AccessTokens:
    """Reads and changes the list of tokens. It is read again whenever its file changes, so a withdrawn token fails at
    once."""

    def __init__(self, environ: Mapping[str, str], clock: Clock) -> None:
        self.environ, self.clock = environ, clock
        self.file = Path(discover.data_home(environ), FILE)
        self.own: tuple[str, Access] | None = None  # a secret that is not in the file, with its access
        self._stamp: tuple[int, ...] | None = None
        self._known: list[Access] = []

    def access_of(self, secret: str) -> Access | None:
        """Return the access for a secret, or None if it is wrong, expired or withdrawn, or the list can't be read. The
        time this takes reveals nothing about other secrets, because it is compared with all of them."""
        if self.own and hmac.compare_digest(secret.encode("utf-8", "replace"), self.own[0].encode()):
            return self.own[1]
        digest = hashlib.sha256(secret[:LONGEST].encode("utf-8", "replace")).hexdigest()
        try:
            found = [token for token in self._current() if hmac.compare_digest(token.sha256, digest)]
        except MemError:
            return None
        return found[0] if found and not found[0].is_over(self.clock()) else None

    def listed(self) -> list[Access]:
        """Return all tokens. Raise VaultError if the list is damaged, Refused if others can write to it."""
        return list(self._read()[0].values())

    def add(
        self, name: str, vault: Path, agent: str | None = None, may_write: bool = True, days: int = 0, rate: int = 0
    ) -> tuple[Access, str]:
        """Make a token. Return it and its secret, which is kept nowhere."""
        if not _NAME.match(name):
            raise UsageError(
                "'{name}' can't be the name of a token", "letters, digits and . _ @ - ; at most 40", name=name
            )
        if agent is not None and (not agent.strip(". ") or re.search(r"[/\\\0]", agent) or filenames.impossible(agent)):
            raise UsageError("'{name}' can't be the name of an agent", "the name of a folder in agents/", name=agent)
        secret = PREFIX + secrets.token_urlsafe(32)
        digest = hashlib.sha256(secret.encode()).hexdigest()
        now = self.clock().replace(microsecond=0)
        made, expires = now.isoformat(), _expiry(now, days)
        token = Access(vault.resolve(), agent, may_write, name, _rate(rate), digest, made, expires)
        with self._changing() as tokens:
            if name in tokens:
                raise Refused("there is a token '{name}' already", f"mem token withdraw {name} ends it", name=name)
            tokens[name] = token
        return token, secret

    def limit(
        self, name: str, may_write: bool | None = None, days: int | None = None, rate: int | None = None
    ) -> Access:
        """Change what a token may do and for how long, at once. None leaves a setting as it is, 0 removes its limit."""
        new: dict[str, Any] = {} if may_write is None else {"may_write": may_write}
        new |= {} if days is None else {"expires": _expiry(self.clock().replace(microsecond=0), days)}
        new |= {} if rate is None else {"rate": _rate(rate)}
        with self._changing() as tokens:
            tokens[name] = replace(_named(name, tokens), **new)
        return tokens[name]

    def withdraw(self, name: str) -> Access:
        """Remove a token, which is invalid from now on, and return it."""
        with self._changing() as tokens:
            _named(name, tokens)
            return tokens.pop(name)

    # -- the file ----------------------------------------------------------------------------------------------------

    def _current(self) -> list[Access]:
        """Return the tokens, read again if the file has changed."""
        info = files.stat_of(self.file)
        stamp = files.stamp_of(info) if info else None
        if stamp != self._stamp or info is None:
            self._known, self._stamp = [], None  # if the file can't be read, no token is valid
            tokens, read = self._read()
            self._known = list(tokens.values())
            self._stamp = read
        return self._known

    def _read(self) -> tuple[dict[str, Access], tuple[int, ...] | None]:
        info = files.stat_of(self.file)
        if info and (not system.is_mine(info) or (not system.WINDOWS and stat.S_IMODE(info.st_mode) & 0o022)):
            raise Refused(
                "{place} can be written by others",
                Message("chmod 600 {place}, and look who is in it", place=self.file),
                place=self.file,
            )
        source = files.read_or_empty(self.file)
        try:
            rows = json.loads(source.text)["tokens"] if source.text else {}
            return {name: _token(name, row) for name, row in rows.items()}, source.stamp
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            raise VaultError(
                "{place} is damaged: no token opens anything", "mend or remove it", place=self.file
            ) from None

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Access]]:
        """Yield the tokens, to be changed under a lock against other processes, and write them in the end."""
        with lock_user_files(self.environ):
            tokens, _ = self._read()
            yield tokens
            rows = {name: facts_of(token) for name, token in tokens.items()}
            text = json.dumps({"schema": 1, "tokens": rows}, ensure_ascii=False, indent=1)
            files.write_file(self.file, f"{text}\n", private=True)


def facts_of(token: Access) -> dict[str, Any]:
    """Return the stored data of a token, without its name."""
    return {**{key: value for key, value in asdict(token).items() if key != "token"}, "vault": str(token.vault)}


def _token(name: str, row: dict[str, Any]) -> Access:
    """Return the token in a row of the file. Raise ValueError or TypeError if the row is damaged."""
    if not isinstance(row["vault"], str) or not row["vault"]:
        raise ValueError(name)
    token = Access(**{"may_write": True, **row, "vault": Path(row["vault"]), "token": name})
    if len(bytes.fromhex(token.sha256)) != 32:
        raise ValueError(name)
    if not isinstance(token.agent, (str, type(None))) or token.may_write not in (True, False):
        raise ValueError(name)
    if token.expires and datetime.fromisoformat(token.expires).tzinfo:
        raise ValueError(name)
    return replace(token, rate=_rate(token.rate))


def _named(name: str, tokens: Mapping[str, Access]) -> Access:
    if name not in tokens:
        raise UsageError("there is no token '{name}'", ", ".join(tokens) or "mem token add NAME makes one", name=name)
    return tokens[name]


def _rate(rate: int) -> int:
    if not 0 <= rate <= MOST_A_MINUTE:
        raise UsageError(
            "{n} a minute is not a rate", Message("1 to {n}, or 0 for none", n=f"{MOST_A_MINUTE:,}"), n=rate
        )
    return rate


def _expiry(now: datetime, days: int) -> str:
    if not 0 <= days <= MOST_DAYS:
        raise UsageError(
            "{n} is not a number of days", Message("1 to {n}, or 0 for no end", n=f"{MOST_DAYS:,}"), n=days
        )
    return (now + timedelta(days=days)).isoformat() if days else ""
