"""How `memcli/text/data/cl100k_base.table` is made of the published table, and read back: python -m tests.text.table FILE"""

from __future__ import annotations

import marshal
import sys
from binascii import a2b_base64, b2a_base64
from pathlib import Path

from memcli.text import tokens

TABLE = Path(tokens._TABLE)


def packed(published: bytes) -> bytes:
    """The published lines `token rank`, divided by the first bytes of the tokens."""
    divisions: dict[bytes, dict[bytes, int]] = {}
    for line in published.splitlines():
        token, rank = line.split()
        head = a2b_base64(token)[: tokens.HEAD]
        divisions.setdefault(head if len(head) == tokens.HEAD else b"", {})[a2b_base64(token)] = int(rank)
    return marshal.dumps({head: marshal.dumps(division, 4) for head, division in divisions.items()}, 4)


def published() -> bytes:
    """The packaged table as it was published."""
    ranks = {rank: token for head in tokens._divisions() for token, rank in tokens._division(head).items()}
    return b"".join(b"%s %d\n" % (b2a_base64(ranks[rank], newline=False), rank) for rank in sorted(ranks))


if __name__ == "__main__":
    TABLE.write_bytes(packed(Path(sys.argv[1]).read_bytes()))
