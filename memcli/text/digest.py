"""Compute short digests of texts. These are not secure: callers that face attackers use SHA-256 themselves."""

from __future__ import annotations


def digest(content: str | bytes, length: int = 40) -> str:
    """Return the first `length` hexadecimal digits of the SHA-1 of a text or of bytes."""
    from hashlib import sha1  # importing it takes 3 ms, and a recall needs none

    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return sha1(data).hexdigest()[:length]
