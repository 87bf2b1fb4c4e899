"""What is found in the joined text is what is found in the notes themselves; the joined text is a mere cache."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.recall import query
from memcli.recall.paths import PATHS
from memcli.vault import grep, joined_text
from memcli.vault.entries import LONGEST_LINE, REACH
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.recall.vaults import SAMPLE, ask, lay
from tests.watch.test_resident import QUESTIONS, vaults, words

ODD: dict[str, str | bytes] = {
    "a.md": "- cache one\n- tea", "b.md": "- the cache of Anna\r\n- Anna: tea\r\n", "c.md": b"- caf\xe9 cache\n",
    "d.md": b"\xef\xbb\xbf- cache with a mark\n", "e.md": "- cache\n".encode("utf-16"), "f.md": b"cache \0\0\n", "g.md": "",
    "h.md": f"- cache {'x' * LONGEST_LINE}\n- short cache\n", "i.md": "\n\n- cache\u2028cache\n- 缓存方案\n", "j\u00a0k.md": "- cache\n",
    "archive/k.md": "- cache of old\n", "agents/ann/l.md": "- cache of an agent\n", "m.md": "- tea\n- green\n- cache and tea\n",
    "n.md": "- redis of nuns\n",
}  # fmt: skip


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Join also few notes, and notes that were just written."""
    monkeypatch.setattr(joined_text, "FEW", 0)
    monkeypatch.setattr(joined_text, "SETTLED", -(10**19))


@pytest.fixture
def odd(folder: Path) -> Path:
    return lay(folder, {**ODD, "mem.yaml": ""})


def found(vault: Vault, question: str, paths: list[str] | None = None) -> list[object]:
    """All that a recall of this question learns from the search, and what it is told."""
    asked = query.parse(question, vault.today, {"work": ["cache"]})
    looks = [look for path in PATHS for look in path.looks(asked)]
    paths = vault.files() if paths is None else paths
    hits = vault.search(paths, asked.terms, looks)
    tally = hits.tally(asked.terms)
    rarity = [1.0 / (1 + count) for count in tally.entries]
    best = tally.best(rarity, [step for step, _ in REACH], 0.3, 3)
    lines = {path: [list(each.items()) for each in tally.lines(path)] for path in paths}
    touched, tagged = hits.touched(), sorted(hits.files_with(lambda line: "#" in line))
    return [tally.entries, best, lines, touched, tagged, vault.notices]


def without(folder: Path, question: str) -> list[object]:
    """The same from the notes themselves."""
    shutil.rmtree(folder / ".mem", ignore_errors=True)
    vault = opened(folder)
    paths = vault.files()
    vault.stamps.clear()
    return found(vault, question, paths)


@pytest.mark.slow
@settings(max_examples=80)
@given(vaults, st.one_of(st.sampled_from(QUESTIONS), st.lists(words, min_size=1, max_size=4).map(" ".join)))
def test_the_joined_text_has_what_the_notes_have(folder: Path, files: dict[str, str], question: str) -> None:
    lay(folder, {**files, "mem.yaml": ""})
    assert found(opened(folder), question) == without(folder, question)


@pytest.mark.parametrize("question", ["cache", "Anna tea cache", "缓存 redis", "what is left to do #work"])
def test_odd_notes_are_found_as_ever(odd: Path, question: str) -> None:
    first = found(opened(odd), question)
    assert (odd / ".mem" / joined_text.TEXT).read_bytes().count(b"cache") > 5
    assert found(opened(odd), question) == first == without(odd, question)


def test_the_sample_vault_answers_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".mem"))
    for question in QUESTIONS:
        with_text = found(opened(folder), question)
        assert (folder / ".mem" / joined_text.LIST).is_file()
        assert with_text == without(folder, question)


