"""List the recall paths; each finds candidates in its own way. To add one, write a module with a `PATH` and list it
here."""

from memcli import contributions
from memcli.recall.paths import file, semantic, tag, text, time
from memcli.recall_path import RecallPath

PATHS: tuple[RecallPath, ...] = (
    time.PATH,
    tag.PATH,
    file.PATH,
    text.PATH,
    semantic.PATH,
    *contributions.recall_paths(),
)

__all__ = ["PATHS", "RecallPath"]
