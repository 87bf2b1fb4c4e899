"""A prompt tells what the documents say."""

from __future__ import annotations

from memcli.features.knowledge.add import Options, add
from memcli.remember import redacted
from memcli.vault.vault import Vault
from tests.features import import_feature, needs

prompt = import_feature("memcli.features.talk.prompt")


@needs("ask")
def test_what_is_known_of_the_world_is_looked_up_and_cited(vault: Vault) -> None:
    (vault.root / "knowledge").mkdir()
    world = "# 世界观\n\n## AI 的情感\n\n在这个世界里，AI 没有情感，只会模仿。\n"
    (vault.root / "knowledge/world.md").write_text(world, encoding="utf-8")
    add(vault, (), Options(), redacted)
    found = prompt.build(vault, prompt.PromptRequest("世界观里，AI 有情感吗？")).text
    assert "只会模仿" in found and "knowledge/world.md" in found
