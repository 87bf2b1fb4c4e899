"""Connecting agents: only our own keys are written, twice is once, and all of it can be taken back."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.features.install.agents import AGENTS, Setup, is_ours, settings_pieces
from memcli.features.install.change import BACKUPS, agent_state, install_changes, uninstall_changes, write_changes
from memcli.features.install.check import checks
from memcli.vault.check import BROKEN, OK
from tests.cli.test_unheard import unheard
from tests.conftest import NOW, Ran, opened
from tests.features import needs

WITH_FOLDER = [name for name in AGENTS if AGENTS[name].servers[1]]


def setup(project: bool = False, **more: object) -> Setup:
    here = Path.cwd() / "repository"
    here.mkdir(exist_ok=True)
    return Setup(dict(os.environ), here, project, ("/opt/my tools/mem",))._replace(**more)


def tree(folder: Path) -> dict[str, str]:
    """All files but those in which mem notes for itself what it did."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and BACKUPS not in path.parts and path.name != "lock"
    }


def every(folder: Path) -> set[Path]:
    """All files and folders but those in which mem notes for itself what it did."""
    return {path for path in folder.rglob("*") if not path.is_relative_to(folder / "data")}


def do(name: str, how: Setup) -> list[Path]:
    return write_changes(install_changes(name, how), how.environ, NOW)


# What stands in the settings of a person who has used an agent for a while.
LIVED_IN = {
    ".claude.json": '{\n  "numStartups": 12,\n  "mcpServers": {\n    "db": {"command": "db-mcp"}\n  }\n}\n',
    ".claude/settings.json": '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "beep"}]}\n    ]\n  }\n}\n',
    ".codex/config.toml": '# mine\nmodel = "o5"\n\n[mcp_servers.db]\ncommand = "db-mcp"\n',
    ".gemini/settings.json": '{\n  // dark, please\n  "theme": "dark",\n  "mcpServers": {\n    "db": {"command": "db-mcp"},\n  },\n}\n',
    ".cursor/mcp.json": '{"mcpServers": {"db": {"command": "db-mcp"}}}',
    ".cursor/hooks.json": '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {"command": "beep"}\n    ]\n  }\n}\n',
    "config/opencode/opencode.jsonc": '{\n  // mine\n  "mcp": {\n    "db": {"type": "remote", "url": "http://x"}\n  }\n}\n',
    ".copilot/mcp-config.json": '{\n  "mcpServers": {\n    "db": {\n      "command": "db-mcp"\n    }\n  }\n}\n',
    ".openclaw/openclaw.json": "{\n  gateway: { port: 1 },\n  plugins: {\n    entries: {\n      other: { enabled: true },\n    },\n  },\n}\n",
    "config/zed/settings.json": '// Zed\n{\n  "vim_mode": true,\n  "context_servers": {\n    "db": {}\n  }\n}\n',
    "config/Code/User/mcp.json": '{\n\t"servers": {\n\t\t"db": {\n\t\t\t"command": "db-mcp"\n\t\t}\n\t}\n}\n',
}


@pytest.fixture
def lived_in(home: Path) -> Path:
    for name, text in LIVED_IN.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    return home


@pytest.mark.parametrize("name", AGENTS)
def test_installed_twice_nothing_changes_and_taken_back_every_byte_is_as_before(name: str, lived_in: Path) -> None:
    before = tree(lived_in)
    do(name, setup())
    assert tree(lived_in) != before
    assert install_changes(name, setup()) == []
    write_changes(uninstall_changes(name, setup()), os.environ, NOW)
    assert tree(lived_in) == before
    assert uninstall_changes(name, setup()) == []


@pytest.mark.parametrize("name", AGENTS)
def test_where_nothing_was_nothing_is_left(name: str, home: Path) -> None:
    for project in (False, True) if name in WITH_FOLDER else (False,):
        how = setup(project)
        before = every(home)
        do(name, how)
        write_changes(uninstall_changes(name, how), os.environ, NOW)
        assert every(home) == before and how.here.is_dir()


@pytest.mark.parametrize("name", WITH_FOLDER)
def test_a_project_gets_files_of_its_own_and_the_user_none(name: str, home: Path) -> None:
    do(name, setup(project=True))
    made = set(tree(home)) - {"gitconfig"}
    assert made and all(path.startswith("repository/") for path in made)
    state = agent_state(name, setup())
    assert state.project and not state.user


@pytest.mark.parametrize("name", AGENTS)
def test_what_others_wrote_is_still_said(name: str, lived_in: Path) -> None:
    do(name, setup())
    for path, text in tree(lived_in).items():
        for line in LIVED_IN.get(path, "").splitlines():
            assert line.strip().rstrip(",}") in text


