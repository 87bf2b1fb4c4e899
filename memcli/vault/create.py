"""Create a vault from `templates/` with the answers of the first interview. Existing files are never overwritten."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from importlib.resources import files as package_files
from pathlib import Path

from memcli import contributions
from memcli.errors import MissingPart, Refused
from memcli.message import Message
from memcli.text.messages import table_language, translated
from memcli.vault import files, layout, settings, trust
from memcli.vault.adopt import ExistingNotes, find_notes
from memcli.vault.git import program
from memcli.vault.git.commit import commit
from memcli.vault.git.repository import is_repository

# These settings are the ones people change in a new vault, in the order in which they are listed.
CHANGED = (
    "recall.budget", "index.model", "write.log", "write.commit", "gates.email", "gates.phone", "llm.command", "llm.url",
    "llm.model", "nudge.most", "nudge.quiet",
)  # fmt: skip
# packaging loses hidden files, so the templates have names without a dot
_DOTTED = {"gitignore": ".gitignore", "gitattributes": ".gitattributes"}


@dataclass(frozen=True)
class Answers:
    """Hold the answers of the interview. Every answer may be empty."""

    name: str = ""
    occupation: str = ""
    interests: tuple[str, ...] = ()
    language: str = ""
    home: str = ""
    work: str = ""
    response_length: str = ""
    city: str = ""


@dataclass(frozen=True)
class CreateResult:
    """Report what `create_vault` did: files it wrote, files that existed already, and what became of the repository."""

    root: Path
    written: tuple[str, ...]
    kept: tuple[str, ...]
    repository: str = ""  # "new", "there" (it existed already), or ""
    notice: str = ""
    adopted: ExistingNotes | None = None  # set when the folder held notes already


def templates() -> Path:
    """Return the folder with the templates: inside the installed package, or beside it in a checkout."""
    shipped = Path(str(package_files("memcli"))) / "templates"
    return shipped if shipped.is_dir() else shipped.parent.parent / "templates"


def create_vault(
    root: Path, answers: Answers, now: datetime, environ: Mapping[str, str], repository: bool | None = None
) -> CreateResult:
    """Make `root` a vault and report what was done. Run again, it adds what is missing.

    A folder that already holds notes is adopted: it gets settings and the files that hold an answer, and nothing
    else, however often this runs. It becomes a repository only when the caller asks for that.
    """
    files.make_folder(root)
    written, kept = [], []
    chinese = table_language(answers.language) == "zh"
    texts = list(_texts(answers, now.date(), chinese))
    # A vault that was made here has most of the files that no use writes, whatever was deleted since; an adopted one
    # has few.
    usual = [name for name, _ in texts if name.endswith(".md") or "/" in name or name == "tags.yaml"]
    notes = None if sum((root / name).exists() for name in usual) * 2 > len(usual) else find_notes(root)
    if notes and (root / layout.CONFIG).exists():
        notes = replace(notes, log="")  # its settings say that now
    for name, text in _adopting(notes, answers, now.date(), chinese) if notes else texts:
        path = root / name
        if path.exists() or path.is_symlink():
            kept.append(name)
        else:
            files.replace(path, text, files.read_or_empty(path))
            written.append(name)
    wanted = repository if repository is not None else not notes or is_repository(root)
    state, notice = _repository(root, written, now, environ) if wanted else ("", "")
    return CreateResult(root, tuple(written), tuple(kept), state, notice, notes)


def _adopting(notes: ExistingNotes, answers: Answers, today: date, chinese: bool) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the files that an adopted folder gets: its settings, and the files that hold an answer."""
    unanswered = dict(_texts(Answers(), today, chinese))
    for name, text in _texts(answers, today, chinese):
        if name == layout.CONFIG:
            lines = [f"  log: {_scalar(notes.log)}"] if notes.log else []
            lines += [] if notes.heading else ["  heading: false"]
            yield name, "\n".join([f"{text}write:", *lines, ""]) if lines else text
        elif text != unanswered[name]:
            yield name, text


