"""`mem token`: the secret alone on stdout, once; everything else in words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from memcli.features.serve.access import AccessTokens
from tests.conftest import NOW, Ran

Mem = Callable[..., Ran]


def test_a_secret_is_printed_once_and_in_no_list(mem: Mem, folder: Path) -> None:
    made = mem("token", "add", "guest", "--read-only", "--rate", "60/min", "--days", "7")
    assert made.code == 0 and re.fullmatch(r"mem_[\w-]{43}\n", made.out, re.A)
    assert "reads, 60 a minute, until 2026-11-28 14:30" in made.err and "mem_" not in made.err
    secret = made.out.strip()
    for words in (["token"], ["token", "list", "--json"], ["token", "limit", "guest", "--rate", "0", "--json"]):
        shown = mem(*words)
        assert shown.code == 0 and secret not in shown.out + shown.err and "sha256" not in shown.out
    access = AccessTokens(dict(os.environ), lambda: NOW).access_of(secret)
    assert access and (access.vault, access.may_write, access.rate) == (folder.resolve(), False, 0)


def test_a_token_opens_the_vault_that_is_named(mem: Mem, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    told = json.loads(mem("token", "add", "phone", "--vault", str(other), "--agent", "scout", "--json").out)
    assert (told["vault"], told["agent"], told["may_write"], told["expires"]) == (str(other), "scout", True, None)
    assert mem("token", "add", "x", "--vault", str(tmp_path / "nowhere")).code == 3


def test_what_is_withdrawn_is_gone_and_what_is_over_says_so(mem: Mem) -> None:
    mem("token", "add", "guest", "--days", "1")
    assert "ended 2026-11-22 14:30" in mem("token", MEM_NOW="2026-11-23T00:00").out
    assert mem("token", "withdraw", "guest").code == 0
    assert "there is no token yet" in mem("token").err
    assert mem("token", "withdraw", "guest").code == 2


def test_what_is_not_understood_makes_no_token(mem: Mem) -> None:
    for words in (["--rate", "often"], ["--rate", "60/hour"], ["--days", "-1"], ["--agent", "../x"]):
        assert mem("token", "add", "guest", *words).code == 2
    assert mem("token", "limit", "guest").code == 2
    assert json.loads(mem("token", "--json").out)["tokens"] == []
