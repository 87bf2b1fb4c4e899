"""Provide `mem`, a local-first memory.

`from memcli import Vault` is the Python API; its modules are loaded when used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # saves the fast path of recall the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memcli.api import Vault as Vault

__version__ = "0.1.0"
__all__ = ["Vault", "__version__"]


def load_later(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that imports a module when one of its names is first used.

    `names` has the names of each module, in one string; a module of the package begins with a dot.
    """
    modules = {name: module for module, ours in names.items() for name in ours.split()}

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(modules[name], package), name)

    return get


def late(place: str) -> Callable[..., Any]:
    """Return a function that calls the one at `module:function`, which is imported at the first call."""
    module, _, name = place.partition(":")

    def call(*given: Any, **named: Any) -> Any:
        from importlib import import_module

        return getattr(import_module(module), name)(*given, **named)

    return call


__getattr__ = load_later(__name__, {".api": "Vault"})
