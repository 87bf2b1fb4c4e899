"""`add` without the gates, for tests that ask how a memory is written and not whether it is: their texts are short and alike."""

from __future__ import annotations

from functools import partial

from memcli import remember

add = partial(remember.add, force=True, allow_sensitive=True)