@pytest.mark.parametrize("name", AGENTS)
def test_the_command_is_the_program_that_installed_it_with_its_spaces(name: str, home: Path) -> None:
    do(name, setup(read_only=True))
    assert agent_state(name, setup()).user == ("/opt/my tools/mem", "mcp", "--scope", "both", "--read-only")
    hooks = [text for path, text in tree(home).items() if "hook" in text]
    assert all("/opt/my tools/mem" in text for text in hooks)


def test_hooks_quote_a_program_with_spaces_for_the_shell() -> None:
    assert setup().hook("prompt", "claude") == "'/opt/my tools/mem' hook prompt --for claude"


def test_a_vault_that_is_named_stands_in_the_server_and_in_the_hooks(home: Path) -> None:
    how = setup(command=("mem", "--vault", "/notes"))
    do("claude", how)
    assert agent_state("claude", how).user[:3] == ("mem", "--vault", "/notes")
    assert "mem --vault /notes hook prompt --for claude" in (home / ".claude/settings.json").read_text()


def test_without_hooks_the_tools_alone_are_written(home: Path) -> None:
    for name in AGENTS:
        do(name, setup(hooks=False))
    assert not any(" hook " in text or '"hook"' in text for text in tree(home).values())


EVENTS = {"prompt", "start", "compact", "stop", "end"}


@pytest.mark.parametrize("name", [name for name in AGENTS if AGENTS[name].events])
def test_every_hook_is_an_event_that_mem_knows_and_is_known_again_as_ours(name: str) -> None:
    assert set(AGENTS[name].events.values()) <= EVENTS
    items = [piece.value for piece in settings_pieces(name, setup()) if piece.kind == "item"]
    assert items and all(is_ours(item, name) for item in items)
    assert not any(is_ours(item, "other") for item in items)


def test_a_server_that_the_user_changed_keeps_what_the_user_added(home: Path) -> None:
    own = {"mcpServers": {"mem": {"command": "/old/mem", "args": ["mcp"], "env": {"A": "1"}, "disabled": True}}}
    (home / ".claude.json").write_text(json.dumps(own), encoding="utf-8")
    do("claude", setup())
    held = json.loads((home / ".claude.json").read_text())["mcpServers"]["mem"]
    assert held["env"] == {"A": "1"} and held["disabled"] is True and held["command"] == "/opt/my tools/mem"


OF_THEIRS = {
    ".claude.json": '{"mcpServers": {}}', ".cursor/mcp.json": '{\n\t"mcpServers": {}\n}', ".codex/config.toml": "\t# mine\n",
    ".claude/settings.json": '{"hooks": {"Stop": []}}\n', ".cursor/hooks.json": '{"version": 1}',
    "config/zed/settings.json": '{"tabs": {\n\t"a": 1\n}}\r\n', ".copilot/mcp-config.json": "", ".gemini/settings.json": "{}\n",
    ".cursor/rules/mem.mdc": "mine\n", "config/Code/User/mcp.json": '\ufeff{"servers": {}}',
}  # fmt: skip


@pytest.mark.parametrize("name", AGENTS)
def test_what_a_person_had_is_there_again_byte_for_byte(name: str, home: Path) -> None:
    for path, text in OF_THEIRS.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(text.encode())
    before = tree(home)
    do(name, setup())
    do(name, setup(command=("/elsewhere/mem",)))  # once more, by another program
    write_changes(uninstall_changes(name, setup()), os.environ, NOW)
    assert tree(home) == before


@pytest.mark.parametrize("name", AGENTS)
def test_what_a_person_changed_after_the_install_stays(name: str, home: Path) -> None:
    for path, text in OF_THEIRS.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(text.encode())
    do(name, setup())
    for path in {piece.path for piece in settings_pieces(name, setup()) if piece.kind != "file"}:
        path.write_bytes(path.read_bytes() + b"\n")
    write_changes(uninstall_changes(name, setup()), os.environ, NOW)
    for path in {piece.path for piece in settings_pieces(name, setup()) if piece.kind != "file"}:
        was = OF_THEIRS.get(path.relative_to(home).as_posix())
        assert path.exists() or was is None
        assert was is None or _filled(was) == _filled(path.read_text("utf-8"))


def _filled(text: str) -> str:
    """The text without white space, and without the objects and lists that hold nothing."""
    packed, before = "".join(text.split()), ""
    while packed != before:
        packed, before = re.sub(r'(?:"\w+":)?(?:\{\}|\[\]),?', "", packed), packed
    return packed


