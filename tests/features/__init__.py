"""Which features are here: the folder of any may be deleted, and what asks for it is then left out.

A test of one feature lives in its folder here and goes with it. A test of the core does without features, as far as it
can. `needs` and `import_feature` are for those of several features, and pages name theirs (`tests/docs/transcripts.py`).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

FEATURES = (
    "agents", "ask", "evaluation", "hook", "install", "knowledge", "learn", "mirror", "move", "nudge", "page", "reflect",
    "serve", "stats", "talk", "ways",
)  # fmt: skip
FOLDER = Path(__file__).parents[2] / "memcli/features"
MISSING = frozenset(name for name in FEATURES if not (FOLDER / name / "feature.py").exists())


def is_deleted(path: str) -> bool:
    """Whether a path leads into a feature that is not there."""
    return any(f"features/{name}/" in path for name in MISSING)


def needs(*features: str) -> pytest.MarkDecorator:
    """Mark a test of more than one feature, which is left out where one of them was deleted."""
    assert set(features) <= set(FEATURES), features
    missing = sorted(MISSING & set(features))
    return pytest.mark.skipif(bool(missing), reason=f"without {', '.join(missing)}")


def import_feature(module: str) -> ModuleType:
    """Import a module of another feature; leave the test, or the file, out where that feature was deleted."""
    name = module.split(".")[2]
    if name in MISSING:
        pytest.skip(f"without {name}", allow_module_level=True)
    return import_module(module)
