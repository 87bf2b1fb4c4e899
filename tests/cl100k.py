"""Tokens as tiktoken itself counts them: its own split, its own special tokens, its own check of the table's bytes."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from hashlib import sha1
from pathlib import Path
from unittest import mock

import tiktoken

from tests.text import table

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"


@lru_cache(maxsize=1)
def own() -> tiktoken.Encoding:
    """`cl100k_base` from tiktoken's own registry, which finds the packaged table, as it was published, where it would cache a download."""
    with tempfile.TemporaryDirectory() as cache:
        (Path(cache) / sha1(ADDRESS.encode()).hexdigest()).write_bytes(table.published())
        with mock.patch.dict(os.environ, {"TIKTOKEN_CACHE_DIR": cache}):
            return tiktoken.get_encoding("cl100k_base")


def count(text: str) -> int:
    return len(own().encode_ordinary(text))
