"""Decode bytes of an unknown encoding."""

from __future__ import annotations

import re


def decode_text(data: bytes, charset: str = "") -> str:
    """Return bytes as text, or raise ValueError.

    Try the encoding of a byte order mark, UTF-8, `charset`, then GB18030 or a Western one, judging by the bytes.
    """
    if b"\0" in data[:8192] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError("is binary")
    mark = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}.get(data[:2], "")
    for name in filter(None, (mark, "utf-8-sig", charset)):
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    high = sum(byte > 0x7F for byte in data)
    pairs = re.findall(rb"[\xa1-\xd7][\xa1-\xfe]", data)  # the common characters of GB 2312; Cyrillic has others
    try:
        if len(pairs) * 2 > high * 0.85:
            return data.decode("gb18030")
        if high < len(data) * 0.15:
            return data.decode("cp1252")
    except UnicodeDecodeError:
        pass
    raise ValueError("is neither UTF-8 nor UTF-16 nor GB18030: save it as UTF-8")
