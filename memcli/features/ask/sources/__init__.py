"""Return the sources that a vault can ask, and stop them.

A kind of source that this feature brings is a module here with `find(vault, config, step)`, which returns evidence,
best first. It may be slow or fail; `gather` handles that. `feature.py` lists the kinds, with their settings and whether
questions leave the machine.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from threading import Thread, current_thread
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from memcli import contributions
from memcli.message import Message
from memcli.vault import sources as entries
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.vault.check import Check

SECONDS = 10.0  # for a remote source, unless its entry in mem.yaml says otherwise
ASKED = "MEM_ASKED"  # set for a command source, so that a `mem` in it asks no other source in an endless loop
_open: WeakKeyDictionary[Thread, Callable[[], None] | None] = WeakKeyDictionary()  # None: nobody waits any longer


def configured_sources(vault: Vault) -> dict[str, Mapping[str, Any]]:
    """Return the sources of this vault by name, each with its `kind` and its other settings."""
    there: dict[str, Mapping[str, Any]] = {name: {"kind": name} for name in entries.local_kinds()}
    there |= vault.settings.sources
    known = contributions.sources()  # of features that are on; settings may name others, too
    if vault.environ.get(ASKED):
        known = {name: known[name] for name in entries.local_kinds() if name in known}
    return {name: config for name, config in there.items() if config.get("enabled", True) and config["kind"] in known}


def register_end(end: Callable[[], None]) -> None:
    """Register `end`, which stops the work of this thread once nobody waits for it.

    If nobody waits any more, it is called at once.
    """
    if current_thread() in _open:
        end()
    else:
        _open[current_thread()] = end


def end_thread(thread: Thread) -> None:
    """Mark that nobody waits for this thread any longer, and stop its work."""
    end = _open.pop(thread, None)
    _open[thread] = None
    if end:
        end()


def checks(vault: Vault) -> Iterator[Check]:
    """Yield what `mem doctor` reports about the sources in the settings. Nothing is sent for that."""
    from memcli.vault.check import NOTE, Check  # a prompt loads this package and does not need it

    for each in vault.resolved.ignored:
        if each.startswith("sources."):
            name = each.partition(".")[2]
            yield Check(
                Message("source {name}", name=name),
                NOTE,
                "not asked: the vault names it",
                "mem trust shows it and asks",
            )
    for name, config in vault.settings.sources.items():
        yield Check(Message("source {name}", name=name), *_state(vault, config))


def _state(vault: Vault, config: Mapping[str, Any]) -> tuple[str, ...]:
    from memcli.http import is_local
    from memcli.llm.target import safe_url
    from memcli.vault.check import BROKEN, NOTE, OK

    kind, url, key = config["kind"], config.get("url", ""), config.get("key_env", "")
    if not config.get("enabled", True):
        return OK, Message("{kind}, switched off", kind=kind)
    if kind == "command":
        program = str(config["command"]).strip().partition(" ")[0]
        if re.fullmatch(r"[\w./+-]+", program) and not shutil.which(program, path=vault.environ.get("PATH")):
            return (
                BROKEN,
                Message("`{program}` is not installed", program=program),
                "install it, or switch the source off with enabled: false",
            )
    if key and not vault.environ.get(key):
        return NOTE, Message("not asked: {key}, which holds its key, is not set", key=key), f"export {key}=…"
    if key and url.startswith("http:") and not is_local(url):
        return (
            NOTE,
            Message("{name}: questions and key go there unencrypted", name=safe_url(url)),
            "use an https address",
        )
    where = f"`{config['command']}`" if kind == "command" else safe_url(url) if url else ""
    return OK, ", ".join(filter(None, [kind, where, f"{config.get('limit', SECONDS):g} s"]))
