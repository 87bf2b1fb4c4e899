"""`mem work`, `mem audit`, `mem tidy` as processes."""

from __future__ import annotations

import json
from collections.abc import Callable

from memcli.vault import queue
from memcli.vault.vault import Vault
from tests.conftest import Ran


def test_an_empty_queue_is_no_failure(mem: Callable[..., Ran]) -> None:
    ran = mem("work")
    assert (ran.code, ran.out) == (0, "0 done, 0 failed, 0 waiting\n")
    assert json.loads(mem("work", "--json").out)["waiting"] == []


def test_what_waits_is_shown_in_work_status_and_doctor_and_can_be_dropped(
    vault: Vault, mem: Callable[..., Ran]
) -> None:
    queue.put(vault, "dream", "tonight", {"secret": "words"})
    assert mem("work", "--dry-run").lines == ["dream  tonight  2026-11-21 14:30"]
    (shown,) = json.loads(mem("work", "--dry-run", "--json").out)["waiting"]
    assert shown["id"] == "tonight"
    assert "payload" not in shown
    assert "1 waiting" in mem("status").out
    assert "queue: 1 job(s) wait, since 2026-11-21T14:30" in mem("doctor").out
    assert mem("work", "--drop", "tomorrow").code == 2
    assert mem("work", "--drop", "tonight").code == 0
    assert "queue" not in mem("status").out


def test_the_audit_tells_who_did_what(mem: Callable[..., Ran]) -> None:
    mem("add", "tea", MEM_ACTOR="bot")
    mem("add", "coffee", "--to", "list", MEM_NOW="2026-11-22T09:00")
    first, second = mem("audit").lines
    assert first.split()[:4] == ["2026-11-22", "09:00", "lin", "add"]
    assert second.split()[2:4] == ["bot", "add"]
    assert second.endswith("logs/2026-11-21.md")
    assert len(mem("audit", "--since", "2026-11-22").lines) == 1
    (one,) = json.loads(mem("audit", "--id", second.split()[4], "--json").out)
    assert one["paths"] == ["logs/2026-11-21.md"]
    assert json.loads(mem("audit", "--id", "ffff", "--json").out) == []


def test_tidy_shows_first_and_archives_when_told(vault: Vault, mem: Callable[..., Ran]) -> None:
    place = vault.root / "snapshots" / "a.md"
    place.parent.mkdir()
    place.write_text("---\nexpires: 2026-11-01\n---\ntea\n", encoding="utf-8")
    shown = mem("tidy")
    assert shown.out == "snapshot  2026-11-01  snapshots/a.md  → archive/snapshots/a.md\n"
    assert "--yes archives" in shown.err
    assert json.loads(mem("tidy", "--json").out)["archived"] is False
    assert json.loads(mem("tidy", "--json", "--yes", "--dry-run").out)["archived"] is False
    assert place.exists()
    assert json.loads(mem("tidy", "--json", "--yes").out)["archived"] is True
    assert not place.exists()
    assert "nothing has had its time" in mem("tidy", "--yes").err
    assert mem("undo").out == "took back `tidy`: archive/snapshots/a.md, snapshots/a.md\n"
    assert place.exists()
