"""Keep mirrors: files outside the vault, like CLAUDE.md, in which a section between two marks says what holds now.

The list of these files stands in the user's own data folder, so that a vault from a stranger writes nowhere. Nothing
outside the marks is touched. What a person wrote between them stays there until it is a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memcli.errors import MemError, Refused, UsageError, VaultError
from memcli.features.mirror import handwriting, holds, mirrors
from memcli.features.mirror.mirrors import BUDGET, Mirror
from memcli.message import Message
from memcli.text import tokens
from memcli.text.digest import digest
from memcli.vault import files, opener
from memcli.vault.markdown import MIRROR_BEGIN as BEGIN
from memcli.vault.markdown import MIRROR_END as END
from memcli.vault.vault import Vault

ENDINGS = (".md", ".mdc", ".markdown", ".txt")
NAMES = (".cursorrules", ".windsurfrules", ".clinerules")  # for files without a suffix
FOR_AGENTS = ("claude.md", "claude.local.md", "agents.md", "gemini.md", "copilot-instructions.md")  # agents read these
HEADING = "## What mem remembers"
_TRIES = 3  # an editor may save between reading and writing
_SECTION = re.compile(
    rf"^{re.escape(BEGIN)} (?P<digest>\w*)[^\n]*-->[ \t]*\r?\n(?P<body>.*?)^{re.escape(END)}[ \t]*(?:\r?\n|\Z)",
    re.M | re.S,
)
_MARK = re.compile(rf"^(?:{re.escape(BEGIN)}|{re.escape(END)})", re.M)


class MirrorUpdate(NamedTuple):
    """Hold the result of updating a mirror."""

    mirror: Mirror
    text: str  # the text of its section
    tokens: int
    counts: dict[str, int]
    left_out: int  # lines that did not fit
    offered: tuple[str, ...]  # what a person wrote there, now waiting for mem review
    kept: tuple[str, ...]  # what mem can't learn or was told not to
    changed: bool


class MirrorSection(NamedTuple):
    """Hold the part of a file between the marks, and the lines in it that a person wrote."""

    start: int
    stop: int
    written: tuple[holds.Line, ...]


def mirror_for(vault: Vault, file: Path, project: str | None = None, budget: int | None = None) -> Mirror:
    """Return the mirror for a file, with the settings it already has where none are given.

    Raise Refused when another vault mirrors it or it may not be one.
    """
    place = _place(vault, file)
    if root := mirrors.other_root(vault, str(place)):
        raise Refused(
            "{file} mirrors the vault {root}",
            Message("mem --vault {root} mirror stop {file}", root=root, file=file),
            file=file,
            root=root,
        )
    known = next((each for each in mirrors.mirrors_of(vault) if each.file == str(place)), None)
    named = project if project is not None else known.project if known else _home(place).name
    if budget is None:
        budget = known.budget if known else BUDGET
    if budget < (least := tokens.counter(vault.settings.recall.encoding)(_marked(holds.MirrorLines({})))):
        raise UsageError("a mirror can't have {n} tokens: its frame alone takes {m}", n=budget, m=least)
    return Mirror(str(place), named, budget, known.lines if known else ())


def _place(vault: Vault, file: Path) -> Path:
    place = files.real_path(file)
    if file.is_symlink() and place.parent != files.real_path(file.parent):  # a repository may be a stranger's
        raise Refused(
            "{file} is a link to {place}",
            Message("mem mirror {place} if that is meant", place=place),
            file=file,
            place=place,
        )
    if place.suffix.lower() not in ENDINGS and place.name not in NAMES:
        raise UsageError(
            "{file} is not a file of notes",
            Message("its name ends in {endings}", endings=", ".join(ENDINGS)),
            file=file,
        )
    if place.is_relative_to(vault.root.resolve()) and place.name.lower() not in (*FOR_AGENTS, *NAMES):
        raise Refused(
            "{file} is a note of the vault itself",
            Message("one that agents read is taken: {names}", names=", ".join(FOR_AGENTS)),
            file=file,
        )
    if any(part.lower() in opener.GUARDED for part in place.parts) or not place.parent.is_dir():
        raise UsageError("{file}: no place for a file of notes", "name a file in a folder that is there", file=file)
    return place


def _home(place: Path) -> Path:
    """Return the folder that a file is for: of `.github/copilot-instructions.md` the one above `.github`."""
    return next(folder for folder in place.parents if not folder.name.startswith("."))


def update_mirror(vault: Vault, mirror: Mirror, dry_run: bool = False) -> MirrorUpdate:
    """Update a mirror's file, after offering what was written there by hand. Running it again changes nothing."""
    for _ in range(_TRIES):
        path = Path(mirror.file)
        if path.is_symlink():  # nobody named the file that it leads to
            raise Refused("{file} has become a link", "mem mirror stop, then name what is meant", file=mirror.file)
        before = files.read_or_empty(path, mirror.file)
        section = _section(before.text, mirror)
        given = handwriting.MirrorProposals(section.written)
        if not dry_run:
            given = handwriting.offer_lines(vault, section.written, mirror.project)
        found, used = _found(vault, mirror)
        made = _marked(found, given.stay)
        after = _replace_section(before.text, section, made, before.newline)
        wanted = after != before.text and not dry_run
        if not wanted or files.replace(path, after, before):
            written = tuple(_digest(line) for line in _whole(found.text).split("\n") if line.strip())
            mirror = Mirror(mirror.file, mirror.project, mirror.budget, written)
            if not dry_run and mirror not in mirrors.mirrors_of(vault):
                mirrors.note_mirror(vault, mirror)
            return MirrorUpdate(
                mirror, made, used, found.counts, found.left_out, given.offered, given.kept, after != before.text
            )
    raise Refused("{file} changes again and again", "close it, and run it again", file=mirror.file)


