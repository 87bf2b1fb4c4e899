"""Put the pages that lie above docs/ (CHANGELOG and its like) into the site, and lead links to them there.

A hook of MkDocs, named in mkdocs.yml. A link to another file above docs/ has no page on the site: its words stay.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
ABOVE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "reporting.md"}


def on_files(files: Files, config: Any) -> Files:
    for name, page in ABOVE.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=_with_links(text, "")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return _with_links(markdown, "../")


def _with_links(text: str, above: str) -> str:
    """The text with its links to files above docs/ led to their pages, or taken away where there is none."""

    def led(found: re.Match[str]) -> str:
        name, _, anchor = found[2].partition("#")
        if name in ABOVE:
            return f"[{found[1]}]({ABOVE[name]}{'#' + anchor if anchor else ''})"
        return found[1] if (ROOT / name).exists() else found[0]

    return re.sub(rf"\[([^\]]+)\]\({re.escape(above)}([^):/#][^):]*)\)", led, text)
