"""The paths: each names candidates in its own way. A new path is one new file and one line in this list."""

from memcli.recall.paths import file, semantic, tag, text, time

PATHS = {"time": time.find, "tag": tag.find, "file": file.find, "text": text.find, "semantic": semantic.find}

__all__ = ["PATHS"]
