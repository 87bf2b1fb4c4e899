"""Read the roles of a model from the versioned files in `roles/`. A file with any mistake is not used at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memcli.errors import MemError
from memcli.message import Message, joined
from memcli.text import tokens
from memcli.text.clean import harmless
from memcli.text.later import compile_later
from memcli.vault import role_files, state
from memcli.vault.role_files import FOLDER, KEYS, LONGEST
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.vault.check import Check

MOST = 150  # tokens of a role, at most
_VERSION = compile_later(r"\d+(\.\d+)*")
# Placeholders that a template left open: {user_name}, {{x}}, <name>, $NAME, %(name)s, [YOUR NAME], 【姓名】, ____. A model
# reads a role word for word, so nobody fills them in. The marks of chat templates, such as <|system|>, match, too.
_OPEN = compile_later(
    r"\{[^{}\n]*\}|<(?=\S)[^<>\n]{1,60}(?<=\S)>|\$\{?[A-Za-z_]\w*\}?|%\(\w+\)s"
    r"|\[[A-Z_]{2}[A-Z_ ]{0,40}\]|【[^】\n]{0,60}】|_{3,}"
)


@dataclass(frozen=True)
class Role:
    """Hold a role for a prompt. `problem` says why it, or the requested role that it replaces, can't be used."""

    name: str
    version: str
    identity: str
    tone: str
    boundaries: tuple[str, ...]
    problem: str = ""

    @property
    def text(self) -> str:
        """Return the role's lines for the prompt."""
        return "\n".join([self.identity, self.tone, *(f"- {boundary}" for boundary in self.boundaries)])


SAFE = Role(
    "built-in",
    "1",
    "You are a careful assistant with a memory of the person you talk with.",
    "Friendly, brief and concrete, in the language of the question.",
    ("What you know of the person stays with the person.",),
)


def read_role(
    vault: Vault, name: str = "", count: Callable[[str], int] | None = None, kept: Mapping[str, Any] | None = None
) -> Role:
    """Return the role of this name, the one of the state by default, or as a conversation has kept it. A faulty role is
    replaced by the built-in one, with the reason in `problem` and a notice; nothing is raised, because a prompt
    needs a role. `count` counts tokens; callers that have a `tokens.counter` pass it, because another costs 50 ms."""
    name = name or state.read_state(vault).role
    if name == state.DEFAULTS["role"] and name not in state.roles(vault):
        return SAFE  # a folder of notes has no roles, and that is not a fault
    found, problems = _checked(name, kept, count) if kept else _load(vault, name, count)
    if not problems:
        return found
    vault.notice("role {name}: {WHY}; the built-in role counts", name=name, WHY=problems[0])
    return replace(SAFE, problem=Message("{place}: {WHY}", place=name, WHY=problems[0]))


def check(vault: Vault, name: str) -> list[str]:
    """Return everything that is wrong with a role; [] if it can be used."""
    return _load(vault, name)[1]


def listed(vault: Vault) -> list[Role]:
    """Return all roles of the vault, with the faults of each in its `problem`."""
    found = [_load(vault, name) for name in dict.fromkeys(state.roles(vault))]
    return [replace(role, problem=joined(*problems)) for role, problems in found]


def checks(vault: Vault) -> Iterator[Check]:
    """Yield the lines of `mem doctor` about roles that can't be used."""
    from memcli.vault.check import BROKEN, NOTE, Check

    used = state.read_state(vault).role
    for role in listed(vault):
        if role.problem:
            how = BROKEN if role.name == used else NOTE
            yield Check(
                "role",
                how,
                "{place}: {WHY}",
                Message("mend {path}", path=f"{FOLDER}/{role.name}.yaml"),
                place=role.name,
                WHY=role.problem,
            )


def _load(vault: Vault, name: str, count: Callable[[str], int] | None = None) -> tuple[Role, list[str]]:
    """Return a role as far as it can be read, and its faults."""
    try:
        return _checked(name, role_files.read_role_file(vault, name), count)
    except MemError as error:
        return Role(name, "", "", "", ()), [error.message]


def _checked(name: str, given: Mapping[str, Any], count: Callable[[str], int] | None) -> tuple[Role, list[str]]:
    problems: list[str] = [
        Message("it does not say its {n}", n=key) for key in KEYS if given.get(key) in (None, "", [])
    ]
    for key in sorted(given.keys() - set(KEYS)):
        problems.append(
            Message(
                "unknown key '{key}'; {HINT}",
                key=key,
                HINT=nearest(key, list(KEYS)) or Message("a role has {keys}", keys=", ".join(KEYS)),
            )
        )
    listed = given.get("boundaries") or ()
    values = [given.get("identity"), given.get("tone"), *(listed if isinstance(listed, (list, tuple)) else [listed])]
    if wrong := [value for value in values if value is not None and not isinstance(value, str)]:
        problems.append(Message("what is a {kind} should be a text; quote it", kind=type(wrong[0]).__name__))
    numbered = given.get("version") or ""
    version = str(numbered) if isinstance(numbered, (str, int, float)) else "?"
    if version and not _VERSION.fullmatch(version):
        problems.append(Message("'{version}' is not a version; 2, or 1.3", version=version))
    raw = [value if isinstance(value, str) else "" for value in values]  # nested lists could unfold without end
    if any(harmless(value) != value for value in raw):
        problems.append("it holds control characters or hidden ones")
    identity, tone, *boundaries = (" ".join(harmless(value).split()) for value in raw)
    role = Role(name, version, identity, tone, tuple(filter(None, boundaries)))
    if len(role.text) > LONGEST:
        return role, [Message("it has {n} characters", n=len(role.text)), *problems]
    if open_ := _OPEN.search(role.text):
        problems.append(Message("{what} is a placeholder, and nothing fills it in", what=open_[0]))
    if (size := (count or tokens.counter())(role.text)) > MOST:
        problems.append(Message("it has {n} tokens, {most} are the most", n=size, most=MOST))
    return role, problems