def damaged(folder: Path) -> Iterator[Callable[[], object]]:
    """What may become of the cache."""
    text, rows = folder / ".mem" / joined_text.TEXT, folder / ".mem" / joined_text.LIST
    yield lambda: text.unlink()
    yield lambda: rows.unlink()
    yield lambda: text.write_text("- cache cache cache\n" * 50, encoding="utf-8")
    yield lambda: rows.write_text("no list", encoding="utf-8")
    yield lambda: rows.write_bytes(b"\xff\0")
    yield lambda: rows.write_text(rows.read_text(encoding="utf-8").replace("\t1\t", "\tx\t"), encoding="utf-8")
    yield lambda: (text.unlink(), text.symlink_to(folder / "a.md"))
    yield lambda: (text.unlink(), text.mkdir())
    yield lambda: shutil.rmtree(folder / ".mem")


@pytest.mark.parametrize("number", range(9))
def test_a_cache_that_is_gone_or_wrong_changes_no_answer(odd: Path, number: int) -> None:
    block = ask(odd, "Anna tea cache").text
    [*damaged(odd)][number]()
    assert ask(odd, "Anna tea cache").text == block
    assert ask(odd, "Anna tea cache").text == block


def test_a_note_that_changed_is_read_itself(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(odd, "cache")
    monkeypatch.setattr(joined_text, "FEW", 5)
    before = (odd / "n.md").stat()
    (odd / "n.md").write_text("- cache of nuns\n", encoding="utf-8")  # as long as before, and with the same time
    os.utime(odd / "n.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    (odd / "a.md").unlink()
    (odd / "o.md").write_text("- a new cache\n", encoding="utf-8")
    made = (odd / ".mem" / joined_text.TEXT).stat().st_mtime_ns
    block = ask(odd, "cache").text
    assert "cache of nuns" in block and "a new cache" in block and "cache one" not in block
    assert (odd / ".mem" / joined_text.TEXT).stat().st_mtime_ns == made  # for few changes all is not joined anew
    assert found(opened(odd), "cache") == without(odd, "cache")


def test_a_note_that_was_just_written_is_not_trusted(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_text, "SETTLED", 10**12)
    ask(odd, "cache")
    rows = (odd / ".mem" / joined_text.LIST).read_text(encoding="utf-8").splitlines()[1:]
    assert rows and all(row.startswith("-\t") for row in rows)
    monkeypatch.setattr(joined_text, "FEW", 50)
    assert found(opened(odd), "cache") == without(odd, "cache")


def test_while_another_process_joins_the_notes_they_are_searched_themselves(
    odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without(odd, "cache")
    monkeypatch.setattr(joined_text.JoinedText, "is_current", lambda self: False)
    assert found(opened(odd), "cache") == expected


def test_agents_find_their_own_space_and_no_other(odd: Path) -> None:
    (odd / "agents/bob").mkdir()
    (odd / "agents/bob/p.md").write_text("- cache of Bob\n", encoding="utf-8")
    ask(odd, "cache")
    assert "cache of an agent" in ask(odd, "cache", agent="ann").text
    assert "Bob" not in ask(odd, "cache", agent="ann").text + ask(odd, "cache").text


def test_only_its_owner_may_read_the_joined_text(odd: Path) -> None:
    ask(odd, "cache")
    for name in (joined_text.TEXT, joined_text.LIST):
        mode = stat.S_IMODE((odd / ".mem" / name).stat().st_mode)
        assert os.name == "nt" or mode == 0o600
    assert (odd / ".mem/.gitignore").read_text(encoding="utf-8") == "*\n"


def test_a_folder_that_is_no_vault_gets_no_cache(odd: Path) -> None:
    (odd / "mem.yaml").unlink()
    assert "cache one" in ask(odd, "cache").text
    assert not (odd / ".mem").exists()


def test_few_notes_are_searched_one_by_one(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_text, "FEW", 64)
    assert "cache one" in ask(odd, "cache").text
    assert not (odd / ".mem").exists()


def test_files_are_not_opened_one_by_one_where_the_text_is_joined(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(odd, "cache")
    asked: list[int] = []
    search = grep.grep

    def counted(root: Path, paths: list[str], *rest: object, **more: object) -> object:
        asked.append(len(paths))
        return search(root, paths, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("memcli.vault.search.grep", counted)
    found(opened(odd), "cache")
    odd_ones = sum(1 for name in ("c.md", "d.md", "e.md", "f.md", "h.md", "j\u00a0k.md"))
    assert asked == [1, odd_ones]
