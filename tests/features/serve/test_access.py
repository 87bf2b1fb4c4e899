"""AccessTokens: shown once, kept as hashes, bounded in what they open and how long."""

from __future__ import annotations

import json
import os
import re
import stat
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memcli.errors import Refused, UsageError, VaultError
from memcli.features.serve.access import Access, AccessTokens
from tests.conftest import NOW


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(clock: Clock) -> AccessTokens:
    return AccessTokens(dict(os.environ), clock)


def test_a_token_opens_its_vault_and_no_more(tokens: AccessTokens, folder: Path) -> None:
    _, secret = tokens.add("phone", folder, agent="scout", may_write=False, rate=60)
    assert tokens.access_of(secret) == Access(folder.resolve(), "scout", False, "phone", 60)


def test_a_secret_has_256_bits_and_no_two_are_alike(tokens: AccessTokens, folder: Path) -> None:
    made = {tokens.add(f"t{number}", folder)[1] for number in range(20)}
    assert len(made) == 20
    assert all(re.fullmatch(r"mem_[\w-]{43}", secret, re.A) for secret in made)


def test_the_secret_is_nowhere_on_the_disk_and_the_file_is_the_users_alone(
    tokens: AccessTokens, folder: Path, home: Path
) -> None:
    os.umask(0)
    try:
        _, secret = tokens.add("phone", folder)
        tokens.limit("phone", rate=5)
    finally:
        os.umask(0o022)
    assert stat.S_IMODE(tokens.file.stat().st_mode) == 0o600
    written = [path for top in (home, folder) for path in top.rglob("*") if path.is_file()]
    assert tokens.file in written
    assert not [path for path in written if secret.removeprefix("mem_").encode() in path.read_bytes()]


@pytest.mark.parametrize("wrong", ["", "mem_", "x" * 47, "mem_" + "A" * 43, "é" * 300, "\ud800", "mem_" + "A" * 10**6])
def test_what_is_no_secret_opens_nothing(tokens: AccessTokens, folder: Path, wrong: str) -> None:
    assert tokens.access_of(wrong) is None
    tokens.add("phone", folder)
    assert tokens.access_of(wrong) is None


def test_neither_a_part_of_a_secret_nor_more_than_it_nor_its_hash_opens(tokens: AccessTokens, folder: Path) -> None:
    token, secret = tokens.add("phone", folder)
    for wrong in (secret[:-1], secret + "A", secret.removeprefix("mem_"), token.sha256, secret.upper(), f" {secret}"):
        assert tokens.access_of(wrong) is None


def test_what_is_withdrawn_opens_nothing_from_that_moment_also_in_a_server_that_runs(
    tokens: AccessTokens, clock: Clock, folder: Path
) -> None:
    _, phone = tokens.add("phone", folder)
    _, desk = tokens.add("desk", folder)
    server = AccessTokens(dict(os.environ), clock)
    assert server.access_of(phone) and server.access_of(desk)
    tokens.withdraw("phone")
    assert server.access_of(phone) is None and server.access_of(desk)
    tokens.limit("desk", may_write=False)
    assert (access := server.access_of(desk)) and not access.may_write
    tokens.file.unlink()
    assert server.access_of(desk) is None


def test_a_token_ends_when_its_days_are_over(tokens: AccessTokens, clock: Clock, folder: Path) -> None:
    _, secret = tokens.add("guest", folder, days=2)
    clock.now += timedelta(days=2, seconds=-1)
    assert tokens.access_of(secret)
    clock.now += timedelta(seconds=1)
    assert tokens.access_of(secret) is None
    tokens.limit("guest", days=1)
    assert tokens.access_of(secret)
    tokens.limit("guest", days=0)
    clock.now += timedelta(days=9999)
    assert tokens.access_of(secret)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '{"tokens": 7}', '{"tokens": {"a": 1}}', '{"tokens": {"a": {"sha256": "00", "vault": "/"}}}',
        '{"tokens": {"a": {"sha256": "%s", "vault": "/", "expires": "soon"}}}' % ("0" * 64),
        '{"tokens": {"a": {"sha256": "%s", "vault": "/", "expires": "2027-01-01T00:00:00+00:00"}}}' % ("0" * 64),
        '{"tokens": {"a": {"sha256": "%s", "vault": "/", "may_write": "no"}}}' % ("0" * 64),
    ],
)  # fmt: skip
def test_a_damaged_list_lets_nobody_in(tokens: AccessTokens, folder: Path, text: str) -> None:
    _, secret = tokens.add("phone", folder)
    assert tokens.access_of(secret)
    tokens.file.write_text(text, encoding="utf-8")
    assert tokens.access_of(secret) is None
    if text:
        for act in (tokens.listed, lambda: tokens.add("desk", folder), lambda: tokens.withdraw("phone")):
            with pytest.raises(VaultError, match="damaged"):
                act()
        assert tokens.file.read_text(encoding="utf-8") == text


def test_a_list_that_others_can_write_lets_nobody_in(tokens: AccessTokens, folder: Path) -> None:
    _, secret = tokens.add("phone", folder)
    tokens.file.chmod(0o620)
    assert AccessTokens(dict(os.environ), tokens.clock).access_of(secret) is None
    with pytest.raises(Refused, match="written by others"):
        tokens.listed()


@pytest.mark.parametrize("name", ["", "a b", "../x", "a/b", "-x", "x" * 41, "a\nb", "mem:"])
def test_a_name_is_one_that_a_journal_can_hold(tokens: AccessTokens, folder: Path, name: str) -> None:
    with pytest.raises(UsageError):
        tokens.add(name, folder)


@pytest.mark.parametrize("agent", ["", "..", "a/b", "a\\b", "."])
def test_an_agents_name_leads_out_of_no_folder(tokens: AccessTokens, folder: Path, agent: str) -> None:
    with pytest.raises(UsageError):
        tokens.add("phone", folder, agent=agent)


def test_a_name_is_used_once_and_what_is_not_there_is_said(tokens: AccessTokens, folder: Path) -> None:
    tokens.add("phone", folder)
    with pytest.raises(Refused, match="already"):
        tokens.add("phone", folder)
    for act in (lambda: tokens.limit("desk", rate=1), lambda: tokens.withdraw("desk")):
        with pytest.raises(UsageError, match="there is no token 'desk'"):
            act()


def test_the_file_says_its_schema_and_holds_no_secret_in_plain_words(tokens: AccessTokens, folder: Path) -> None:
    tokens.add("phone", folder, days=1)
    kept = json.loads(tokens.file.read_text(encoding="utf-8"))
    assert kept["schema"] == 1
    assert set(kept["tokens"]["phone"]) == {"sha256", "vault", "agent", "may_write", "rate", "made", "expires"}
