"""Provide `mem`, a local-first memory.

`from memcli import Vault` is the Python API; its modules are loaded when used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # saves the fast path of recall the import of `typing`
if TYPE_CHECKING:
    from typing import Any

    from memcli.api import Vault as Vault

__version__ = "0.1.0"
__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "Vault":
        from memcli.api import Vault

        return Vault
    raise AttributeError(f"module 'memcli' has no attribute '{name}'")
