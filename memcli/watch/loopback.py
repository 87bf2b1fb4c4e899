"""Connect over a port where Python has no local sockets, with a secret in a file of the user's own data folder.

Anybody on the machine may connect to a port, and may take it when a watcher has died. So each side proves to the
other that it knows the secret, without saying it, before a word of a vault is exchanged.
"""

from __future__ import annotations

import os
import socket
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Any

from memcli.errors import VaultError
from memcli.vault import files
from memcli.watch import wire

HOST = "127.0.0.1"
_SIZE = 32  # bytes of a secret, a challenge and a proof
_SERVER, _CLIENT = b"mem watch", b"mem"


def listen(name: Path, listening: socket.socket, most: int) -> bytes:
    """Take a free port, write its number and a new secret to the file of that name, and return the secret."""
    secret = os.urandom(_SIZE)
    listening.bind((HOST, 0))
    listening.listen(most)
    files.make_folder(name.parent, 0o700)
    draft = name.with_name(name.name + ".new")
    files.remove(draft)
    files.create_exclusive(draft, f"{listening.getsockname()[1]} {secret.hex()}\n", 0o600)
    files.remove(name)
    files.move(draft, name)
    return secret


def connect(name: str, sock: Any) -> None:
    """Connect to the watcher that wrote the file, and verify it. Raise OSError or wire.WireError when that fails."""
    try:
        port, secret = files.read_file(Path(name)).text.split()
        key = bytes.fromhex(secret)
        sock.connect((HOST, int(port)))
    except (VaultError, ValueError, OverflowError):
        raise FileNotFoundError(name) from None
    challenge = os.urandom(_SIZE)
    wire.send(sock, challenge)
    answer = wire.exactly(sock, 2 * _SIZE)
    if not compare_digest(answer[:_SIZE], _proof(key, _SERVER + challenge)):
        raise wire.WireError("failed authentication")
    wire.send(sock, _proof(key, _CLIENT + answer[_SIZE:]))


def admit(sock: Any, secret: bytes) -> None:
    """Verify a client on the watcher's side. Raise wire.WireError for a stranger."""
    challenge = os.urandom(_SIZE)
    wire.send(sock, _proof(secret, _SERVER + wire.exactly(sock, _SIZE)) + challenge)
    if not compare_digest(wire.exactly(sock, _SIZE), _proof(secret, _CLIENT + challenge)):
        raise wire.WireError("failed authentication")


def _proof(secret: bytes, text: bytes) -> bytes:
    return blake2b(text, key=secret, digest_size=_SIZE).digest()
