"""Which memories a server speaks for, fixed when it starts: by looks at folders, without opening anything."""

from __future__ import annotations

import os

from memcli.vault import discover

TYPE_CHECKING = False  # spares every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Mapping

SCOPES = ("project", "user", "both")
PROJECT, USER = "project", "user"
_SHELF = os.path.join(discover.CACHE, "knowledge", "index.db")  # what `mem knowledge add` leaves in any case


def found(scope: str, given: str | None, environ: Mapping[str, str], here: str) -> list[tuple[str, str]]:
    """Whose memory and its folder, the project's first. Without a scope it is the one that any command would take."""
    if not scope:
        root = discover.find(given, environ, here)
        return [(PROJECT, root)] if root else []
    project = discover.named(given, here) or discover.nearest(here)
    user = discover.named(environ.get("MEM_VAULT"), here) or discover.own(environ)
    wanted = {PROJECT: (PROJECT,), USER: (USER,)}.get(scope, (PROJECT, USER))
    homes = [(owner, root) for owner, root in ((PROJECT, project), (USER, user)) if root and owner in wanted]
    return homes[:1] if len(homes) == 2 and _are_one(homes[0][1], homes[1][1]) else homes


def have_documents(homes: list[tuple[str, str]]) -> bool:
    """Whether there is anything on the shelf of any of them."""
    return any(os.path.exists(os.path.join(root, _SHELF)) for _, root in homes)


def _are_one(first: str, second: str) -> bool:
    return os.path.realpath(first) == os.path.realpath(second)
