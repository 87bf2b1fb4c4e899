"""Hooks: what agents tell `mem` while somebody works with them. The doors are `handle` and, for `mem doctor`, `checks`.

`payload` reads what a tool hands over, `prompts` what of it a person typed, `talk` the turns before. `prompting` is
what is added to a prompt, `starting` the beginning of a session; `shown` keeps each memory from being shown twice,
`answer` is what each tool understands, `trouble` why there was none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.hook.answer import EVENTS
    from memcli.hook.handler import handle
    from memcli.hook.payload import Payload, read
    from memcli.hook.trouble import checks, note

__all__ = ["EVENTS", "Payload", "checks", "handle", "note", "read"]

_LATE = {
    "EVENTS": "answer",
    **dict.fromkeys(("Payload", "read"), "payload"),
    **dict.fromkeys(("checks", "note"), "trouble"),
    "handle": "handler",
}


def __getattr__(name: str) -> Any:
    """Nothing of the vault is loaded before a payload was read."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
