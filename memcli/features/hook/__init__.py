"""Answer hooks, by which agents report to `mem` what happens. Callers use `handle`.

`process` answers `mem hook` before the command line is loaded. `payload` parses what a tool sends, `prompts` finds what
a person typed, and `talk` reads the turns before. `prompting` adds memories to a prompt, and `starting` begins a
session. `display_log` keeps a memory from being shown twice, `answer` forms what each tool understands, and `trouble`
notes why a hook gave no answer.
"""

from typing import TYPE_CHECKING

from memcli import load_later

if TYPE_CHECKING:
    from memcli.features.hook.answer import EVENTS
    from memcli.features.hook.handler import handle
    from memcli.features.hook.payload import Payload, read_payload
    from memcli.features.hook.trouble import note

__all__ = ["EVENTS", "Payload", "handle", "note", "read_payload"]

# Nothing of the vault loads before a payload is read.
__getattr__ = load_later(__name__, {
    ".answer": "EVENTS",
    ".handler": "handle",
    ".payload": "Payload read_payload",
    ".trouble": "note",
})  # fmt: skip