def test_a_server_of_theirs_that_is_named_mem_is_neither_replaced_nor_removed(home: Path) -> None:
    for name, path, text in (
        ("claude", ".claude.json", '{"mcpServers": {"mem": {"command": "memcached-mcp"}}}'),
        ("codex", ".codex/config.toml", '[mcp_servers.mem]\ncommand = "memcached-mcp"\n'),
        ("opencode", "config/opencode/opencode.json", '{"mcp": {"mem": {"type": "local", "command": ["other"]}}}'),
    ):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
        with pytest.raises(Refused, match="not this one"):
            install_changes(name, setup())
        write_changes(uninstall_changes(name, setup()), os.environ, NOW)
        assert (home / path).read_text(encoding="utf-8") == text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python reads no TOML itself")
@pytest.mark.parametrize("text", ["model = \n", "[tools\n", 'model = "o5"\nmodel = "o6"\n', "[a]\nb = [1,\n"])
def test_broken_toml_is_named_and_left_alone(home: Path, text: str) -> None:
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    for changes in (install_changes, uninstall_changes):
        with pytest.raises(Refused, match=r"config.toml: can't be read as TOML: .*at "):
            changes("codex", setup())
    assert path.read_text(encoding="utf-8") == text


def test_what_the_user_switched_off_stays_off(home: Path) -> None:
    do("opencode", setup())
    path = home / "config/opencode/opencode.json"
    path.write_text(path.read_text().replace("true", "false"), encoding="utf-8")
    assert install_changes("opencode", setup()) == []


def test_the_slot_of_another_memory_is_not_emptied(home: Path) -> None:
    do("openclaw", setup())
    path = home / ".openclaw/openclaw.json"
    path.write_text(path.read_text().replace('"memory": "mem"', '"memory": "other"'), encoding="utf-8")
    write_changes(uninstall_changes("openclaw", setup()), os.environ, NOW)
    assert json.loads(path.read_text()) == {"plugins": {"slots": {"memory": "other"}}}


def test_variables_of_the_agents_say_where_their_settings_are(home: Path, tmp_path: Path) -> None:
    moved = {
        "CLAUDE_CONFIG_DIR": "c",
        "CODEX_HOME": "x",
        "COPILOT_HOME": "p",
        "OPENCLAW_STATE_DIR": "o",
        "XDG_CONFIG_HOME": "g",
    }
    environ = dict(os.environ) | {name: str(tmp_path / folder) for name, folder in moved.items()}
    before = tree(home)
    for name in ("claude", "codex", "copilot", "openclaw", "opencode", "zed"):
        do(name, setup(environ=environ))
    assert tree(home) == before
    assert {path.split("/")[0] for path in tree(tmp_path)} == set("cxpog")
    assert (tmp_path / "c/.claude.json").exists() and (tmp_path / "c/settings.json").exists()


def test_a_file_that_can_not_be_read_is_not_touched_and_nothing_else_is_either(lived_in: Path) -> None:
    (lived_in / ".claude/settings.json").write_text('{\n  "hooks": {{}\n}\n', encoding="utf-8")
    before = tree(lived_in)
    with pytest.raises(Refused, match=r"settings\.json:2: can't be read as JSON"):
        install_changes("claude", setup())
    assert tree(lived_in) == before


def test_settings_behind_a_link_are_changed_and_stay_a_link(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"theme": "dark"}', encoding="utf-8")
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(real)
    do("cursor", setup())
    assert (home / ".cursor/mcp.json").is_symlink() and "mcpServers" in real.read_text()


def test_a_repository_can_not_lead_out_of_itself(home: Path) -> None:
    how = setup(project=True)
    (home / "precious.json").write_text("{}", encoding="utf-8")
    (how.here / ".mcp.json").symlink_to(home / "precious.json")
    with pytest.raises(Refused, match="leads out of this folder"):
        install_changes("claude", how)


def test_a_file_that_changed_meanwhile_is_not_overwritten(lived_in: Path) -> None:
    changes = install_changes("cursor", setup(hooks=False))
    (lived_in / ".cursor/mcp.json").write_text('{"mcpServers": {}, "mine": 1}', encoding="utf-8")
    with pytest.raises(Refused, match="has changed meanwhile"):
        write_changes(changes, os.environ, NOW)
    assert "mine" in (lived_in / ".cursor/mcp.json").read_text()


