"""`mem profile`, `mem label` and `mem state`: list, get, set, unset, why, history of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

import typer

from memcli import remember
from memcli.cli.options import AsJson, examples, group
from memcli.cli.prefer import Named, Values, with_history
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import UsageError
from memcli.text.clean import one_line
from memcli.vault import labels
from memcli.vault import profile as profiles
from memcli.vault import state as states
from memcli.vault.labels import Label
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

app = typer.Typer(rich_markup_mode=None)
profile = group(
    app, "profile", "Show and change what is known of you.",
    'mem profile set occupation "backend engineer"', "mem profile list",
)  # fmt: skip
label = group(
    app, "label", "Names for places and people.",
    'mem label set home "12 Example Road" --alias 家', "mem label get home",
)  # fmt: skip
state = group(
    app, "state", "How an assistant should talk with you now.", "mem state set response_length short", "mem state list"
)

Key = Annotated[str, typer.Argument(metavar="KEY", help="One of the keys that list shows.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name or an alias.")]


# -- profile and state ---------------------------------------------------------------------------------------------


def _state(vault: Vault) -> dict[str, Any]:
    return asdict(states.read(vault))


def _with_keys(
    group: typer.Typer, kind: str, key: str, read: Callable[[Vault], dict[str, Any]], change: Callable[..., Any]
) -> None:
    """Give a group `list`, `get`, `unset` and `history`: the profile and the state have the same."""

    @group.command("list", epilog=examples(f"mem {kind} list"))
    def list_(ctx: typer.Context, as_json: AsJson = False) -> None:
        """Show all that is set, and the defaults that count."""
        terminal: Terminal = ctx.obj
        found = read(terminal.vault())
        if as_json:
            terminal.json({"schema": 1, **found})
            return
        terminal.table(
            [[one_line(name), _plain(value)] for name, value in found.items() if value], (CYAN, ""), clip=True
        )

    @group.command("get", epilog=examples(f"mem {kind} get {key}"))
    def get(ctx: typer.Context, key: Key, as_json: AsJson = False) -> None:
        """Show one value."""
        _show(ctx.obj, read(ctx.obj.vault()), key, as_json)

    @group.command("unset", epilog=examples(f"mem {kind} unset {key}"))
    def unset(ctx: typer.Context, key: Key, as_json: AsJson = False) -> None:
        """Take one value away, or give it its default back."""
        change(ctx.obj.vault(), key, None)
        _show(ctx.obj, {key: None, **read(ctx.obj.vault())}, key, as_json)

    _with_why(group, kind, lambda vault, key: (key, _plain(_one(read(vault), key))), key)
    with_history(group, kind, key)


def _with_why(group: typer.Typer, kind: str, read: Callable[[Vault, str], tuple[str, str]], example: str) -> None:
    """Give a group its `why`. Of preferences several compete, so they have their own."""

    @group.command("why", epilog=examples(f"mem {kind} why {example}"))
    def why(ctx: typer.Context, name: Named, as_json: AsJson = False) -> None:
        """Show what counts, since when, and what set it so."""
        name, value = read(ctx.obj.vault(), name)
        step, said = next(iter(remember.past(ctx.obj.vault(), kind, name)), (None, ""))
        standard = _plain(states.DEFAULTS.get(name)) if kind == "state" else ""
        if (step is None or (step.id and not said)) and value == standard:
            since, how = "", "the default"
        else:
            since, how = (f"{step.at:%Y-%m-%d %H:%M}", step.what) if step else ("", "written by hand")
        if as_json:
            ctx.obj.json({"schema": 1, "name": name, "value": value, "since": since or None, "why": how})
            return
        row = [one_line(value) or "not set", since and f"since {since}", one_line(how)]
        ctx.obj.table([row], ("", DIM, YELLOW))


_with_keys(profile, "profile", "occupation", profiles.read, remember.profile)
_with_keys(state, "state", "response_length", _state, remember.state)


@profile.command(
    "set", epilog=examples('mem profile set name "Lin Zhou"', "mem profile set interests climbing 摄影 tea")
)
def profile_set(ctx: typer.Context, key: Key, value: Values, as_json: AsJson = False) -> None:
    """Change one line of the profile; all else in USER.md stays as it is."""
    terminal: Terminal = ctx.obj
    many = len(value) > 1 or key == "interests"
    new = [part for each in value for part in re.split(r"[,，、]\s*", each) if part] if many else value[0]
    remember.profile(terminal.vault(), key, new)
    _show(terminal, profiles.read(terminal.vault()), key, as_json)
    close = nearest(key, list(profiles.KNOWN))
    if close and key not in profiles.KNOWN:
        terminal.tell(f"{key} is a line of your own; {close}")


@state.command("set", epilog=examples("mem state set session_mode deep_dive", "mem state set avoid_topics 房价 crypto"))
def state_set(ctx: typer.Context, key: Key, value: Values, as_json: AsJson = False) -> None:
    """Change how an assistant should talk with you now."""
    remember.state(ctx.obj.vault(), key, value if len(value) > 1 else value[0])
    _show(ctx.obj, _state(ctx.obj.vault()), key, as_json)


@state.command("reset", epilog=examples("mem state reset"))
def state_reset(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Give everything its default back."""
    remember.reset(ctx.obj.vault())
    _show(ctx.obj, _state(ctx.obj.vault()), states.RESET, as_json)


