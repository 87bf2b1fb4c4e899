"""Documents in pieces: a section a piece, tiny ones together, long ones in runs of paragraphs, each with its trail.

The limit is what a piece may have, not what it should have. Of 40 long texts without headings and 736 questions, the
first 500 tokens found held the evidence of 81 % (English; Chinese 83) when pieces had 200 tokens, of 71 (77) at 400
and of 1 (5) at 2000. Embedding models read 256 to 512. Only code and tables are let grow to the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from memcli.index.texts import spans
from memcli.knowledge.documents import KnowledgeDocument, Piece
from memcli.text import tokens
from memcli.vault import markdown

MOST, OVERLAP = 2000, 200  # tokens of a piece, and what it may share with the one before
SETTING = 300  # tokens of a piece of a document that sets a scene: who plays whom, how a world is
SCENES = frozenset({"setting", "world", "role", "character", "设定", "世界观", "角色", "人物"})  # its types
GOOD, STILL_GOOD = 200, 300  # tokens of a piece of a long section, and of a section that is not cut yet
TINY = 40  # a section below that goes with the next one of the same parent
SHARED = 8  # one part in so many of a piece may be shared with the one before
SEEN = 6  # characters in common at which two pieces are taken to overlap, or a short sentence

Section = tuple[tuple[str, ...], int, int, int]  # trail, line, start, stop


def pieces(document: KnowledgeDocument, most: int = MOST, overlap: int = OVERLAP) -> list[Piece]:
    """All of a document, in order; no piece has more than `most` tokens, or 300 where it sets a scene."""
    most = min(most, SETTING) if document.type.lower() in SCENES else most
    overlap = min(overlap, most // 10)
    found: list[Piece] = []
    for trail, line, start, stop in _joined(document.text):
        section = document.text[start:stop]
        for begin, end in _spans(section, most, overlap):
            text = section[begin:end].rstrip()
            if not text:
                continue
            begin += len(text) - len(text := text.lstrip("\n"))
            at = document.line + line - 1 + section.count("\n", 0, begin)
            found.append(Piece(len(found), at, " > ".join(trail), text, _size(text, most)))
    return found


def stitched(texts: Sequence[str]) -> str:
    """Pieces that follow one another as one text again: what two of them share stands once, and what the text itself
    says again stays, because no more is taken to be shared than was shared."""
    whole = texts[0] if texts else ""
    for before, text in pairwise(texts):
        room = GOOD // SHARED if tokens.about(before) <= 2 * STILL_GOOD else OVERLAP
        sizes = range(min(len(before), len(text)), 1, -1)
        shared = next((size for size in sizes if _is_shared(before, text, size, room)), 0)
        whole += text[shared:] if shared else "\n\n" + text
    return whole


def _is_shared(before: str, text: str, size: int, room: int) -> bool:
    if text[0] != before[-size] or not before.endswith(text[:size]):
        return False
    return (size >= SEEN or text[size - 1] in ".!?。！？") and tokens.about(text[:size]) <= room


def _sections(text: str) -> Iterator[Section]:
    """From heading to heading, each with the headings it stands under, its own included."""
    trail: list[tuple[int, str]] = []
    start, line = 0, 1
    for block in markdown.blocks(text):
        if block.kind == markdown.HEADING and block.title:
            if block.start > start:
                yield tuple(title for _, title in trail), line, start, block.start
            trail = [each for each in trail if each[0] < block.level] + [(block.level, block.title)]
            start, line = block.start, block.line
    if start < len(text):
        yield tuple(title for _, title in trail), line, start, len(text)


def _joined(text: str) -> Iterator[Section]:
    """Tiny sections go with the next one, if that stands below them or beside them under one parent; a heading with
    nothing under it always goes with what is below it."""
    held: Section | None = None
    for section in _sections(text):
        if held is None:
            held = section
            continue
        (above, line, start, end), (trail, _, _, stop) = held, section
        below = trail[: len(above)] == above != ()
        beside = trail[:-1] == above[:-1] != ()
        size = tokens.about(text[start:end])
        if below and "\n" not in text[start:end].strip():
            held = trail, line, start, stop
        elif (below or beside) and size < TINY and size + tokens.about(text[end:stop]) <= STILL_GOOD:
            held = above if below else trail[:-1], line, start, stop
        else:
            yield held
            held = section
    if held:
        yield held


def _spans(section: str, most: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Where a section is cut: by estimate where it should be, by counting where it must be."""
    cuts = [(0, len(section))]
    if tokens.about(section) > min(most, STILL_GOOD):
        good = min(most, GOOD)
        cuts = spans(section, good, min(overlap, good // SHARED), tokens.about, whole=most)
        if len(cuts) > 1 and "\n" not in section[: cuts[0][1]].strip() and _size(section[: cuts[1][1]], most) <= most:
            cuts[:2] = [(0, cuts[1][1])]  # a heading does not stand alone above its code
    for start, stop in cuts:
        if _size(section[start:stop], most) <= most:
            yield start, stop
        else:
            finer = spans(section[start:stop], most, min(overlap, most // SHARED))
            yield from ((start + begin, start + end) for begin, end in finer)


def _size(text: str, most: int) -> int:
    """Tokens, counted only if the bytes do not prove already that they are at most so many."""
    return tokens.about(text) if len(text.encode("utf-8", "replace")) <= most else tokens.count(text)
