"""Sources of `mem ask` in the settings: named by the user, checked whole, and of no effect in a stranger's vault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import UsageError
from memcli.vault import settings, sources, trust
from tests.conftest import Ran, opened
from tests.remember.gates.cases import filled

SEARX = "  searx: {kind: web, url: 'https://search.example/search?format=json', limit: 5}\n"


def said(folder: Path, text: str) -> Path:
    (folder / "mem.yaml").write_text("sources:\n" + text, encoding="utf-8")
    return folder


def own(home: Path, text: str) -> None:
    place = home / "config" / "mem" / "config.yaml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("sources:\n" + text, encoding="utf-8")


def test_ones_own_sources_count_at_once(folder: Path, home: Path) -> None:
    own(home, SEARX + "  arxiv: {}\n")
    vault = opened(folder)
    assert vault.settings.sources == {
        "searx": {"kind": "web", "url": "https://search.example/search?format=json", "limit": 5.0},
        "arxiv": {"kind": "arxiv"},
    }
    assert vault.resolved.origins == {"sources.searx": "user", "sources.arxiv": "user"} and not vault.notices


def test_those_of_a_vault_count_after_trust_which_shows_them(folder: Path) -> None:
    vault = opened(said(folder, SEARX + "  wiki: {kind: command, command: rm -rf /}\n"))
    assert vault.settings.sources == {}
    assert vault.notices == ["mem.yaml: ignored sources.searx, sources.wiki: in a vault this counts after `mem trust`"]
    asked = trust.guarded(folder)
    assert json.loads(asked["sources.wiki"])["command"] == "rm -rf /"
    trust.trust(folder, vault.environ)
    assert list(opened(folder).settings.sources) == ["searx", "wiki"]
    said(folder, SEARX.replace("search.example", "evil.example"))
    assert opened(folder).settings.sources == {}


@pytest.mark.parametrize(
    "text",
    [
        "  memory: {enabled: false}\n",
        "  memory: {most: 5}\n",
        SEARX.replace("limit: 5", "enabled: false"),
    ],
)
def test_what_runs_and_sends_nothing_needs_no_trust(folder: Path, text: str) -> None:
    assert len(opened(said(folder, text)).settings.sources) == 1 and not trust.guarded(folder)


@pytest.mark.parametrize(
    "value", ["5", "[]", "{}", "{kind: knowledge, kind: web}", "{kind: [memory]}", "{enabled: 'false', kind: web}"]
)
def test_nothing_slips_past_trust_by_being_odd(folder: Path, value: str) -> None:
    said(folder, f"  x: {value}\n")
    assert "sources.x" in trust.guarded(folder)
    assert opened(folder).settings.sources == {}


def test_a_stranger_does_not_get_ones_own_entry_with_its_key(folder: Path, home: Path) -> None:
    own(home, "  searx: {kind: web, url: https://mine.example, key_env: MY_KEY}\n")
    vault = opened(said(folder, "  searx: {kind: web, url: https://evil.example}\n"))
    assert vault.settings.sources["searx"]["url"] == "https://mine.example"
    trust.trust(folder, vault.environ)
    assert opened(folder).settings.sources["searx"] == {"kind": "web", "url": "https://evil.example"}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("{kind: wbe}", "'wbe' is not a kind of source", "did you mean 'web'?"),
        ("{}", "'' is not a kind of source", "there are memory, "),
        ("7", "7 is not a source", "{kind: web"),
        ("{kind: web, ulr: https://a.example}", "web has no 'ulr'", "did you mean 'url'?"),
        ("{kind: arxiv, command: x}", "arxiv has no 'command'", "it may have kind, enabled"),
        ("{kind: web}", "web needs url", "{query}"),
        ("{kind: command, limit: 3}", "command needs command", "stdin"),
        ("{kind: arxiv, limit: soon}", "sources.x.limit: 'soon' is not a number", "seconds"),
        ("{kind: arxiv, most: -1}", "is not a whole number", ""),
        ("{kind: web, url: 'ftp://a.example'}", "is not an http address", ""),
        ("{kind: web, url: 'https://me:pw@a.example'}", "is not an http address without user and password", ""),
        ("{kind: web, url: 'https://a.example/?api_key=abc'}", "has a key in it", "key_env"),
        ("{kind: web, url: 'https://a.example/?key={key}'}", "wants a key", "key_env"),
        ("{kind: web, url: https://a.example, fields: {txt: a}}", "'txt' is none", "there are results, title"),
        ("{kind: web, url: https://a.example, fields: [a]}", "is not a table of names", ""),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_its_mend(
    folder: Path, home: Path, text: str, message: str, hint: str
) -> None:
    own(home, f"  ok: {{kind: arxiv}}\n  x: {text}\n")
    with pytest.raises(UsageError) as error:
        opened(folder)
    assert message in error.value.message and "config.yaml:3: sources.x" in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("name", "kind"), [("memory", "command"), ("memory", "web"), ("arxiv", "web"), ("notes", "memory")]
)
def test_nobody_goes_by_the_name_of_another_kind(name: str, kind: str) -> None:
    with pytest.raises(UsageError, match=f"{kind} can't be called {name}"):
        sources.check_source(sources.source_key(f"sources.{name}"), {"kind": kind})


@pytest.mark.parametrize("name", ["sources.a.limit", "sources.", "sources.a b", "sources.a:1"])
def test_a_name_is_a_word(name: str) -> None:
    with pytest.raises(UsageError, match="names no source"):
        settings.find_setting(name, settings.keys())
    assert settings.find_setting("sources.维基-1", settings.keys()).variable == ""


def test_a_wrong_name_is_told_with_its_place(folder: Path, home: Path) -> None:
    own(home, "  ok: {kind: arxiv}\n  a b: {kind: arxiv}\n")
    vault = opened(folder)
    assert "config.yaml:3: 'sources.a b' names no source" in vault.notices[0]
    assert list(vault.settings.sources) == ["ok"]


def test_a_key_may_stand_where_it_is_filled_in(folder: Path, home: Path) -> None:
    own(home, "  x: {kind: web, url: 'https://a.example/?key={key}&q={query}', key_env: A}\n")
    assert opened(folder).settings.sources["x"]["key_env"] == "A"


def test_they_are_listed_shown_and_set_like_other_settings(mem: Any, folder: Path) -> None:
    said(folder, "  # mine\n  memory: {enabled: false}  # not now\n")
    ran = mem("config", "set", "sources.wiki", "{kind: command, command: 'wiki --json'}")
    assert (ran.code, "counts after `mem trust`" in ran.err) == (0, True)
    assert "# not now" in (folder / "mem.yaml").read_text(encoding="utf-8")
    assert mem("config", "set", "sources.arxiv", "{kind: arxiv}", "--user").code == 0
    listed = {each["name"]: each for each in json.loads(mem("config", "list", "--json").out)["settings"]}
    assert listed["sources.memory"]["value"] == {"enabled": False, "kind": "memory"}
    assert (listed["sources.arxiv"]["origin"], "sources.wiki" in listed) == ("user", False)
    mem("trust", "--yes")
    assert json.loads(mem("config", "get", "sources.wiki").out)["command"] == "wiki --json"
    wrong = mem("config", "set", "sources.wiki", "{kind: comand}")
    assert (wrong.code, "did you mean 'command'?" in wrong.err) == (2, True)
    assert "'sources.nobody' is not set" in mem("config", "get", "sources.nobody").err


def test_a_source_that_is_unset_is_gone_and_that_is_said(mem: Callable[..., Ran]) -> None:
    assert mem("config", "set", "--user", "sources.arxiv", "{kind: arxiv}").code == 0
    ran = mem("config", "unset", "--user", "sources.arxiv")
    assert ran.code == 0 and ran.out.startswith("sources.arxiv is no longer set in ")
    assert "arxiv" not in mem("config", "list", "--json").out


def test_a_source_is_not_called_like_a_key(mem: Callable[..., Ran]) -> None:
    assert mem("config", "set", "--user", f"sources.{filled('ghp_{A36}', 'source')[0]}", "{kind: arxiv}").code == 4
