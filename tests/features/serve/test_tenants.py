"""Many people on one server: each sees their own, and of all else not even that it is there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.middleware import Middleware
from starlette.testclient import TestClient

from memcli.errors import Refused, UsageError
from memcli.features.serve import hosts, mcp_over_http
from memcli.features.serve.access import AccessTokens
from memcli.features.serve.app import Api, Rates
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.hosts import OwnNames
from memcli.features.serve.mcp import tools
from memcli.features.serve.paths import rows
from memcli.features.serve.run_command import run_command
from memcli.features.serve.work import ServerLimits
from memcli.remember import Memory, add
from memcli.rest_rows import Row
from memcli.warm import WarmVaults
from tests.conftest import NOW, opened

HERS, HIS = "The spare key lies under the third flowerpot", "The violin was tuned by Ferdinand"


class House:
    """A server for two people."""

    def __init__(self, place: Path) -> None:
        self.now = NOW
        environ = dict(os.environ)
        self.tokens = AccessTokens(environ, self.clock)
        self.ids, self.secrets = {}, {}
        for who, told in (("anna", HERS), ("ben", HIS)):
            root = place / who
            root.mkdir(parents=True)
            (root / "mem.yaml").touch()
            self.ids[who] = add(opened(root), Memory(told)).entry.id
            self.secrets[who] = self.tokens.add(who, root)[1]
        self.told: list[str] = []
        self.vaults = WarmVaults(self.clock, environ, self.told.append)
        run = partial(run_command, environ)
        self.api = Api(
            rows(),
            CommandRunner(run, self.vaults, ServerLimits(), self.clock),
            self.tokens,
            self.told.append,
        )
        own_names = Middleware(OwnNames, names=["memory.example"], origins=["https://app.example"])
        app = self.api.app(mcp_over_http.routes(self.api, environ), [own_names])
        self.client = TestClient(app, "http://localhost", raise_server_exceptions=False)

    def clock(self) -> datetime:
        return self.now

    def ask(self, who: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        secret = self.secrets.get(who, who)
        return self.client.request(method, path, json=body, headers={"Authorization": f"Bearer {secret}", **headers})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "house")
    with made.client:
        yield made
    made.vaults.close()


def recalled(house: House, who: str, question: str) -> str:
    answer = house.ask(who, "POST", "/v1/recall", {"query": question, "format": "plain"})
    assert answer.status_code == 200
    return str(answer.text)


def test_each_token_opens_its_own_vault(house: House) -> None:
    hers, his = "spare key flowerpot", "violin tuned by Ferdinand"
    assert HERS in recalled(house, "anna", hers) and HIS not in recalled(house, "anna", his)
    assert HIS in recalled(house, "ben", his) and HERS not in recalled(house, "ben", hers)


def test_somebody_elses_memory_is_not_found_just_like_one_that_nobody_has(house: House) -> None:
    theirs, nobodys = house.ids["anna"], "0" * len(house.ids["anna"])
    for method, path, body in (
        ("GET", "/v1/memories/{}", None), ("PATCH", "/v1/memories/{}", {"text": "x"}), ("DELETE", "/v1/memories/{}", None),
    ):  # fmt: skip
        answers = [house.ask("ben", method, path.format(id), body) for id in (theirs, nobodys)]
        assert {answer.status_code for answer in answers} == {404}
        assert answers[0].text.replace(theirs, nobodys) == answers[1].text
        assert answers[0].headers == answers[1].headers
    assert house.ask("anna", "GET", f"/v1/memories/{theirs}").status_code == 200


@pytest.mark.parametrize(
    "place", ["../anna/logs/2026-11-21.md:1", "/etc/passwd:1", "logs/../../anna/mem.yaml:1", "../anna"]
)
def test_no_place_leads_out_of_ones_own_vault(house: House, place: str) -> None:
    for method in ("GET", "DELETE"):
        answer = house.ask("ben", method, "/v1/memories/" + place.replace("/", "%2F"))
        assert answer.status_code in (404, 409, 422) and HERS not in answer.text
    answer = house.ask("ben", "POST", "/v1/memories", {"text": "Ferdinand comes on Tuesday", "to": place})
    assert answer.status_code >= 400
    assert HERS in recalled(house, "anna", "flowerpot key") and "Ferdinand" not in recalled(house, "anna", "Ferdinand")


def wrong_tokens(house: House) -> dict[str, str | None]:
    """Every way in which a token can be wrong; None: there is none at all."""
    ended, withdrawn = (house.tokens.add(name, Path("/nowhere"))[1] for name in ("ended", "withdrawn"))
    house.tokens.limit("ended", days=1)
    house.tokens.withdraw("withdrawn")
    house.now += timedelta(days=2)
    secret = house.secrets["anna"]
    hash = house.tokens.listed()[0].sha256
    return {
        "missing": None, "empty": "", "wrong": "mem_" + "A" * 43, "not ours": "sk-" + "a" * 40, "cut": secret[:-1],
        "longer": secret + "A", "hash": hash, "name": "anna", "ended": ended, "withdrawn": withdrawn,
    }  # fmt: skip


@pytest.mark.slow
def test_every_path_answers_every_wrong_token_with_the_same_401(house: House) -> None:
    answers = set()
    for name, secret in wrong_tokens(house).items():
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        for method, path in [
            *((row.method, _path(row)) for row in rows() if row.needs_token),
            ("POST", "/mcp"),
        ]:
            answer = house.client.request(method, path, headers=headers)
            answers.add((answer.status_code, answer.text, json.dumps(dict(answer.headers), sort_keys=True)))
            assert len(answers) == 1, f"{method} {path} with a token that is {name}"
    status, text, headers_text = answers.pop()
    assert status == 401 and '"status": 401' in text and "www-authenticate" in headers_text
    assert not {word for word in ("expired", "withdrawn", "ended", "anna") if word in text}


def _path(row: Row) -> str:
    return re.sub(r"\{\w+\}", "x", row.path)


def test_a_token_that_only_reads_changes_nothing(house: House) -> None:
    house.tokens.limit("ben", may_write=False)
    for row in rows():
        if row.writes:
            assert house.ask("ben", row.method, _path(row), {}).status_code == 403
    assert HIS in recalled(house, "ben", "violin tuned")
    listed = house.ask("ben", "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json()
    names = {tool["name"] for tool in listed["result"]["tools"]}
    assert "recall" in names and not names & tools.writing_tools()


def test_a_withdrawn_token_opens_nothing_though_its_vault_is_warm(house: House) -> None:
    assert HIS in recalled(house, "ben", "violin tuned")
    house.tokens.withdraw("ben")
    assert house.ask("ben", "POST", "/v1/recall", {"query": "violin"}).status_code == 401


def test_who_wrote_is_named_by_the_token(house: House) -> None:
    assert house.ask("ben", "POST", "/v1/memories", {"text": "Ferdinand comes on Tuesday"}).status_code == 201
    audit = (house.tokens.listed()[1].vault / "journal/audit.jsonl").read_text(encoding="utf-8")
    assert json.loads(audit.splitlines()[-1])["by"] == "ben"


# -- how often -------------------------------------------------------------------------------------------------------


def test_a_rate_is_a_minutes_worth_at_once_and_says_when_to_come_back(house: House) -> None:
    now = [0.0]
    house.api.rates = Rates(lambda: now[0])
    house.tokens.limit("ben", rate=3)
    ask = lambda: house.ask("ben", "GET", "/v1/labels")  # noqa: E731
    assert [ask().status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    answer = ask()
    assert answer.headers["retry-after"] == "20" and "3 times a minute" in answer.json()["detail"]
    now[0] += 19.9
    assert ask().status_code == 429
    now[0] += 0.1
    assert [ask().status_code for _ in range(2)] == [200, 429]
    assert house.ask("anna", "GET", "/v1/labels").status_code == 200
    now[0] += 600
    assert [ask().status_code for _ in range(4)] == [200, 200, 200, 429]


def test_who_has_no_rate_is_never_held_up(house: House) -> None:
    access = house.tokens.access_of(house.secrets["anna"])
    assert access and access.rate == 0
    for _ in range(10_000):
        house.api.rates.count(access)


# -- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8700", "127.0.0.1:1", "[::1]:8700", "memory.example"])
def test_a_server_answers_to_its_own_names(house: House, host: str) -> None:
    assert house.ask("ben", "GET", "/health", Host=host).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "a@localhost", "127.0.0.1.nip.io", "localhost/x", "[::2]"]
)
def test_by_another_name_nothing_is_answered(house: House, host: str) -> None:
    for path in ("/health", "/v1/labels", "/mcp", "/nowhere"):
        answer = house.ask("ben", "GET", path, Host=host)
        assert answer.status_code == 421 and "another name" in answer.text


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9999", "https://localhost", "x"])
def test_pages_from_elsewhere_get_nothing(house: House, origin: str) -> None:
    answer = house.ask("ben", "GET", "/v1/labels", Origin=origin)
    assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers
    asked = {"Origin": origin, "Access-Control-Request-Method": "GET"}
    assert house.client.options("/v1/labels", headers=asked).status_code == 403


def test_pages_of_its_own_and_those_that_are_named_may_ask(house: House) -> None:
    own = house.ask("ben", "GET", "/v1/labels", Origin="http://localhost")
    assert own.status_code == 200 and "access-control-allow-origin" not in own.headers
    named = house.ask("ben", "GET", "/v1/labels", Origin="https://app.example")
    assert named.status_code == 200 and named.headers["access-control-allow-origin"] == "https://app.example"
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "PATCH"}
    before = house.client.options("/v1/labels", headers=asked)
    assert before.status_code == 200 and "PATCH" in before.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in {**named.headers, **before.headers}


def test_no_cookie_is_set_or_counts(house: House) -> None:
    answer = house.client.get("/v1/labels", headers={"Cookie": f"token={house.secrets['ben']}"})
    assert answer.status_code == 401
    assert "set-cookie" not in house.ask("ben", "GET", "/v1/labels").headers


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_on_loopback_nothing_more_is_needed(host: str) -> None:
    assert hosts.listens_safely(host, "", "", False) == {}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "memory.example", ""])
def test_beyond_loopback_only_with_tls_or_a_flag_that_says_what_it_means(host: str) -> None:
    with pytest.raises(Refused, match="without TLS whoever is on the way reads tokens and memories"):
        hosts.listens_safely(host, "", "", False)
    assert hosts.listens_safely(host, "", "", True) == {}
    assert hosts.listens_safely(host, "c", "k", False) == {"ssl_certfile": "c", "ssl_keyfile": "k"}
    for half in (("c", ""), ("", "k")):
        with pytest.raises(UsageError, match="belong together"):
            hosts.listens_safely(host, *half, True)


@pytest.mark.parametrize("origin", ["app.example", "https://", "ftp://x", "https://app.example/", "*", "null"])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(UsageError):
        hosts.origin_of(origin)
