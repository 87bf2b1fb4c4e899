"""Handle images and files that notes name: copy them along, link to them, or leave them out."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from urllib.parse import unquote

from memcli.file_tree import Tree
from memcli.format import Attachment, Format, Page

COPY, LINK, LEAVE = WAYS = ("copy", "link", "leave")
_LINK = re.compile(r"(!?\[[^\]\n]{0,400}\]\()(?:<([^<>\n]+)>|([^\s()<>]+))((?:\s+\"[^\"\n]*\")?\))")
_EMBED = re.compile(r"!\[\[([^\[\]|#\n]+)(?:\|[^\[\]\n]*)?\]\]")


class AttachmentLinks:
    """Link attachments that are separate files on this machine.

    One in an archive, or packed into a note, can't be linked and is copied.
    """

    def __init__(self, format: Format, tree: Tree) -> None:
        items = [item for item in format.read(tree) if isinstance(item, Attachment) and not item.data]
        self.places = {item.path: place.as_uri() for item in items if (place := tree.lies_at(item.name))}
        self._by_name = {path.rpartition("/")[2].casefold(): path for path in reversed(self.places)}

    def page(self, item: Page) -> Page:
        """Return a note whose links lead to the files themselves."""
        folder = posixpath.dirname(item.path)

        def link(match: re.Match[str]) -> str:
            named = unquote(match[2] or match[3])
            place = self.places.get(posixpath.normpath(posixpath.join(folder, named)))
            return f"{match[1]}{place}{match[4]}" if place else match[0]

        def embed(match: re.Match[str]) -> str:
            named = match[1].strip()
            path = named if named in self.places else self._by_name.get(named.rpartition("/")[2].casefold(), "")
            return f"![{posixpath.basename(named)}]({self.places[path]})" if path else match[0]

        return replace(item, text=_EMBED.sub(embed, _LINK.sub(link, item.text)))
