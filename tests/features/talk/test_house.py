"""What saying something and building a prompt may load."""

from __future__ import annotations

from pathlib import Path

from tests.test_house import HEAVY, loaded_by


def test_saying_something_in_a_session_loads_nothing_heavy(folder: Path) -> None:
    (folder / "sessions").mkdir()
    (folder / "sessions/20261121-1435-c7f2.jsonl").write_text('{"role":"user","content":"hello"}\n', encoding="utf-8")
    loaded = loaded_by(f"from memcli.cli.main import main; main(['--vault', {str(folder)!r}, 'session', 'say', 'tea'])")
    assert not loaded & (
        HEAVY
        | {"rich", "asyncio", "memcli.recall", "memcli.vault.write", "memcli.vault.git", "memcli.features.nudge.choose"}
    )
    assert "tea" in (folder / "sessions/20261121-1435-c7f2.jsonl").read_text(encoding="utf-8")


def test_a_prompt_loads_no_more_than_its_memory_does(folder: Path) -> None:
    loaded = loaded_by(f"from memcli.cli.main import main; main(['--vault', {str(folder)!r}, 'prompt', 'tea'])")
    assert not loaded & (HEAVY - {"tiktoken"} | {"rich", "asyncio"})
    late = ("memcli.features.ask.pipeline", "memcli.features.nudge.choose")
    assert not {name for name in loaded if name.startswith((*late, "memcli.remember"))}
