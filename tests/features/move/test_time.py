"""Every import format takes the same time for each character, and one item that fails does not stop the rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.features.move.archives import open_tree
from memcli.features.move.formats import FORMATS, load, nothing
from memcli.format import Page, UnreadableItem

SMALL, LARGE = 4000, 24_000  # characters
MORE = 18.0  # times the small one that the large one, of six times its size, may take; the square would be 36
# What never ends, in the files that each format reads.
PIECES: dict[str, tuple[str, ...]] = {
    "a.enex": (
        "<note>", "<note><title>", "<note></note>", "<note><resource>", "<note><content><![CDATA[<en-media </note>", "<tag>",
    ),
    "a.html": ("<body>", "<script>", "<img src='data:image/png;base64,", "<input ", "<li --en-checked:"),
    "a.md": ("[", "[a](", "![[", "#a ", "---\n", "- ", "<user_query>", "<a ", "> "),
    "a.org": ("[[", "[[a][", "<2026-11-20 ", "* TODO ", ":LOGBOOK:\n", "#+begin_src\n"),
    "a.csv": ('"', "a,", "\n", "text\n"),
    "a.txt": ("User: ", "[", "\n\n"),
    "a.json": ("[", '{"a":', '[{"text": "x"},', '"'),
    "a.jsonl": ('{"text": "x"}\n', "{", '"'),
}  # fmt: skip
READABLE = [name for name in FORMATS if load(name).read is not nothing]


def seconds(folder: Path, file: str, text: str) -> float:
    """Return the time of this process that all formats take together, the lesser of two."""
    (folder / file).write_text(text, encoding="utf-8")
    taken = []
    for _ in range(2):
        begun = time.process_time()
        for name in READABLE:
            for _ in load(name).read(open_tree(folder / file)):
                pass
        taken.append(time.process_time() - begun)
    return max(min(taken), 0.01)


@pytest.mark.slow
@pytest.mark.parametrize("file", PIECES)
def test_what_never_ends_takes_as_long_as_it_is(tmp_path: Path, file: str) -> None:
    for piece in PIECES[file]:
        small, large = (piece * (size // len(piece)) for size in (SMALL, LARGE))
        seconds(tmp_path, file, small)  # what is loaded once
        assert seconds(tmp_path, file, large) / seconds(tmp_path, file, small) < MORE, piece


def test_a_file_of_evernote_that_comes_in_pieces_is_read_whole(tmp_path: Path) -> None:
    notes = [f"<note><title>n{n}</title><content>{'x' * 300_000} end{n}</content></note>" for n in range(9)]
    (tmp_path / "a.enex").write_text(f"<en-export>{''.join(notes)}</en-export>", encoding="utf-8")
    pages = [item for item in load("evernote").read(open_tree(tmp_path / "a.enex")) if isinstance(item, Page)]
    assert [page.text.split()[-1] for page in pages] == [f"end{n}" for n in range(9)]


DEEP = "<div>" * 5000 + "deep" + "</div>" * 5000


def evernote(folder: Path) -> str:
    notes = (f"<note><title>{title}</title><content>{text}</content></note>" for title, text in TEXTS.items())
    (folder / "a.enex").write_text("".join(notes), encoding="utf-8")
    return "evernote"


def pages(folder: Path) -> str:
    for title, text in TEXTS.items():
        (folder / f"{title}.html").write_text(text, encoding="utf-8")
    return "markdown"


TEXTS = {"first": "<p>one</p>", "nested": DEEP, "last": "<p>two</p>"}


@pytest.mark.parametrize("lay", [evernote, pages])
def test_a_nested_page_is_named_and_the_rest_is_brought(tmp_path: Path, lay: Callable[[Path], str]) -> None:
    format = lay(tmp_path)
    items = list(load(format).read(open_tree(tmp_path)))
    assert sum(isinstance(item, Page) for item in items) == 2
    (unread,) = [item for item in items if isinstance(item, UnreadableItem)]
    assert "nested" in unread.name and "too deep" in unread.why
