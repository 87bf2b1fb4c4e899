"""Read the files in `roles/`. `features/talk/prompt/roles.py` checks whether a role's content is valid."""

from __future__ import annotations

from typing import Any

from memcli.errors import MemError, NotFound, Refused
from memcli.message import Message
from memcli.text.later import compile_later
from memcli.vault import files, yaml_read
from memcli.vault.vault import Vault

FOLDER = "roles"
KEYS = ("version", "identity", "tone", "boundaries")
LONGEST = 6000  # characters; a longer file is not a role
_NAME = compile_later(r"[^\W_][\w.-]*")


def read_role_file(vault: Vault, name: str) -> dict[str, Any]:
    """Return all that the file of a role says, which must not be a link to another place."""
    if not _NAME.fullmatch(name):
        raise NotFound("a role is a file in roles/, and this is not a name of one")
    path = next((p for end in ("yaml", "yml") if (p := f"{FOLDER}/{name}.{end}") and (vault.root / p).exists()), "")
    if not path:
        raise NotFound(Message("there is no {place}", place=f"{FOLDER}/{name}.yaml"))
    real = files.inside(vault.root, path)
    if not real.is_relative_to((vault.root / FOLDER).resolve()):
        raise Refused("{path} is a link to a file outside {folder}/", path=path, folder=FOLDER)
    return yaml_read.mapping(files.read_file(real, path).text, path)


def stored_role(vault: Vault, name: str) -> dict[str, Any]:
    """Return the role that a session stores, so that an edit counts from the next one on, or {} if it is not valid."""
    try:
        content = read_role_file(vault, name)
    except MemError:
        return {}
    return content if content.keys() == {*KEYS} and len(repr(content)) <= LONGEST else {}
