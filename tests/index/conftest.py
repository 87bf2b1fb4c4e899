"""A tiny model known on this machine, and notes to index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli.index import download
from memcli.index.models import Model
from tests.index import tiny


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.build(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def model(model_folder: Path) -> Model:
    """The tiny model, added as a user would."""
    return download.register(model_folder, dict(os.environ))


@pytest.fixture
def notes(folder: Path) -> Path:
    """Three days, a list, a long text and an agent's own note."""
    for path, text in {
        "logs/2026-11-19.md": "- 09:00 Redis keeps the sessions #work/api\n- 10:00 Anna walked the puppy\n",
        "logs/2026-11-20.md": "- 今天给缓存换了机器 #工作\n- sabbatical in June [importance:: 0.8]\n",
        "MEMORY.md": "# People\n\n- Anna's birthday is in May\n",
        "knowledge/paper.md": "A document, kept by another room.\n",
        "agents/coder/logs/2026-11-20.md": "- the coder's own redis trick\n",
        "essay.md": "# Tea\n\n"
        + "\n\n".join(f"Paragraph {n}. " + "Leaves are picked by hand. " * 40 for n in range(6)),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder
