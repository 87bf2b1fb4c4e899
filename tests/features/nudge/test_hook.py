"""The start hook of an agent says what is worth bringing up, once a day, and asks who an unknown user is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from memcli.vault.vault import Vault
from tests.conftest import NOW, opened
from tests.features import import_feature

hook = import_feature("memcli.features.hook.handler")


def started(vault: Vault, source: str = "startup") -> str:
    answer = hook.handle(vault, "start", hook.Payload(session="s", source=source, cwd="/elsewhere"), "claude") or {}
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def test_a_new_session_begins_with_what_is_worth_bringing_up_once_a_day(folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-10.md").write_text("- [ ] send the <tax> form by 23 November\n", encoding="utf-8")
    vault = opened(folder)
    assert "timely" not in started(vault, "resume") and "timely" not in started(vault, "compact")
    text = started(vault)
    assert "send the &lt;tax&gt; form" in text and "logs/2026-11-10.md:1" in text and "in 2 days" in text
    assert "timely" not in started(vault)


def test_an_empty_profile_is_a_first_meeting_for_the_start_hook(folder: Path) -> None:
    def begun(session: str, now: object = None) -> str:
        vault = opened(folder, now) if now else opened(folder)  # type: ignore[arg-type]
        answer = hook.handle(vault, "start", hook.Payload(session=session, source="startup", cwd=str(folder)), "claude")
        return str(answer["hookSpecificOutput"]["additionalContext"]) if answer else ""

    first = begun("s1")
    assert "a first meeting" in first and first.count("?") == 2
    assert "a first meeting" not in begun("s1")  # each question once
    (folder / "USER.md").write_text("---\nname: Ann\n---\n", encoding="utf-8")
    assert "a first meeting" not in begun("s2", NOW + timedelta(days=40))