def update_all(vault: Vault, near: str = "") -> None:
    """Update all mirrors, or those that an agent reads who works in the folder `near`. A failure becomes a notice."""
    for mirror in mirrors.mirrors_of(vault):
        path = Path(mirror.file)
        if not path.exists() or (near and _home(path) not in (Path(near), *Path(near).parents)):
            continue  # a deleted file is not created again
        try:
            done = update_mirror(vault, mirror)
        except MemError as error:
            vault.notice("{file} is not in line: {WHY}", file=mirror.file, WHY=error.message)
            continue
        if done.offered:
            vault.notice(
                "{n} written between the marks of {file} by hand: mem review asks",
                n=len(done.offered),
                file=mirror.file,
            )


def mirror_state(vault: Vault, mirror: Mirror) -> str:
    """Return the state of a mirror in words."""
    try:
        if not Path(mirror.file).exists():
            return "gone"
        done = update_mirror(vault, mirror, dry_run=True)
        written = _section(files.read_file(Path(mirror.file), mirror.file).text, mirror).written
    except MemError as error:
        return error.message
    return "written in by hand" if written else "behind" if done.changed else "in line"


def stop_mirror(vault: Vault, file: Path) -> tuple[str, ...]:
    """Remove the section but what a person wrote in it, and forget the file. Return the lines that stay.

    A file that nothing else is left of is removed.
    """
    mirror = next((each for each in mirrors.mirrors_of(vault) if each.file == str(files.real_path(file))), None)
    if mirror is None:
        raise UsageError("{file} is not a mirror of this vault", "mem mirror list", file=file)
    stay: tuple[str, ...] = ()
    if Path(mirror.file).exists():
        before = files.read_file(Path(mirror.file), mirror.file)
        section = _section(before.text, mirror)
        stay = tuple(line for _, line in section.written)
        head, tail = before.text[: section.start], before.text[section.stop :]
        if section.stop > section.start and head.endswith(before.newline * 2):
            head = head[: -len(before.newline)]  # the empty line that mem added above it
        left = head + "".join(f"{line}{before.newline}" for line in stay) + tail
        if not files.replace(Path(mirror.file), left, before):
            raise Refused("{file} has changed meanwhile", "run it again", file=mirror.file)
        if not left:
            files.remove(Path(mirror.file))
    mirrors.note_mirror(vault, mirror, gone=True)
    return stay


def _section(text: str, mirror: Mirror) -> MirrorSection:
    """Return where the section is or would be. Raise VaultError when the marks are not one pair."""
    match = _SECTION.search(text)
    if len(_MARK.findall(text)) != (2 if match else 0):
        raise VaultError(
            "{file}: its marks are not one pair",
            Message("leave one line {begin} … and one {end}", begin=BEGIN, end=END),
            file=mirror.file,
        )
    if not match:
        return MirrorSection(len(text), len(text), ())
    lines = match["body"].replace("\r\n", "\n").split("\n")
    if match["digest"] == _digest("\n".join(lines)):
        return MirrorSection(match.start(), match.end(), ())
    return MirrorSection(match.start(), match.end(), tuple(_written(lines, mirror)))


def _written(lines: list[str], mirror: Mirror) -> Iterator[holds.Line]:
    """Yield the lines that mem did not write, each with its group."""
    group = ""
    for line in lines:
        if line.removesuffix(":") in handwriting.GROUPS:
            group = line.removesuffix(":")
        elif line.strip() and line != HEADING and _digest(line) not in mirror.lines:
            yield group, line


def _found(vault: Vault, mirror: Mirror) -> tuple[holds.MirrorLines, int]:
    """Return what goes between the marks, within the budget, with the tokens of the section."""
    count = tokens.counter(vault.settings.recall.encoding)
    found = holds.current_lines(vault, mirror.project, lambda lines: count(_marked(lines)) <= mirror.budget)
    return found, count(_marked(found))


def _whole(text: str) -> str:
    return f"{HEADING}\n\n{text}\n" if text else f"{HEADING}\n"


def _marked(lines: holds.MirrorLines, written: tuple[holds.Line, ...] = ()) -> str:
    """Return the section with its marks and the lines in it that a person wrote, of which its digest knows nothing."""
    told = "kept by `mem mirror`; what you write between the marks goes to `mem review`"
    return f"{BEGIN} {_digest(_whole(lines.text))} {told} -->\n{_whole(lines.text_with(written))}{END}\n"


def _replace_section(text: str, section: MirrorSection, made: str, newline: str) -> str:
    head = text[: section.start]
    if section.start == section.stop and head:  # a new section gets an empty line above it
        made = ("" if head.endswith("\n") else "\n") + "\n" + made
    return head + made.replace("\n", newline) + text[section.stop :]


def _digest(text: str) -> str:
    return digest(text.strip(), 10)
