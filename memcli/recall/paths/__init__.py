"""List the paths: each names candidates in its own way. A new path is a file with a `PATH`, and its name here."""

from memcli import contributions
from memcli.recall.paths import file, semantic, tag, text, time
from memcli.recall.paths.path import RecallPath

PATHS: tuple[RecallPath, ...] = (
    time.PATH,
    tag.PATH,
    file.PATH,
    text.PATH,
    semantic.PATH,
    *contributions.recall_paths(),
)

__all__ = ["PATHS", "RecallPath"]
