"""A vault from a stranger, and secrets in what others wrote: what the shelf must not read, write or keep."""

from __future__ import annotations

import json
from pathlib import Path

from memcli.features.knowledge import address
from memcli.features.knowledge.documents import UserMetadata
from memcli.features.knowledge.sources import Options
from memcli.remember import redacted
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.knowledge.test_add import add, shelved

KEY = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_no_link_leads_out_of_the_vault(folder: Path, tmp_path: Path) -> None:
    diary = write(tmp_path / "private" / "diary.md", "# Diary\n\nMine alone.")
    write(folder / "knowledge" / "tea.md", "# Tea\n\nLeaves.")
    (folder / "knowledge" / "all").symlink_to(diary.parent)
    (folder / "knowledge" / "one.md").symlink_to(diary)
    vault = opened(folder)
    add(vault)
    assert list(shelved(vault)) == ["Tea"]
    assert vault.notices


def test_what_a_journal_names_outside_is_read_where_the_user_named_it(folder: Path, tmp_path: Path) -> None:
    diary = write(tmp_path / "private" / "diary.md", "# Diary\n\nMine alone.")
    named = {"action": "add", "source": str(diary.parent), "keep": True}
    odd = '{"action":5,"origins":7}\n' + "[" * 100_000
    write(folder / "journal" / "knowledge.jsonl", json.dumps(named) + f"\n{odd}\n")
    write(folder / "knowledge" / "tea.md", "# Tea\n\nLeaves.")
    vault = opened(folder)
    add(vault)
    assert list(shelved(vault)) == ["Tea"] and any("not named on this machine" in told for told in vault.notices)
    add(opened(folder), diary.parent)
    add(again := opened(folder), rebuild=True)
    assert list(shelved(again)) == ["Diary", "Tea"] and again.notices == []


def test_a_planted_link_does_not_choose_where_the_shelf_is_written(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(folder / "knowledge" / "tea.md", "# Tea\n\nLeaves.")
    shelf = folder / ".mem" / address.FOLDER
    shelf.mkdir(parents=True)
    (shelf / f"{address.address_of(opened(folder)).table}.lance").symlink_to(elsewhere)
    vault = opened(folder)
    add(vault)
    assert list(shelved(vault)) == ["Tea"] and list(elsewhere.iterdir()) == []


def test_a_secret_is_kept_nowhere_wherever_it_stands(vault: Vault, tmp_path: Path) -> None:
    text = f"---\ntags: [tea, {KEY}]\nkeys: [{KEY}]\nproject: {KEY}\nnested: {{a: {KEY}}}\n---\n# Head {KEY}\n\nText {KEY}."
    write(tmp_path / "a.md", text)
    lines = ({"url": f"https://x.example/?api_key={KEY}", "text": "One."}, {"id": KEY, "text": "Two.", KEY: KEY})
    write(tmp_path / "b.jsonl", "\n".join(map(json.dumps, lines)))
    said = UserMetadata(f"Of {KEY}", (KEY,), KEY, KEY, {"shelf": KEY})

    def redact(text: str) -> tuple[str, list[str]]:
        return redacted(text, vars(vault.settings.gates))

    done = add(vault, tmp_path / "a.md", tmp_path / "b.jsonl", options=Options(said), redact=redact)
    add(vault, text=text, options=Options(said), redact=redact)
    assert (done.documents, add(vault, redact=redact).documents) == (3, 0)
    files = [each for each in vault.root.rglob("*") if each.is_file()]
    assert files and not [each for each in files if KEY.encode() in each.read_bytes()]


def test_a_line_or_a_front_matter_does_not_pose_as_another_document(vault: Vault, tmp_path: Path) -> None:
    tea = write(tmp_path / "tea.md", "# Tea\n\nLeaves.")
    posing = {"url": str(tea), "title": "Liar", "text": "Coffee."}
    write(tmp_path / "z.jsonl", json.dumps(posing))
    write(tmp_path / "front.md", "---\nsource: MEMORY.md\n---\n# Front\n\nMilk.")
    add(vault, tmp_path)
    assert shelved(vault).keys() == {"Tea", "Liar", "Front"}
    from memcli.features.knowledge import store

    there = store.open_reader(vault)
    assert there and not [each.place for each in there.documents() if each.place == "MEMORY.md"]
