"""Make links that open a file at a line in the person's editor, for editors that register such links."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

LINKS = {
    "code": "vscode://file{path}:{line}",
    "code-insiders": "vscode-insiders://file{path}:{line}",
    "codium": "vscodium://file{path}:{line}",
    "cursor": "cursor://file{path}:{line}",
    "zed": "zed://file{path}:{line}",
    "subl": "subl://open?url=file://{path}&line={line}",
    "mate": "txmt://open?url=file://{path}&line={line}",
    "mvim": "mvim://open?url=file://{path}&line={line}",
    "idea": "idea://open?file={path}&line={line}",
    "pycharm": "pycharm://open?file={path}&line={line}",
}
_ALSO = {"vscode": "code", "vscodium": "codium", "sublime": "subl", "textmate": "mate"}


def known(name: str) -> str:
    """Return the editor that a name or a command means, or "" if it has no links."""
    stem = Path(name.split()[0]).stem.lower() if name.strip() else ""
    stem = _ALSO.get(stem, stem)
    return stem if stem in LINKS else ""


def of_environment(environ: Mapping[str, str]) -> str:
    return known(environ.get("VISUAL", "")) or known(environ.get("EDITOR", ""))


def link(editor: str, root: Path, path: str, line: int) -> str:
    """Return the link to a line in the editor, or "" without an editor."""
    if not editor:
        return ""
    place = "/" + (root / path).as_posix().lstrip("/")
    return LINKS[editor].format(path=quote(place), line=line)
