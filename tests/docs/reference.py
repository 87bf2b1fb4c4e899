"""The reference parts of the docs, made from the app itself: commands, settings, weights.

`docs/cli.md` is made whole. In other pages what stands between `<!-- NAME: made from the code -->` and
`<!-- end of NAME -->` is, the rest is written by people.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import typer

from memcli import contributions
from memcli.cli.commands import COMMANDS
from memcli.cli.typer_app import app, load
from memcli.recall.score import PRESETS, SHIFTS
from memcli.vault import gates, schema, settings
from tests.features import MISSING

ROOT = Path(__file__).parents[2]
JSON = "`--json`: As JSON."  # said once for all commands

_HEAD = """\
# Command reference

Every command with its options, made from the app (`python -m tests.docs`). [commands.md](commands.md) shows them at
work, `mem help COMMAND` has examples. An option in brackets is explained with its group or under *In many commands*.

Options of `mem` itself are allowed after the command as well: `mem list --vault DIR` means `mem --vault DIR list`.

**Exit codes:** 0 done · 1 nothing found with `--strict`, or a check failed · 2 the command was not understood ·
3 the vault is not there or broken · 4 refused, and why · 5 a program or network that is needed is missing ·
70 a mistake of mem itself · 74 it is done, and the output could not be written · 130 interrupted.

