"""Find the vaults that a server serves. They are fixed when it starts. Only the existence of folders is checked; no
file is opened."""

from __future__ import annotations

import os

from memcli.vault import discover

TYPE_CHECKING = False  # spares every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Mapping

SCOPES = ("project", "user", "both")
PROJECT, USER = "project", "user"


def find_homes(scope: str, given: str | None, environ: Mapping[str, str], here: str) -> list[tuple[str, str]]:
    """Return the owners and folders of the memories, the project's first. Without a scope, return the one vault that
    any command would take."""
    if not scope:
        root = discover.find_vault(given, environ, here)
        return [(PROJECT, root)] if root else []
    project = discover.named(given, here) or discover.nearest(here)
    user = discover.named(environ.get("MEM_VAULT"), here) or discover.own(environ)
    wanted = {PROJECT: (PROJECT,), USER: (USER,)}.get(scope, (PROJECT, USER))
    homes = [(owner, root) for owner, root in ((PROJECT, project), (USER, user)) if root and owner in wanted]
    return homes[:1] if len({os.path.realpath(root) for _, root in homes}) == 1 else homes
