"""All sources are asked at once; who hangs, breaks, lies or never ends costs his limit and his own place, no more."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from memcli import contributions
from memcli.errors import MissingPart
from memcli.evidence import LONGEST, Evidence, PlanStep
from memcli.extend import Source
from memcli.features.ask import gather
from memcli.vault.vault import Vault

Find = Callable[[Vault, Mapping[str, Any], PlanStep], Any]


@pytest.fixture
def asked(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[gather.SourceResult]]]:
    """What the given sources say; those that hang are let go at the end."""
    yield lambda network=False, seconds=5.0, limit=5.0, **finds: _asked(
        vault, monkeypatch, network, seconds, limit, finds
    )


def _asked(
    vault: Vault, patch: pytest.MonkeyPatch, network: bool, seconds: float, limit: float, finds: dict[str, Find]
) -> list[gather.SourceResult]:
    there = {name: Source(name, find, network=network) for name, find in finds.items()}
    patch.setattr(contributions, "sources", lambda: there)
    calls = [(PlanStep(name, "tea with a@b.example", limit=limit), {"kind": name}) for name in finds]
    return gather.gather(vault, calls, lambda text: (text.replace("a@b.example", "[X]"), ["email"]), seconds)


def one(id: str = "a", text: str = "tea", **more: Any) -> Evidence:
    return Evidence("?", id, "T", "x.md:1", text, **more)


def test_who_hangs_costs_his_limit_and_the_others_are_heard(vault: Vault, asked: Any) -> None:
    release = threading.Event()
    began = time.monotonic()
    found = asked(limit=0.2, slow=lambda *_: release.wait(60) and [], quick=lambda *_: [one()])
    release.set()
    assert time.monotonic() - began < 10
    assert [each.why_not for each in found] == ["it took longer than 0.2 s", ""]
    assert found[1].found[0].source == "quick"
    assert vault.notices == ["slow was left out: it took longer than 0.2 s"]


def test_nobody_gets_more_than_the_whole_has(asked: Any) -> None:
    release = threading.Event()
    found = asked(seconds=0.1, limit=60.0, slow=lambda *_: release.wait(60) and [])
    release.set()
    assert found[0].why_not == "it took longer than 0.1 s"


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda *_: 7, "TypeError"),
        (lambda *_: [None], "TypeError"),
        (lambda *_: (_ for _ in ()).throw(MissingPart("the wiki is down", "ask Ana")), "the wiki is down (ask Ana)"),
        (lambda *_: (_ for _ in ()).throw(SystemExit(3)), "SystemExit: 3"),
    ],
)
def test_who_breaks_is_named_and_left_out(vault: Vault, asked: Any, broken: Find, said: str) -> None:
    found = asked(wiki=broken, quick=lambda *_: [one()])
    assert said in found[0].why_not and not found[0].found and found[1].found
    assert vault.notices and vault.notices[0].startswith("wiki was left out")


def test_who_says_too_much_is_cut(asked: Any) -> None:
    found = asked(wiki=lambda *_: [one(str(n), "x" * 99_999) for n in range(500)])
    assert len(found[0].found) == 20 and all(len(each.text) == LONGEST for each in found[0].found)


def test_who_never_ends_is_cut_too(asked: Any) -> None:
    found = asked(wiki=lambda *_: (one(str(n)) for n in itertools.count()))
    assert len(found[0].found) == 20


def test_what_is_said_is_cleaned(asked: Any) -> None:
    found = asked(wiki=lambda *_: [one(text="a\x1b[2Jb", score=float("inf")), one("b", "  ")])
    assert [(each.text, each.score) for each in found[0].found] == [("ab", 0.0)]


def test_a_question_is_redacted_before_it_leaves_the_machine(vault: Vault, asked: Any) -> None:
    heard: list[str] = []
    say = lambda vault, config, step: heard.append(step.query) or []  # noqa: E731
    assert asked(network=True, web=say)[0].step.query == "tea with [X]"
    asked(network=False, here=say)
    assert heard == ["tea with [X]", "tea with a@b.example"]
    assert vault.notices == ["redacted before web was asked: email"]
