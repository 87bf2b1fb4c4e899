"""What `mem doctor` says of the sources that are set up: nothing is sent to find out."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

from memcli.deep.plan import SECONDS
from memcli.http import is_local
from memcli.llm.target import shown
from memcli.vault.health import BROKEN, NOTE, OK, Check
from memcli.vault.vault import Vault


def checks(vault: Vault) -> Iterator[Check]:
    """A line for each source in the settings, whether it is asked or not."""
    for each in vault.resolved.ignored:
        if each.startswith("sources."):
            name = each.partition(".")[2]
            yield Check(f"source {name}", NOTE, "not asked: the vault names it", "mem trust shows it and asks")
    for name, config in vault.settings.sources.items():
        yield Check(f"source {name}", *_state(vault, config))


def _state(vault: Vault, config: Mapping[str, Any]) -> tuple[str, ...]:
    kind, url, key = config["kind"], config.get("url", ""), config.get("key_env", "")
    if not config.get("enabled", True):
        return OK, f"{kind}, switched off"
    if kind == "command":
        program = str(config["command"]).strip().partition(" ")[0]
        if re.fullmatch(r"[\w./+-]+", program) and not shutil.which(program, path=vault.environ.get("PATH")):
            return BROKEN, f"`{program}` is not installed", "install it, or switch the source off with enabled: false"
    if key and not vault.environ.get(key):
        return NOTE, f"not asked: {key}, which holds its key, is not set", f"export {key}=…"
    if key and url.startswith("http:") and not is_local(url):
        return NOTE, f"{shown(url)}: questions and key go there unencrypted", "use an https address"
    where = f"`{config['command']}`" if kind == "command" else shown(url) if url else ""
    return OK, ", ".join(filter(None, [kind, where, f"{config.get('limit', SECONDS):g} s"]))
