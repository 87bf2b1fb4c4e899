"""Cut documents into pieces: one for a section, tiny sections together, long ones by paragraphs, each with its trail.

Without a limit from the user a piece is smaller than it may be. Of 40 long texts without headings and 736 questions,
the first 500 tokens found held the evidence of 81 % (English; Chinese 83) when pieces had 200 tokens, of 71 (77) at 400
and of 1 (5) at 2000. Embedding models read 256 to 512. Only code and tables may then grow to 2000.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memcli.evidence import SCENES
from memcli.features.knowledge.documents import DocumentPiece, KnowledgeDocument
from memcli.index.texts import Count, spans
from memcli.text import tokens
from memcli.text.stitch import LEAST_SHARED, OVERLAP
from memcli.vault import markdown

MOST = 2000  # tokens of a piece
SETTING = 300  # tokens of a piece of a document that sets a scene: roles, a fictional world
GOOD, STILL_GOOD = 200, 300  # tokens of a piece of a long section, and of a section that is not cut yet
TINY = 40  # tokens; a smaller section is joined with the next one of the same parent
SHARED = 10  # two pieces share one part in so many of a limit that the user set

Section = tuple[tuple[str, ...], int, int, int]  # trail, line, start, stop


@dataclass(frozen=True)
class Sizes:
    """Hold sizes in tokens: the target of a piece, the largest section left whole, the limit of code and tables, the
    overlap."""

    good: int
    still_good: int
    most: int
    overlap: int
    count: Count

    @staticmethod
    def for_limit(limit: int, type: str) -> Sizes:
        """Return the sizes for the user's limit, or the measured ones when there is none.

        Documents about roles or a fictional world are cut smaller.
        """
        most = min(limit or MOST, SETTING) if type.lower() in SCENES else limit or MOST
        if not limit:
            return Sizes(GOOD, STILL_GOOD, most, OVERLAP, tokens.estimate)
        return Sizes(most, most, most, max(most // SHARED, min(LEAST_SHARED, most // 4)), tokens.count)


def cut_pieces(document: KnowledgeDocument, limit: int = 0) -> list[DocumentPiece]:
    """Return all pieces of a document, in order.

    No piece has more tokens than the limit, or than 300 in a document about roles or a fictional world.
    """
    sizes = Sizes.for_limit(limit, document.type)
    found: list[DocumentPiece] = []
    for trail, line, start, stop in _joined(document.text, sizes.still_good):
        section = document.text[start:stop]
        for begin, end in _spans(section, sizes):
            text = section[begin:end].rstrip()
            if not text:
                continue
            begin += len(text) - len(text := text.lstrip("\n"))
            at = document.line + line - 1 + section.count("\n", 0, begin)
            found.append(DocumentPiece(len(found), at, " > ".join(trail), text, _size(text, sizes.most)))
    return found


def _sections(text: str) -> Iterator[Section]:
    """Yield each section, from heading to heading, with the headings above it and its own."""
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


def _joined(text: str, most: int) -> Iterator[Section]:
    """Yield the sections, with tiny ones joined to the next if that stands below them, or beside them under one parent.

    A heading without text is always joined with what is below it.
    """
    pending: Section | None = None
    for section in _sections(text):
        if pending is None:
            pending = section
            continue
        (above, line, start, end), (trail, _, _, stop) = pending, section
        below = trail[: len(above)] == above != ()
        beside = trail[:-1] == above[:-1] != ()
        size = tokens.estimate(text[start:end])
        if below and "\n" not in text[start:end].strip():
            pending = trail, line, start, stop
        elif (below or beside) and size < TINY and size + tokens.estimate(text[end:stop]) <= most:
            pending = above if below else trail[:-1], line, start, stop
        else:
            yield pending
            pending = section
    if pending:
        yield pending


def _spans(section: str, sizes: Sizes) -> Iterator[tuple[int, int]]:
    """Yield where a section is cut. Tokens are estimated for the aim and counted for the limit."""
    cuts = [(0, len(section))]
    most = sizes.most
    if tokens.estimate(section) > min(most, sizes.still_good):
        cuts = spans(section, min(sizes.good, most), sizes.overlap, sizes.count, whole=most)
        if len(cuts) > 1 and "\n" not in section[: cuts[0][1]].strip() and _size(section[: cuts[1][1]], most) <= most:
            cuts[:2] = [(0, cuts[1][1])]  # a heading does not stand alone above its code
    for start, stop in cuts:
        if _size(section[start:stop], most) <= most:
            yield start, stop
        else:
            finer = spans(section[start:stop], most, sizes.overlap)
            yield from ((start + begin, start + end) for begin, end in finer)


def _size(text: str, most: int) -> int:
    """Return the number of tokens.

    They are counted only when the number of bytes does not prove that there are at most `most`.
    """
    return tokens.estimate(text) if len(text.encode("utf-8", "replace")) <= most else tokens.count(text)
