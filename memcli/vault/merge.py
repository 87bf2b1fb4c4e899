"""Merge a file that two machines changed, entry by entry: Markdown by blocks, YAML by records.

The result has what either side added, and lacks what either side removed. Where both sides changed the same entry
differently, no rule can decide: that raises `Contradiction`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import pairwise

from memcli.errors import MemError
from memcli.text.clean import one_line
from memcli.vault import edit, markdown, merge_values, yaml_edit, yaml_read
from memcli.vault.entries import Entry
from memcli.vault.merge_values import Contradiction

MARKDOWN, YAML = (".md", ".markdown"), (".yaml", ".yml")
ALIKE = 0.6  # from this similarity on a block counts as a rewording of the one in its place
MOST_COMPARED = 10_000  # pairs of blocks in one place; with more pairs, no block counts as a rewording
MOST_REPEATED = 1_000_000  # times that pieces of one side may be found on the other
LONGEST = 400  # characters of a block that are compared for likeness
_NOTHING = "\0"  # marks a piece that a side removed


@dataclass(frozen=True)
class MergePiece:
    """Hold a block or record, with the white space below it. Two pieces of the same name are versions of each other."""

    text: str
    below: str = ""
    kind: str = ""
    name: str = ""  # "" means that its text identifies it

    @property
    def called(self) -> str:
        return self.name or self.text


@dataclass(frozen=True)
class _Side:
    """Hold the changes of one side to the pieces of the base."""

    # number in the base → the piece as it is now; an absent number was removed
    kept: dict[int, MergePiece] = field(default_factory=dict)
    # number in the base of the piece that they precede → the new pieces
    added: dict[int, Pieces] = field(default_factory=lambda: defaultdict(list))


Pieces = list[MergePiece]
Settle = Callable[[str, MergePiece, MergePiece], str]  # (text in the base, one side's, the other's) → the text for both


def is_mergeable(path: str) -> bool:
    return path.endswith(MARKDOWN + YAML)


def merge_texts(path: str, base: str, our_text: str, their_text: str) -> str:
    """Return the text with the changes of both sides, ours first where both added something in one place."""
    newline, mark = markdown.newline_of(our_text), "\ufeff" if our_text.startswith("\ufeff") else ""
    plain = [text.removeprefix("\ufeff").replace("\r\n", "\n") for text in (base, our_text, their_text)]
    cut, settle = (_blocks, _settle_block) if path.endswith(MARKDOWN) else (_records, _settle_record)
    try:
        before, ours, theirs = ([*cut(text)] for text in plain)
        pieces = _merge_pieces(before, ours, theirs, settle)
        result = "".join(piece.text + piece.below for piece in pieces)
        same = [piece.text for piece in cut(result)] == [piece.text for piece in pieces]
    except MemError:  # broken YAML, or a list where the other side has a mapping
        same = False
    if not same:  # an unclosed fence or comment would swallow the blocks below it
        raise Contradiction
    return mark + result.replace("\n", newline)


# -- pieces of two sides -----------------------------------------------------------------------------------------------


def _merge_pieces(base: Pieces, one: Pieces, other: Pieces, settle: Settle) -> Pieces:
    ours, theirs = _compare_with_base(base, one), _compare_with_base(base, other)
    _merge_named(ours, theirs, settle)
    _merge_moves(base, ours, theirs)
    pieces: Pieces = []
    for at, was in enumerate([*base, None]):
        pieces += _interleave(ours.added[at], theirs.added[at])
        if was and (now := _settle_piece(was, ours.kept.get(at), theirs.kept.get(at), settle)):
            pieces.append(now)
    ends = [piece if piece.below else replace(piece, below="\n") for piece in pieces[:-1]]
    return [*ends, *pieces[-1:]]


def _compare_with_base(base: Pieces, now: Pieces) -> _Side:
    side = _Side()
    for tag, first, last, start, stop in _find_steps(base, now):
        old, new = range(first, last), range(start, stop)
        pairs = list(zip(old, new, strict=True) if tag == "equal" else _pair_rewordings(base, now, old, new))
        at = start
        for number, place in [*pairs, (last, stop)]:
            side.added[number] += now[at:place]
            if place < stop:
                side.kept[number] = now[place]
            at = place + 1
    return side


def _find_steps(old: Sequence[MergePiece], new: Sequence[MergePiece]) -> list[tuple[str, int, int, int, int]]:
    """Return difflib's opcodes from one row of pieces to another, unless so much repeats that it would take too
    long."""
    names, others = ([piece.called for piece in side] for side in (old, new))
    often = Counter(others)
    if sum(count * often[name] for name, count in Counter(names).items()) > MOST_REPEATED:
        raise Contradiction
    return list(SequenceMatcher(None, names, others, autojunk=False).get_opcodes())


def _pair_rewordings(base: Pieces, now: Pieces, old: range, new: range) -> Iterator[tuple[int, int]]:
    """Yield pairs of rewordings in one place: pieces that are alike, and as many old as new ones between, in order."""
    if len(old) * len(new) > MOST_COMPARED:
        return
    first, start = old.start, new.start
    for number, place in [*_pair_alike(base, now, old, new), (old.stop, new.stop)]:
        if number - first == place - start:
            between = zip(range(first, number), range(start, place), strict=True)
            yield from (pair for pair in between if _may_pair(base[pair[0]], now[pair[1]]))
        if number < old.stop:
            yield number, place
        first, start = number + 1, place + 1


def _pair_alike(base: Pieces, now: Pieces, old: range, new: range) -> list[tuple[int, int]]:
    """Return pairs of pieces that are alike, in order; those that are most alike count first."""
    may = ((number, place) for number in old for place in new if _may_pair(base[number], now[place]))
    alike = [(likeness, *pair) for pair in may if (likeness := _measure_likeness(base[pair[0]], now[pair[1]])) >= ALIKE]
    found: list[tuple[int, int]] = []
    for _, number, place in sorted(alike, key=lambda each: -each[0]):
        if all((number < n and place < p) or (number > n and place > p) for n, p in found):
            found.append((number, place))
    return sorted(found)


def _may_pair(was: MergePiece, is_now: MergePiece) -> bool:
    return was.kind == is_now.kind and not (was.name or is_now.name)


def _measure_likeness(first: MergePiece, second: MergePiece) -> float:
    """Return how alike two pieces are, from 0 to 1; below `ALIKE` it may be 0."""
    matcher = SequenceMatcher(None, first.text[:LONGEST], second.text[:LONGEST], autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


def _merge_named(ours: _Side, theirs: _Side, settle: Settle) -> None:
    """Merge the pieces that both sides added under the same name, wherever they stand, into one."""
    named = {
        piece.name: (pieces, at) for pieces in ours.added.values() for at, piece in enumerate(pieces) if piece.name
    }
    for pieces in theirs.added.values():
        for piece in [each for each in pieces if each.name in named]:
            mine, at = named[piece.name]
            if now := _settle_piece(MergePiece(_NOTHING), mine[at], piece, settle):
                mine[at] = now
            pieces.remove(piece)


def _merge_moves(base: Pieces, ours: _Side, theirs: _Side) -> None:
    """Drop pieces that one side only moved and the other removed, and one of two where both moved a piece."""
    sides = (ours.kept, theirs.kept)
    gone = {was.text for at, was in enumerate(base) if was.kind != markdown.HEADING and not any(at in k for k in sides)}
    in_both = {piece.text for new in theirs.added.values() for piece in new if piece.text in gone}
    for side, dropped in ((ours, gone - in_both), (theirs, gone)):
        for new in side.added.values():
            new[:] = [piece for piece in new if piece.text not in dropped]


def _interleave(ours: Sequence[MergePiece], theirs: Sequence[MergePiece]) -> Pieces:
    """Return the pieces that both sides added in one place. Shared pieces appear once, above all headings; between them
    ours come first."""
    runs: list[Sequence[MergePiece]] = []
    for tag, first, last, start, stop in _find_steps(ours, theirs):
        runs += [ours[first:last], *([theirs[start:stop]] if tag != "equal" else [])]
    runs = [run for run in runs if run]
    woven: Pieces = []
    for run, following in pairwise([*runs, ()]):
        end = run[-1]
        if following and end.kind == following[0].kind == markdown.ITEM:  # keep a list one list, without blank lines
            end = replace(end, below="\n")
        elif following and end.kind and "\n\n" not in end.below:
            end = replace(end, below="\n\n")
        woven += [*run[:-1], end]
    return woven


def _settle_piece(
    was: MergePiece, ours: MergePiece | None, theirs: MergePiece | None, settle: Settle
) -> MergePiece | None:
    """Return the merged piece, or None when it is gone."""
    mine, others = (side.text if side else _NOTHING for side in (ours, theirs))
    if ours and theirs:
        below = ours.below if ours.below != was.below else theirs.below
        if mine != others and was.text not in (mine, others):
            try:
                return replace(ours, text=settle(was.text.replace(_NOTHING, ""), ours, theirs), below=below)
            except Contradiction as error:
                raise Contradiction(str(error) or _shown(was.text.strip(_NOTHING) or mine)) from None
        return replace(ours if mine != was.text else theirs, below=below)
    if {mine, others} <= {was.text, _NOTHING}:
        return None
    left = ours or theirs
    if left and _measure_likeness(was, left) < ALIKE:  # this side removed it, too, and put something else in its place
        return left
    raise Contradiction(_shown(was.text))  # changed on one side, removed on the other


def _shown(words: str) -> str:
    return one_line(words.lstrip("-*+ "), 60)


# -- Markdown ----------------------------------------------------------------------------------------------------------


def _blocks(text: str) -> Iterator[MergePiece]:
    """Yield the blocks, each with the blank lines below it."""
    last: MergePiece | None = None
    for block in markdown.blocks(text):
        if block.kind == markdown.BLANK and last:
            last = replace(last, below=last.below + block.text)
            continue
        if last:
            yield last
        words = block.text.rstrip("\n")
        mark = Entry("", "", 1, 1, 0, 0, words).block_id if block.kind == markdown.ITEM else None
        name = "---" if block.kind == markdown.FRONT else f"^{mark}" if mark else ""
        last = MergePiece(words, block.text[len(words) :], block.kind, name)
    if last:
        yield last


def _settle_block(was: str, one: MergePiece, other: MergePiece) -> str:
    if one.kind == markdown.FRONT:
        lines = ("\n".join(text.split("\n")[1:-1]) + "\n" for text in (was, one.text, other.text))
        return f"---\n{merge_texts('front.yaml', *lines)}---"
    return _settle_entry(was, one.text, other.text)


def _settle_entry(was: str, *sides: str) -> str:
    """Return the entry with the fields of both sides, as when both saw it again; only one side may change words."""
    before, one, other = (Entry("", "", 1, 1, 0, 0, text) for text in (was, *sides))
    says = [(entry.words, entry.task) for entry in (before, one, other)]
    merge_values.merge_value("", *says)
    chosen = other if says[1] == says[0] else one
    fields = merge_values.merge_value("", before.fields, one.fields, other.fields)
    if set(chosen.fields) - set(fields):
        raise Contradiction
    changed = {name: value for name, value in fields.items() if chosen.fields.get(name) != value}
    return edit.with_fields(chosen.raw, **changed)


# -- YAML --------------------------------------------------------------------------------------------------------------


def _records(text: str) -> Iterator[MergePiece]:
    """Yield the records of a list or keys of a mapping, and comments between, each with the blank lines below it."""
    value, spans = yaml_read.load(text, ""), yaml_edit.spans_of(text)
    if value and not (isinstance(value, (list, dict)) and len(value) == len(spans)):  # a bare word, or in brackets
        raise Contradiction
    chunks: list[tuple[str, str]] = []  # pairs of name and text
    at = 0
    for (start, stop), each in zip(spans, value or (), strict=True):
        chunks += [("", text[at:start]), (merge_values.name_of(each), text[start:stop])]
        at = stop
    last = MergePiece("")
    for name, chunk in [*chunks, ("", text[at:])]:
        words = chunk.strip("\n")
        above, below = chunk[: len(chunk) - len(chunk.lstrip("\n"))], chunk[len(chunk.rstrip("\n")) :]
        last = replace(last, below=last.below + above)
        if words:
            yield from [last] if last.text else []
            last = MergePiece(words, below, name=name)
    yield from [last] if last.text else []


def _settle_record(was: str, one: MergePiece, other: MergePiece) -> str:
    if not one.name:  # comments have no name
        raise Contradiction
    values = [yaml_read.load(text, "") for text in (was, one.text, other.text)]
    before, *sides = (value[0] if isinstance(value, list) and value else value for value in values)
    now = merge_values.merge_value("", before or {}, *sides)
    settled = yaml_edit.change_pieces(one.text + "\n", "", {0: lambda piece: merge_values.put_into(piece, now)})
    return settled.rstrip("\n")