**Environment:** `MEM_VAULT` names the vault. `MEM_NOW` (`2026-11-21T14:30`) sets the clock, for
demonstrations. `MEM_ACTOR` is the writer's name in the journal, by default your user name. Every setting has a
variable, see [config.md](config.md). `NO_COLOR`, `VISUAL` and `EDITOR` mean what they mean elsewhere.
"""


def cli() -> str:
    """All of `docs/cli.md`."""
    shared = _shared()
    seen: dict[str, str] = {}
    silent = [f"`{name}`" for name, words in params() if words and "--json" not in words and name != "mem"]
    pieces = [_HEAD, "**In many commands**\n\n" + "".join(f"{_item(each)}\n" for each in shared if each != JSON)]
    pieces.append(_filled(f"`--json` prints the answer as JSON, in every command but {', '.join(silent)}.") + "\n")
    pieces += _command("mem", typer.main.get_command(app), shared, seen)
    for name in COMMANDS:
        pieces += _command(f"mem {name}", load(name), shared, seen)
    return "\n".join(pieces).rstrip() + "\n"


def params() -> list[tuple[str, list[str]]]:
    """Every command with the options and arguments it takes, straight from the app."""

    def each(name: str, command: Any) -> Iterator[tuple[str, list[str]]]:
        yield name, [word for param in command.params for word in _words(param)]
        if name != "mem":
            for word in getattr(command, "commands", ()):
                yield from each(f"{name} {word}", command.load(word))

    root = typer.main.get_command(app)
    return [*each("mem", root), *(found for name in COMMANDS for found in each(f"mem {name}", load(name)))]


@cache
def deleted_commands() -> list[str]:
    """The commands of features that were deleted: those that the reference has, and the app has not."""
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8") if MISSING else ""
    return [name for name in re.findall(r"(?m)^## mem (\w+)$", page) if name not in COMMANDS]


@cache
def deleted_settings() -> list[str]:
    """The settings of features that were deleted."""
    page, known = (ROOT / "docs/config.md").read_text(encoding="utf-8") if MISSING else "", settings.keys()
    return [name for name in re.findall(r"(?m)^- `(\w+\.\w+): ", page) if name not in known]


def filled(page: str) -> str:
    """A page with its parts that are made from the code as the code has them."""
    for name, make in PARTS.items():
        begin, end = f"<!-- {name}: made from the code -->\n", f"<!-- end of {name} -->"
        if begin in page:
            above, _, rest = page.partition(begin)
            page = above + begin + make() + end + rest.partition(end)[2]
    return page


def _shared() -> dict[str, None]:
    """Return what means the same in many commands: options, and arguments of those that are in no group."""

    def each(command: Any, within: bool = False) -> Iterator[str]:
        yield from (_said(param) for param in command.params if param.param_type_name == "option" or not within)
        for word in getattr(command, "commands", ()):
            yield from each(command.load(word), within=True)

    return _often((said for name in COMMANDS for said in each(load(name))), 3)


def _often(said: Iterable[str], times: int) -> dict[str, None]:
    """Return what is said so many times, the most frequent first."""
    return dict.fromkeys(each for each, number in Counter(said).most_common() if number >= times)


def _said(param: Any) -> str:
    """Return what an option does. That it prints its answer as JSON is the same everywhere."""
    plain = "--json" in param.opts and not set(";,") & set(param.help)
    return JSON if plain else f"{_names(param)}: {param.help}{_default(param)}"


def _command(name: str, command: Any, shared: Collection[str], seen: dict[str, str]) -> Iterator[str]:
    """Return the section of a command, or of a group. `seen`: what a command of a group does, and the first such group."""
    under = {word: command.load(word) for word in getattr(command, "commands", {})} if name != "mem" else {}
    common = [*_often((_said(each) for one in under.values() for each in one.params), 2)]
    yield f"## {name}\n\n{_filled(_paragraph(command.help))}\n"
    if not under and (typed := _synopsis(name, command, shared)) != f"`{name}`":
        yield _filled(typed) + "\n"
    yield from _items([said for said in [*map(_said, command.params), *common] if said not in shared])
    above = {*shared, *common}
    same: dict[str, list[str]] = {}
    for word, one in under.items():
        told = "\n\n".join((f"{word} {one.help}", *map(_said, one.params)))
        if (first := seen.setdefault(told, name)) != name:
            same.setdefault(first, []).append(f"`{word}`")
            continue
        yield _filled(f"**{_synopsis(f'{name} {word}', one, above)}**: {_paragraph(one.help)}") + "\n"
        yield from _items([said for said in map(_said, one.params) if said not in above])
    for first, words in same.items():
        yield _filled(f"The same as in `{first}`: {', '.join(words)}.") + "\n"


def _items(said: Iterable[str]) -> Iterator[str]:
    if items := "".join(f"{_item(each)}\n" for each in said):
        yield items


def _synopsis(name: str, command: Any, above: Collection[str]) -> str:
    """Return how a command is typed, with the options that are explained `above`, as [-t|--tag]."""
    words = [str(each.metavar) for each in command.params if each.param_type_name == "argument"]
    named = [each for each in command.params if each.param_type_name == "option" and _said(each) in {*above} - {JSON}]
    words += [f"[{_names(each, with_value=False).replace('`, `', '|').strip('`')}]" for each in named]
    return f"`{' '.join([name, *words])}`"


def _item(text: str) -> str:
    """Return an item of a list, broken into lines of at most 120 characters."""
    return textwrap.fill(
        text.replace("\n", " "), 120, initial_indent="- ", subsequent_indent="  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _paragraph(text: str) -> str:
    """Return the first paragraph of a help text; `mem help` has the rest."""
    return text.partition("\n\n")[0]


def _filled(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _names(param: Any, with_value: bool = True) -> str:
    """`-t`, `--tag TEXT`, as one would type it."""
    if param.param_type_name == "argument":
        return f"`{param.metavar}`"
    kind = {"str": "TEXT", "int": "N", "integer": "N", "float": "NUMBER"}.get(param.type.name, param.type.name.upper())
    value = f" {param.metavar or kind}" if with_value and not param.is_flag else ""
    names = sorted([*param.opts, *param.secondary_opts], key=lambda each: (each.startswith("--"), "--no" in each))
    return ", ".join([*(f"`{each}`" for each in names[:-1]), f"`{names[-1]}{value}`"])


def _words(param: Any) -> list[str]:
    return [str(param.metavar)] if param.param_type_name == "argument" else [*param.opts, *param.secondary_opts]


def _default(param: Any) -> str:
    """What holds without the option, where the help does not go without saying it."""
    if getattr(param, "is_flag", True) or param.default in (None, "", ()):
        return ""
    return f" Default: `{param.default}`."


def _settings() -> str:
    """Return all settings, a group for each of their first words. What a kind of secret is stands in gates.md."""
    groups: dict[str, list[str]] = {}
    kinds = {f"gates.{kind}" for kind in gates.KINDS}
    for key in settings.keys().values():
        choices = f" ({', '.join(key.choices)})" if key.choices else ""
        trust = " †" if key.guarded else ""
        default = json.dumps(key.default, ensure_ascii=False)
        meaning = "" if key.name in kinds else f": {key.meaning}{choices}"
        items = groups.setdefault(key.name.partition(".")[0], [])
        items.append(f"{_item(f'`{key.name}: {default}`{trust}{meaning}')}\n")
    groups["gates"].append(
        "\nEach kind may be refuse, redact or allow; [gates.md](gates.md#the-policy) says what it finds.\n"
    )
    return "\n".join(f"### {group}\n\n{''.join(items)}" for group, items in groups.items())


def _fields() -> str:
    """Return the keys of every YAML file but `mem.yaml`."""
    lines = ""
    listed = {file: known.fields for file, known in schema.FILES.items()}
    listed |= {
        f"{file.name}: {name}": fields for file in contributions.vault_files() for name, fields in file.lists().items()
    }
    for file, fields in listed.items():
        lines += f"**{file}**\n\n"
        for key in fields.settings.values():
            default = f": {json.dumps(key.default, ensure_ascii=False)}" if key.default else ""
            limits = key.choices or key.most < math.inf
            lines += _item(f"`{key.name}{default}`: {key.meaning}{f': {key.may_be}' if limits else ''}") + "\n"
        lines += "\n"
    return lines.rstrip("\n") + "\n"


def _weights() -> str:
    """Return the weights of each preset that has some, in an item of a list."""
    given = ((name, {part: value for part, value in preset.items() if value}) for name, preset in PRESETS.items())
    return "".join(f"{_item(f'`{name}`: {_listed(weights)}')}\n" for name, weights in given if weights)


def _shifts() -> str:
    return "".join(f"{_item(f'{kind}: {_listed(shift)}')}\n" for kind, shift in SHIFTS.items())


def _listed(weights: Mapping[str, float]) -> str:
    return ", ".join(f"`{part}` {value:g}" for part, value in weights.items())


PARTS = {"settings": _settings, "fields": _fields, "weights": _weights, "shifts": _shifts}
