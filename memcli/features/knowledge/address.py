"""Find the address of the shelf, the table of documents: a folder in the vault's cache, or the user's own address.
Nothing is opened here."""

from __future__ import annotations

import os
import re
from pathlib import Path

from memcli.errors import UsageError
from memcli.index.store import Address
from memcli.message import Message
from memcli.vault.vault import Vault

FOLDER = "knowledge"  # a folder in the cache
_SECRET = re.compile(
    r"secret|password|token|signature|credential|(?:api|access|account|master|private)_?key(?!_id)|^key$", re.I
)
_LONG = re.compile(r"[A-Za-z0-9+/=_-]{32,}")  # no region, bucket or host looks like this
_PATIENCE = {"connect_timeout": "4s"}


def address_of(vault: Vault) -> Address:
    """Return the address of this vault's shelf. Raise UsageError when the settings hold a secret."""
    setting = vault.settings.of_feature("knowledge.store").strip()
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", setting):
        if re.match(r"[^/]*//[^/]*@", setting):
            raise UsageError("knowledge.store holds a user or password", "name them in knowledge.options, by $VARIABLE")
        options = _options(vault)
        if options.get("aws_endpoint", options.get("endpoint", "")).startswith("http://"):
            options.setdefault("allow_http", "true")
        return Address(setting.rstrip("/"), tuple(sorted((_PATIENCE | options).items())), None)
    folder = vault.root / Path(os.path.expanduser(setting)) if setting else vault.cache / FOLDER
    return Address(str(folder), (), folder)


def _options(vault: Vault) -> dict[str, str]:
    """Return the options in `name=value name=$VARIABLE`.

    A secret must be in the environment, and the settings have only its variable's name. Raise UsageError otherwise.
    """
    found = {}
    for word in vault.settings.of_feature("knowledge.options").split():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(
                "knowledge.options: '{option}' is not name=value",
                "aws_region=eu-west-1 aws_secret_access_key=$MY_KEY",
                option=word,
            )
        if value.startswith("$"):
            if (there := vault.environ.get(value[1:].strip("{}"))) is None:
                raise UsageError(
                    "knowledge.options: {name} wants {key}, which is not set",
                    f"export {value[1:].strip('{}')}=…",
                    name=name,
                    key=value,
                )
            value = there
        elif _SECRET.search(name) or _LONG.fullmatch(value):
            raise UsageError(
                "knowledge.options: the value of {name} looks like a secret",
                Message("put it into the environment and write {name}=$VARIABLE", name=name),
                name=name,
            )
        found[name] = value
    return found
