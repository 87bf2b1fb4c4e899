"""The fields of the YAML files: what can't be is named by doctor, and what is right is left in peace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.extend import VaultFile
from memcli.vault import health, schema
from memcli.vault.setting import Section, setting
from tests.conftest import opened
from tests.recall.vaults import SAMPLE


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("USER.md", "---\nlanguage: 7\n---\n", "USER.md: language: 7 is not a language, like English or zh"),
        ("USER.md", "---\nmbti: ABCD\n---\n", "USER.md: mbti: 'ABCD' is not a type like INTP or ENFP"),
        ("USER.md", "---\nlanguage: 中文\ncity: Ghent\nown: 5\n---\n", ""),
        (
            "preferences.yaml",
            "- {key: tea, value: 5, confidence: 7}\n",
            "tea: confidence: 7 is not a number from 0 to 1",
        ),
        ("preferences.yaml", "- {key: tea, value: green, source: hearsay}\n", "tea: source: 'hearsay' is not one of"),
        ("preferences.yaml", "- {key: tea, value: green, updated: soon}\n", "tea: updated: 'soon' is not a day"),
        ("preferences.yaml", "tea: green\n", ""),
        ("preferences.yaml", "- {key: a, value: b, scope: 'session:1', updated: 2026-11-21 14:30:00}\n", ""),
        ("labels.yaml", "- {name: home, value: x, lat: 95}\n", "home: lat: 95 is not a number from -90 to 90"),
        ("labels.yaml", "- {name: home, value: x, lat: -33.9, use_count: 3, own: kept}\n", ""),
        ("tags.yaml", "cache: {redis: 1}\n", "tags.yaml: cache: {'redis': 1} is not a text, or a list of texts"),
        ("tags.yaml", "cache: [redis, 缓存]\ntea: oolong\n", ""),
        ("state.yaml", "avoid_topics: [{a: b}]\n", "avoid_topics: [{'a': 'b'}] is not a text"),
        ("state.yaml", "last_reset: notadate\n", "last_reset: 'notadate' is not a day"),
        ("state.yaml", "response_length: 长\n", ""),
    ],
)
def test_doctor_tells_what_can_not_be(folder: Path, file: str, text: str, told: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    lines = [check.detail for check in health.checks(opened(folder)) if check.name in ("value", "state")]
    assert [told in line for line in lines] == [True] * bool(told)


def test_the_living_example_and_new_vaults_hold_nothing_that_can_not_be(
    folder: Path, mem: Callable[..., object]
) -> None:
    mem("init", ".", "--yes", cwd=folder)
    for vault in (opened(SAMPLE), opened(folder)):
        assert [flaw.message for flaw, _ in schema.wrong(vault)] == []


def test_a_file_that_a_feature_brings_is_checked_by_its_fields(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Bird(Section):
        name: str = setting("", "its name")
        count: int = setting(0, "how many")

    file = VaultFile("birds.yaml", lambda: {"birds": Bird, "nests": Bird}, rivals=("name", ""))
    monkeypatch.setattr("memcli.contributions.vault_files", lambda: [file])
    for text, told in (
        ("birds:\n- {name: wren, count: many, own: x}\n- {name: heron, count: 2}\n", ["birds.yaml: wren: count"]),
        ("nests:\n- {count: many}\n", ["birds.yaml: nests: count"]),
        ("- {name: wren, count: many}\n", ["birds.yaml: wren: count"]),
        ("birds: wren\n", []),
        ("- [\n", []),  # told elsewhere
    ):
        (folder / "birds.yaml").write_text(text, encoding="utf-8")
        found = [(flaw.message.rpartition(": ")[0], fix) for flaw, fix in schema.wrong(opened(folder))]
        assert found == [(each, "mem edit birds.yaml") for each in told]
