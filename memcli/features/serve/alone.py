"""Provide the smallest `Tokens` and `Vaults`, with one token and one vault, and join several lists of tokens to one."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path

from memcli.features.serve.access import Access
from memcli.features.serve.doors import OpenVault, Tokens


class OneToken:
    def __init__(self, secret: str, access: Access) -> None:
        self.secret, self.access = secret, access

    def access_of(self, secret: str) -> Access | None:
        same = hmac.compare_digest(secret.encode("utf-8", "replace"), self.secret.encode())
        return self.access if same else None


class AnyOf:
    def __init__(self, lists: Sequence[Tokens]) -> None:
        self.lists = lists

    def access_of(self, secret: str) -> Access | None:
        return next(filter(None, [tokens.access_of(secret) for tokens in self.lists]), None)


class OneVault:
    def __init__(self, vault: OpenVault) -> None:
        self.vault = vault

    def at(self, root: Path) -> OpenVault:
        return self.vault