def test_what_was_there_before_is_kept_for_the_user_alone(lived_in: Path) -> None:
    kept = do("claude", setup())
    assert sorted(path.read_text() for path in kept) == sorted(
        LIVED_IN[name] for name in (".claude.json", ".claude/settings.json")
    )
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_permissions_stay(lived_in: Path, mode: int) -> None:
    path = lived_in / ".claude.json"
    path.chmod(mode)
    do("claude", setup())
    assert path.stat().st_mode & 0o777 == mode


# -- the commands ------------------------------------------------------------------------------------------------------


def test_the_change_is_shown_and_without_a_yes_nothing_is_written(lived_in: Path, mem: Callable[..., Ran]) -> None:
    before = tree(lived_in)
    shown = mem("install", "claude", "--print")
    assert shown.code == 0 and "+++" in shown.out and '+    "mem": {' in shown.out
    asked = mem("install", "claude")
    assert asked.code == 2 and "--yes" in asked.err
    assert json.loads(mem("install", "claude", "--print", "--json").out)["written"] is False
    assert tree(lived_in) == before
    done = mem("install", "claude", "--yes")
    assert done.code == 0 and "Claude Code is connected" in done.out and BACKUPS in done.out
    assert "nothing changed" in mem("install", "claude", "--yes").out
    assert "no longer" in mem("uninstall", "claude", "--yes").out
    assert "is not connected: nothing changed" in mem("uninstall", "claude", "--yes").out
    assert tree(lived_in) == before


@needs("hook")
def test_no_hooks_are_written_while_their_feature_is_off(lived_in: Path, mem: Callable[..., Ran]) -> None:
    def anew(*words: str) -> Ran:
        return mem(*words, PYTHONUNBUFFERED="1")  # a started process: what is off is read at the start

    assert anew("features", "off", "hook").code == 0
    shown = anew("install", "claude", "--print")
    assert shown.code == 0 and '+    "mem": {' in shown.out and " hook " not in shown.out
    assert "mem features on hook" in shown.err
    assert anew("features", "on", "hook").code == 0
    assert " hook " in anew("install", "claude", "--print").out


def test_no_hooks_are_written_where_their_feature_is_not(
    lived_in: Path, inside: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcli.features.install.cli.COMMANDS", {})
    shown = inside("install", "claude", "--print")
    assert shown.code == 0 and '+    "mem": {' in shown.out and " hook " not in shown.out


def test_the_list_tells_who_is_here_and_who_knows_mem(lived_in: Path, mem: Callable[..., Ran]) -> None:
    mem("install", "zed", "--yes")
    rows = {row["agent"]: row for row in json.loads(mem("install", "--json").out)["agents"]}
    assert list(rows) and set(rows) == set(AGENTS)
    assert rows["zed"]["user"] and not rows["claude"]["user"] and rows["claude"]["found"]
    assert "knows mem for you" in next(line for line in mem("install").lines if line.startswith("zed"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["install", "clippy"], "no agent 'clippy'"),
        (["install", "openclaw", "--project"], "no settings of a folder"),
        (["uninstall"], "AGENT"),
    ],
)
def test_what_can_not_be_is_said(mem: Callable[..., Ran], words: list[str], said: str) -> None:
    ran = mem(*words)
    assert ran.code == 2 and said in ran.err


@needs("serve")
def test_doctor_says_whether_what_is_installed_answers(folder: Path) -> None:
    own = (sys.executable, "-m", "memcli")
    do("claude", setup(command=own))
    do("codex", setup(command=("/nowhere/mem",)))
    do("zed", setup(command=("true",)))
    told = {check.detail.split(":")[0]: check for check in checks(opened(folder))}
    assert told["Claude Code"].state == OK and "answers" in told["Claude Code"].detail
    assert told["Codex CLI"].state == BROKEN and "can't be started" in told["Codex CLI"].detail
    assert told["Zed"].state == BROKEN and "mem install zed" in told["Zed"].fix


def test_doctor_runs_nothing_that_a_repository_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = setup(project=True, command=("touch", str(folder / "ran")))
    do("claude", how)
    monkeypatch.chdir(how.here)
    assert list(checks(opened(folder))) == []
    assert not (folder / "ran").exists()


def test_what_is_to_be_connected_is_connected_though_nobody_reads_the_message(folder: Path, home: Path) -> None:
    assert unheard(folder, "install", "claude", "--yes") == 0
    assert "mem" in (home / ".claude.json").read_text(encoding="utf-8")


def test_settings_that_are_a_link_to_itself_are_told(mem: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").symlink_to(".mcp.json")
    ran = mem("install", "claude", "--project", "--yes", cwd=tmp_path)
    assert ran.code not in (0, 70) and ".mcp.json is a link" in ran.err