def _texts(answers: Answers, today: date, chinese: bool) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of every file of a new vault, with the answers filled in, in Chinese or English."""
    every = (
        (source, path) for source in (templates(), *contributions.folders("templates")) for path in source.rglob("*")
    )
    for name, source, path in sorted((path.relative_to(source).as_posix(), source, path) for source, path in every):
        if not path.is_file() or name.startswith("zh/"):
            continue
        translated = source / "zh" / name
        text = (translated if chinese and translated.exists() else path).read_text(encoding="utf-8")
        if name == "USER.md":
            text = _user(text, answers)
        elif name == layout.CONFIG:
            text += _examples("zh" if chinese else "")
        elif name == "labels.yaml":
            text += _labels(answers)
        elif name == "state.yaml":
            text = _state(text, answers, today)
        yield _DOTTED.get(name, name), text


def _examples(language: str) -> str:
    """Return the settings that people change, each with its default and its meaning, as comments."""
    known, lines, group = settings.keys(), [], ""
    for name in (name for name in CHANGED if name in known):  # a feature may be missing
        section, _, key = name.partition(".")
        if section != group:
            lines.append(f"# {section}:")
            group = section
        meaning = translated(known[name].meaning, language, part=True)
        lines.append(f"#   {key}: {json.dumps(known[name].default, ensure_ascii=False)}  # {meaning}")
    return "\n".join([*lines, ""])


def _user(text: str, answers: Answers) -> str:
    given = {"name": answers.name, "occupation": answers.occupation, "city": answers.city}
    given["language"] = answers.language
    lines = [f"{key}: {_scalar(value)}" for key, value in given.items() if value]
    if answers.interests:
        lines.append("interests: [" + ", ".join(_scalar(each) for each in answers.interests) + "]")
    head, mark, rest = text.partition("\n---\n")
    return "\n".join([head, *lines]) + mark + rest


def _labels(answers: Answers) -> str:
    places = [("home", "家", answers.home), ("work", "公司", answers.work)]
    if table_language(answers.language) == "zh":
        places = [(alias, name, address) for name, alias, address in places]
    return "".join(
        f"- name: {name}\n  aliases: [{alias}]\n  address: {_scalar(address)}\n"
        for name, alias, address in places
        if address
    )


def _state(text: str, answers: Answers, today: date) -> str:
    if answers.response_length:
        text = text.replace("response_length: medium", f"response_length: {answers.response_length}")
    if answers.language:
        text += f"language: {_scalar(answers.language)}\n"
    return text + f"last_reset: {today.isoformat()}\n"


def _scalar(value: str) -> str:
    """Return a string as a YAML scalar on one line; JSON strings are valid YAML."""
    return json.dumps(" ".join(value.split()), ensure_ascii=False)


def _repository(root: Path, written: list[str], now: datetime, environ: Mapping[str, str]) -> tuple[str, str]:
    """Create a repository, in which git is trusted, and commit the new files; return its state and a notice, or ""."""
    try:
        if is_repository(root):
            state = "there"
        elif any(is_repository(folder) for folder in root.resolve().parents):
            return "", "lies inside another git repository, so it was not made one of its own"
        else:
            made = program.ask(root, "init", "--quiet", "--initial-branch", "main", str(root.resolve()))
            if not made.ok:
                return "", f"git init: {made.why}"
            trust.trust_git(root, environ)
            state = "new"  # notes that were here already get a history from now on
            written = [*written, *layout.walk(root, (*layout.MARKDOWN, ".yaml", ".yml"))]
        if why_not := trust.why_no_git(root, environ):
            return state, Message("not committed: {WHY}", WHY=why_not)
        _, why_not = commit(root, written, "mem init", now) if written else ("", "")
        if state == "new" and not why_not and program.is_own(root):
            return state, Message("{A}: {B}", A=program.NOBODY, B=program.WHO)
        return state, Message("not committed: {WHY}", WHY=why_not) if why_not else ""
    except MissingPart as error:
        return "", Message("{WHY}: your memory works, its history is not kept", WHY=error.message)
    except (Refused, OSError) as error:
        return "", Message("not committed: {WHY}", WHY=error)
