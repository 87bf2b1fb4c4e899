"""`mem config list|get|set|path`, `mem trust`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from memcli.cli.options import AsJson, Yes, examples, group
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal, clipped
from memcli.errors import UsageError
from memcli.text.clean import one_line
from memcli.vault import settings, yaml_edit
from memcli.vault import trust as trusting
from memcli.vault.layout import CONFIG
from memcli.vault.setting import Key, convert
from memcli.vault.write import write

app = typer.Typer(rich_markup_mode=None)
config = group(
    app, "config", "Show and change settings.",
    "mem config list --origin", "mem config set recall.budget 800", "mem config get recall.preset",
)  # fmt: skip


@config.command(
    "list",
    epilog=examples("mem config list --origin", "mem config list --json | jq '.[] | select(.origin != \"default\")'"),
)
def list_(
    ctx: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Say where each value came from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show every setting, its value and its meaning."""
    terminal: Terminal = ctx.obj
    resolved = terminal.vault().resolved
    known = settings.keys()
    known |= {name: settings.find(name, known) for name in resolved.origins if name not in known}  # sources
    values = {name: _value(resolved.settings, name) for name in known}
    origins = {name: resolved.origins.get(name, "default") for name in known}
    if as_json:
        told = {name: {"meaning": key.meaning, "variable": key.variable} for name, key in known.items()}
        terminal.json([{"name": n, "value": values[n], "origin": origins[n], **more} for n, more in told.items()])
        return
    rows = []
    for name, key in known.items():
        value = json.dumps(values[name], ensure_ascii=False)
        shown = clipped(value, 24) if terminal.stdout.isatty() else value
        rows.append([name, shown, *([origins[name]] if origin else []), key.meaning])
    terminal.table(rows, (CYAN, "", *([GREEN] if origin else []), DIM), clip=True)


@config.command(epilog=examples("mem config get recall.budget"))
def get(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A setting, like recall.budget.")],
    as_json: AsJson = False,
) -> None:
    """Show the value of one setting."""
    terminal: Terminal = ctx.obj
    resolved = terminal.vault().resolved
    value = _value(resolved.settings, _key(name).name)
    if as_json:
        terminal.json({"schema": 1, "name": name, "value": value, "origin": resolved.origins.get(name, "default")})
        return
    terminal.out(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


@config.command(
    "set",
    epilog=examples(
        "mem config set recall.budget 800",
        "mem config set write.commit false --user",
        "mem config set recall.weights '{time: 0.3, tag: 0.4}'",
        "mem config set sources.arxiv '{kind: arxiv}' --user",
    ),
)
def set_(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A setting, like recall.budget.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value; {a: 1} for a table of numbers.")],
    user: Annotated[bool, typer.Option("--user", help="For all your vaults, not just this one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Change a setting in the vault's mem.yaml, or in your own file; comments in it stay."""
    terminal: Terminal = ctx.obj
    key = _key(name)
    new = convert(key, value)
    file = settings.user_file(terminal.environ) if user else terminal.where() / CONFIG
    if user:
        from memcli.vault import files

        before = files.read_or_empty(file)
        files.replace(file, yaml_edit.with_value(before.text, file.name, key.name.split("."), new), before)
    else:
        parts = key.name.split(".")
        write(terminal.vault(), "config", [(CONFIG, lambda text: yaml_edit.with_value(text, CONFIG, parts, new))])
    waits = key.asks(new) and not user
    if as_json:
        terminal.json({"schema": 1, "name": key.name, "value": new, "file": str(file), "needs_trust": waits})
        return
    terminal.out(f"{key.name} = {json.dumps(new, ensure_ascii=False)} in {file}")
    if waits:
        terminal.tell("this setting counts after `mem trust`")


@config.command(epilog=examples("mem config path", "$EDITOR \"$(mem config path --json | jq -r '.files[-1].path')\""))
def path(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show where settings are read from, the strongest last."""
    terminal: Terminal = ctx.obj
    found = (settings.user_file(terminal.environ), terminal.where() / CONFIG)
    if as_json:
        terminal.json({"schema": 1, "files": [{"path": str(file), "exists": file.exists()} for file in found]})
        return
    for file in found:
        terminal.out(f"{file}" + ("" if file.exists() else "  (not there yet)"))


@app.command(
    epilog=examples("mem trust                  show what this vault asks for, and agree", "mem trust --revoke")
)
def trust(
    ctx: typer.Context,
    yes: Yes = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take it back.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON; without --yes it only shows.")] = False,
) -> None:
    """Let this vault run the commands and reach the addresses its settings name, on this machine, until they change."""
    terminal: Terminal = ctx.obj
    root = terminal.where()
    before, asked = trusting.is_trusted(root, terminal.environ), trusting.guarded(root)
    gone = revoke and trusting.revoke(root, terminal.environ)
    if not revoke and asked and not as_json:
        terminal.tell(f"{root} wants to:")
        for name, value in asked.items():
            terminal.tell(f"  {terminal.paint(name, YELLOW)}  {one_line(value)}")
        yes = before or terminal.confirm("Trust it?", yes)
    if yes and asked and not before and not revoke:
        trusting.trust(root, terminal.environ)
    now = trusting.is_trusted(root, terminal.environ)
    if as_json:
        terminal.json({"schema": 1, "vault": str(root), "asks_for": asked, "trusted": now})
    elif revoke:
        terminal.out("no longer trusted" if gone else "was not trusted")
    elif not asked:
        terminal.out("this vault asks for nothing that needs trust")
    else:
        terminal.out("already trusted" if before else "trusted, until one of these changes" if now else "not trusted")


def _key(name: str) -> Key:
    return settings.find(name, settings.keys())


def _value(values: settings.Settings, name: str) -> Any:
    group, _, key = name.partition(".")
    section = getattr(values, group)
    if isinstance(section, dict) and key not in section:
        raise UsageError(
            f"'{name}' is not set", settings.nearest(key, list(section)) or "mem config list shows what is"
        )
    return section[key] if isinstance(section, dict) else getattr(section, key)
