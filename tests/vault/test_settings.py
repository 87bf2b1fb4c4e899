"""Settings: one place of defaults, five of values, and a message for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli import contributions
from memcli.errors import MemError, UsageError, VaultError
from memcli.recall_path import RecallPath
from memcli.vault import settings, yaml_edit, yaml_read
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features import needs
from tests.rows import check_rows


def write(folder: Path, text: str) -> Path:
    (folder / "mem.yaml").write_text(text, encoding="utf-8")
    return folder


def write_user(text: str) -> None:
    file = settings.user_file({"XDG_CONFIG_HOME": str(Path.home() / "config")})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def budget(vault: Vault) -> tuple[int, str]:
    return vault.settings.recall.budget, vault.resolved.origins.get("recall.budget", "default")


def test_flags_beat_the_environment_beats_the_vault_beats_the_user_beats_the_defaults(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert budget(opened(folder)) == (1000, "default")
    write_user("recall:\n  budget: 1\n")
    assert budget(opened(folder)) == (1, "user")
    write(folder, "recall:\n  budget: 2\n")
    assert budget(opened(folder)) == (2, "vault")
    monkeypatch.setenv("MEM_RECALL_BUDGET", "3")
    assert budget(opened(folder)) == (3, "environment")
    assert budget(opened(folder, recall__budget=4)) == (4, "flag")


@pytest.mark.parametrize("text", ["recall:\n  budget: 5\n", "recall.budget: 5\n", "\ufeffrecall: {budget: 5}\r\n"])
def test_settings_may_be_nested_or_dotted(folder: Path, text: str) -> None:
    assert budget(opened(write(folder, text))) == (5, "vault")


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("recall:\n  bugdet: 5\n", "mem.yaml:2: unknown setting 'recall.bugdet'; did you mean 'recall.budget'?"),
        ("zzzz: 1\n", "mem.yaml:1: unknown setting 'zzzz'; mem config list shows all settings"),
        (
            "recall:\n  budget 700\n",
            "mem.yaml:1: unknown setting 'recall'; recall is a group with settings like recall.budget",
        ),
    ],
)
def test_an_unknown_key_is_named_with_file_and_nearest_match_and_stops_nothing(
    folder: Path, text: str, notice: str
) -> None:
    vault = opened(write(folder, f"{text}recall.budget: 9\n"))
    assert [message[: len(notice)] for message in vault.notices] == [notice]
    assert budget(vault) == (9, "vault")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("recall.budget: 5\nrecall.budget: 9\n", "mem.yaml:2: 'recall.budget'"),
        ("recall:\n  budget: 5\n  budget: 9\n", "mem.yaml:3: 'recall.budget'"),
        ("recall: {budget: 5}\nrecall.budget: 9\n", "mem.yaml:2: 'recall.budget'"),
        ("recall:\n  mmr: 0.5\nrecall: {budget: 9}\n", "mem.yaml:3: 'recall'"),
    ],
)
def test_a_key_that_is_set_twice_is_named_with_its_line(folder: Path, text: str, name: str) -> None:
    vault = opened(write(folder, text))
    assert vault.notices == [f"{name} is set twice, and the last one counts"] and budget(vault) == (9, "vault")


@pytest.mark.parametrize("text", ["recall:\n  weights:\n    a: {b: 1}\n", "write:\n  commit: maybe\n"])
def test_what_makes_no_sense_is_refused_with_its_place(folder: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"mem.yaml:\d"):
        opened(write(folder, text))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recall.budget", "many"), ("recall.budget", "1.5"), ("recall.budget", "true"), ("recall.preset", "classical"),
        ("write.commit", "1"), ("recall.decay", "[1]"), ("recall.likeness", "1.5"), ("recall.weights", "5"), ("recall.weights", "{a: yes}"),
        ("recall.likeness", "{nosuch: 0.5}"), ("recall.likeness", "{log: 2}"),
        ("recall.decay", ".nan"), ("recall.mmr", ".inf"), ("recall.budget", "-1"), ("recall.mmr", "3"),
        ("recall.priorities", "{MEMORY.md: 2}"), ("recall.priorities", "{MEMORY.md: -1}"), ("llm.timeout", "0"),
        ("recall.encoding", "nosuch"), ("write.lock_timeout", "-0.5"),
    ],
)  # fmt: skip
def test_an_impossible_value_in_the_environment_names_the_variable(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str
) -> None:
    variable = "MEM_" + key.replace(".", "_").upper()
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=variable):
        opened(folder)


def test_values_are_read_by_the_type_of_the_setting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "MEM_WRITE_COMMIT": "no",
        "MEM_WRITE_LOCK_TIMEOUT": "3",
        "MEM_RECALL_WEIGHTS": "{time: 1, tag: .5}",
        "MEM_WRITE_LOG": "Daily/%Y.md",
    }.items():
        monkeypatch.setenv(name, value)
    found = opened(folder).settings
    assert (found.write.commit, found.write.lock_timeout, found.recall.weights, found.write.log) == (
        False, 3.0, {"time": 1, "tag": 0.5}, "Daily/%Y.md",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"recall:\n  budget: [5\nwrite: {}\n", r"mem.yaml:3: broken YAML"),
        (b"recall:\n\tbudget: 5\n", r"mem.yaml:2: broken YAML"),
        (b"- a\n", r"mem.yaml:1: expected 'key: value'"),
        (b"recall:\n  preset: caf\xe9\n", r"mem.yaml:2: is not UTF-8"),
        (b"a: 2026-13-45\n", r"mem.yaml:1"),
        (b"a: \x00\n", r"mem.yaml"),
        (b"a: " + b"[" * 5_000, r"mem.yaml:1: broken YAML"),
    ],
)
def test_a_broken_file_is_named_with_its_line(folder: Path, data: bytes, says: str) -> None:
    (folder / "mem.yaml").write_bytes(data)
    with pytest.raises(MemError, match=says):
        opened(folder)


def test_an_empty_or_absent_file_sets_nothing(folder: Path) -> None:
    for text in ("", "# only words\n", "---\n", "recall:\n", "\ufeff"):
        assert opened(write(folder, text)).resolved.origins == {}


def test_every_setting_has_a_meaning_a_default_and_a_variable() -> None:
    known = settings.keys()
    assert "recall.budget" in known
    for key in known.values():
        assert key.meaning and key.meaning[0].islower()
        assert settings.convert(key, key.default) == key.default
        assert key.variable == "MEM_" + key.name.replace(".", "_").upper()


# -- changing them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "recall:\n  budget: 7\n"),
        ("# mine\n", "# mine\nrecall:\n  budget: 7\n"),
        (
            "# a\nrecall:\n  # b\n  budget: 5 # c\n  mmr: 0.5\n# d\n",
            "# a\nrecall:\n  # b\n  budget: 7 # c\n  mmr: 0.5\n# d\n",
        ),
        ("write:\n  commit: no   # by hand\n", "write:\n  commit: no   # by hand\nrecall:\n  budget: 7\n"),
        ("recall.budget: 5\n", "recall.budget: 7\n"),
        ("recall:\n  preset: 'classic'\n", "recall:\n  preset: 'classic'\n  budget: 7\n"),
        (
            "recall:\n  # nothing yet\nwrite:\n  commit: no\n",
            "recall:\n  budget: 7\n  # nothing yet\nwrite:\n  commit: no\n",
        ),
    ],
)
def test_setting_one_value_keeps_comments_order_and_quotes(before: str, after: str) -> None:
    assert yaml_edit.with_value(before, "mem.yaml", ["recall", "budget"], 7) == after


def test_a_windows_settings_file_stays_one() -> None:
    after = yaml_edit.with_value("# a\r\nrecall:\r\n  budget: 5\r\n", "mem.yaml", ["recall", "budget"], 7)
    assert after == "# a\r\nrecall:\r\n  budget: 7\r\n"


def test_a_broken_file_is_not_changed() -> None:
    with pytest.raises(VaultError, match=r"mem.yaml:1"):
        yaml_edit.with_value("a: [", "mem.yaml", ["recall", "budget"], 7)


@check_rows("value", ["llm ask -m x", "a: b", "#x", "'", "多", "", "yes", "5", "a\nb"])
def test_any_text_set_is_the_text_read(value: str) -> None:
    text = yaml_edit.with_value("", "mem.yaml", ["llm", "command"], value)
    assert yaml_read.mapping(text, "mem.yaml") == {"llm": {"command": value}}


def test_one_number_is_for_all_of_a_table_that_has_all() -> None:
    key = settings.RecallSettings.settings["likeness"]
    assert settings.convert(key, "0.7") == settings.convert(key, 0.7) == {"all": 0.7}
    assert settings.convert(key, "{log: 0.6}") == {"log": 0.6}


def test_a_weight_may_be_that_of_a_path_which_a_feature_brings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, "recall: {weights: {birds: 3}}\n")
    with pytest.raises(UsageError, match="there is no 'birds'"):
        _ = opened(folder).settings
    birds = RecallPath("birds", "birds", 1.0, lambda search: (), lambda search, entry: 0.0, leads=True)
    monkeypatch.setattr(contributions, "recall_paths", lambda: [birds])
    assert opened(folder).settings.recall.weights == {"birds": 3.0}


@needs("hook")
@check_rows("text", ["hooks:\n  on: off\n", "hooks.on: no\n", "hooks: {on: Off}\n", "hooks:\n  'on': false\n"])
def test_a_key_that_is_called_on_is_read_as_it_is_written(folder: Path, text: str) -> None:
    vault = opened(write(folder, text))
    assert vault.notices == [] and vault.settings.features["hooks.on"] is False


def test_a_switch_that_protects_needs_no_trust_in_any_spelling(folder: Path) -> None:
    assert opened(write(folder, "llm.offline: yes\n")).settings.llm.offline is True
    assert opened(write(folder, "llm.offline: off\n")).resolved.ignored == ("llm.offline",)