# -- labels ------------------------------------------------------------------------------------------------------------


@label.command("list", epilog=examples("mem label list", "mem label list --json | jq '.[].name'"))
def label_list(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show all labels, those used most first."""
    terminal: Terminal = ctx.obj
    held = labels.with_uses(terminal.vault(), labels.held(terminal.vault()))
    held.sort(key=lambda each: -each.uses)
    if as_json:
        terminal.json([_as_json(each) for each in held])
        return
    rows = [[each.name, _used(each), ", ".join(each.aliases), each.told] for each in held]
    terminal.table([[one_line(cell) for cell in row] for row in rows], (CYAN, DIM, GREEN, ""), clip=True)
    if not rows:
        terminal.tell('no labels yet: mem label set home "12 Example Road"')


@label.command("get", epilog=examples("mem label get home", "mem label get 公司 --json | jq .lat"))
def label_get(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Show the label called so, or the one whose name is most like it, saying so."""
    terminal: Terminal = ctx.obj
    each, likeness = _found(terminal.vault(), name)
    if likeness < 1.0:
        terminal.tell(f"no label is called '{name}'; {one_line(each.name)} is the nearest")
    terminal.json({"schema": 1, **_as_json(each), "exact": likeness == 1.0}) if as_json else terminal.out(
        one_line(each.told)
    )


@label.command(
    "set",
    epilog=examples(
        'mem label set home "12 Example Road" --alias 家 --alias "our flat"',
        'mem label set partner "Su Qing, illustrator" --alias 苏晴',
        "mem label set home --lat 31.2101 --lon 121.5523",
    ),
)
def label_set(
    ctx: typer.Context,
    name: Name,
    told: Annotated[list[str] | None, typer.Argument(metavar="[TEXT]...", help="What it stands for.")] = None,
    alias: Annotated[list[str] | None, typer.Option("--alias", "-a", help="Another name; may be repeated.")] = None,
    address: Annotated[str, typer.Option("--address", help="Where it is.")] = "",
    phone: Annotated[str, typer.Option("--phone", help="How to call there.")] = "",
    poi_id: Annotated[str, typer.Option("--poi-id", help="Its id in a map.")] = "",
    lat: Annotated[float | None, typer.Option("--lat", help="Degrees north.")] = None,
    lon: Annotated[float | None, typer.Option("--lon", help="Degrees east.")] = None,
    as_json: AsJson = False,
) -> None:
    """Keep a label, or change the one that has this name or alias; what is not given stays."""
    place = {"address": address, "phone": phone, "poi_id": poi_id, "lat": lat, "lon": lon}
    done, _ = remember.label(ctx.obj.vault(), name, " ".join(told or ()), aliases=alias or (), **place)
    if as_json:
        ctx.obj.json({"schema": 1, **_as_json(done)})
        return
    also = f" ({', '.join(done.aliases)})" if done.aliases else ""
    ctx.obj.out(one_line(f"{done.name}{also}: {done.told}"))


@label.command("unset", epilog=examples("mem label unset gym"))
def label_unset(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Move a label to archive/labels.yaml."""
    remember.unlabel(ctx.obj.vault(), name)
    ctx.obj.json({"schema": 1, "unset": name}) if as_json else ctx.obj.out(f"{one_line(name)} is archived")


def _found(vault: Vault, name: str) -> tuple[Label, float]:
    found = labels.find(labels.with_uses(vault, labels.held(vault)), name)
    if not found:
        raise UsageError(f"there is no label '{name}', nor one like it", "mem label list shows them")
    if len(found) > 1 and found[0][1] - found[1][1] < 0.05:
        close = ", ".join(one_line(each.name) for each, _ in found[:5])
        raise UsageError(f"'{name}' could be any of {close}", "give more of the name")
    return found[0]


def _told(vault: Vault, name: str) -> tuple[str, str]:
    each, _ = _found(vault, name)
    return each.name, each.told


_with_why(label, "label", _told, "home")
with_history(label, "label", "home")


def _show(terminal: Terminal, found: dict[str, Any], key: str, as_json: bool) -> None:
    value = _one(found, key)
    terminal.json({"schema": 1, key: value}) if as_json else terminal.out(_plain(value) or "not set")


def _one(found: dict[str, Any], key: str) -> Any:
    if key not in found:
        raise UsageError(f"there is no '{key}'", nearest(key, list(found)) or "list shows what there is")
    return found[key]


def _plain(value: Any) -> str:
    return one_line(", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value or ""))


def _used(each: Label) -> str:
    return f"{each.uses}× {each.last_used}".rstrip() if each.uses else ""


def _as_json(each: Label) -> dict[str, Any]:
    known = {"name": each.name, "aliases": list(each.aliases), "told": each.told}
    return {**each.record, **known, "use_count": each.uses, "last_used": each.last_used or None}
