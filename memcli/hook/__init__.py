"""Answer hooks, by which agents report to `mem` what happens. Callers use `handle`, and `mem doctor` uses `checks`.

`payload` parses what a tool sends, `prompts` finds what a person typed, and `talk` reads the turns before. `prompting`
adds memories to a prompt, and `starting` begins a session. `shown` prevents that a memory is shown twice, `answer`
forms what each tool understands, and `trouble` notes why a hook gave no answer.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.hook.answer import EVENTS
    from memcli.hook.handler import handle
    from memcli.hook.payload import Payload, read_payload
    from memcli.hook.trouble import checks, note

__all__ = ["EVENTS", "Payload", "checks", "handle", "note", "read_payload"]

_LATE = {
    "EVENTS": "answer",
    **dict.fromkeys(("Payload", "read_payload"), "payload"),
    **dict.fromkeys(("checks", "note"), "trouble"),
    "handle": "handler",
}


def __getattr__(name: str) -> Any:
    """Import a module when one of its names is first used, so that nothing of the vault loads before a payload is
    read."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
