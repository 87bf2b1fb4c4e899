"""Define `mem config list|get|set|unset|path` and `mem trust`."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from memcli.cli import options
from memcli.cli.broken_settings import open_with_broken_settings
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW, clipped
from memcli.cli.options import Yes
from memcli.cli.terminal import Terminal
from memcli.errors import NotKept, UsageError, VaultError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import files, settings, yaml_edit
from memcli.vault import trust as trusting
from memcli.vault.gates import ALLOW, KINDS, PERSONAL, REFUSE
from memcli.vault.layout import CONFIG
from memcli.vault.lock import lock_user_files
from memcli.vault.setting import Key, convert
from memcli.vault.write import write_vault

ForUser = Annotated[bool, "For all your vaults, not just this one."]
Name = Annotated[str, "NAME", "A setting, like recall.budget.", options.keys]


@command(
    "config list", "mem config list --origin", "mem config --json | jq '.settings[] | select(.origin != \"default\")'"
)
def list_(
    terminal: Terminal,
    origin: Annotated[bool, "Say where each value came from."] = False,
    user: ForUser = False,
) -> Result:
    """Show every setting, its value and its meaning."""
    resolved = _resolved(terminal, user)
    known = settings.keys()
    known |= {name: settings.find_setting(name, known) for name in resolved.origins if name not in known}  # of sources
    values = {name: _value(resolved.settings, name) for name in known}
    origins = {name: resolved.origins.get(name, "default") for name in known}
    data, rows = [], []
    for name, key in known.items():
        meaning = {"meaning": key.meaning, "variable": key.variable}
        data.append({"name": name, "value": values[name], "origin": origins[name], **meaning})
        value = json.dumps(values[name], ensure_ascii=False)
        shown = clipped(value, 24) if terminal.stdout.isatty() else value
        whence = [terminal.translate(origins[name])] if origin else []
        rows.append([name, shown, *whence, terminal.translate(key.meaning)])
    return Result({"settings": data}, Table(rows, (CYAN, "", *([GREEN] if origin else []), DIM), clip=True))


@command("config get", "mem config get recall.budget")
def get(terminal: Terminal, name: Name, /, user: ForUser = False) -> Result:
    """Show the value of one setting."""
    resolved = _resolved(terminal, user)
    value = _value(resolved.settings, _key(name).name)
    data = {"name": name, "value": value, "origin": resolved.origins.get(name, "default")}
    return Result(
        data, lambda: terminal.out(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    )


@command(
    "config set",
    "mem config set recall.budget 800",
    "mem config set write.commit false --user",
    "mem config set recall.weights '{time: 0.3, tag: 0.4}'",
    "mem config set sources.arxiv '{kind: arxiv}' --user",
)
def set_(
    terminal: Terminal,
    name: Name,
    value: Annotated[str, "VALUE", "Its new value; {a: 1} for a table of numbers."],
    /,
    user: ForUser = False,
) -> Result:
    """Change a setting in the vault's mem.yaml, or in your own file; comments in it stay."""
    key = _key(name)
    new = convert(key, value)
    file = write_setting(terminal, key, new, user)
    waits = key.asks(new) and not user
    return Result(
        {"name": key.name, "value": new, "file": str(file), "needs_trust": waits},
        terminal.translate(
            "{name} = {value} in {file}", name=key.name, value=json.dumps(new, ensure_ascii=False), file=file
        ),
        "this setting counts after `mem trust`" if waits else "",
    )


@command("config unset", "mem config unset recall.budget", "mem config unset write.commit --user")
def unset(terminal: Terminal, name: Name, /, user: ForUser = False) -> Result:
    """Take a setting out of the vault's mem.yaml, or of your own file: what is set elsewhere counts, or the default."""
    known, bare = settings.keys(), Key(name, str, None, "")
    is_unknown = name not in known and name in settings.flat(_settings_file(terminal, user))
    key = bare if is_unknown else settings.find_setting(name, known)
    file = write_setting(terminal, key, None, user)
    value: Any = None
    origin = "default"
    shown: str = Message("{name} is no longer set in {file}", name=key.name, file=file)
    with suppress(UsageError):  # without a default, and where another value is wrong, nothing is known to be in force
        resolved = _resolve_anew(terminal, user)
        origin = resolved.origins.get(key.name, origin)
        if not is_unknown:
            value = _value(resolved.settings, key.name)
            shown = f"{key.name} = {json.dumps(value, ensure_ascii=False)} ({terminal.translate(origin)})"
    return Result({"name": key.name, "value": value, "origin": origin, "file": str(file)}, terminal.translate(shown))


def _resolve_anew(terminal: Terminal, user: bool) -> settings.ResolvedSettings:
    """Return the settings in force after a file was changed."""
    try:
        root = terminal.where()
    except VaultError:  # without a vault only the user's own file is read
        return _resolved(terminal, user)
    return settings.resolve(root / CONFIG, terminal.environ, {}, trusting.is_trusted(root, terminal.environ))


def _settings_file(terminal: Terminal, user: bool) -> Path:
    return settings.user_file(terminal.environ) if user else terminal.where() / CONFIG


def _resolved(terminal: Terminal, user: bool) -> settings.ResolvedSettings:
    """Return the settings in force in this vault, or those that the user set for all vaults."""
    return settings.resolve(None, terminal.environ, {}, trusted=False) if user else terminal.vault().resolved


def write_setting(terminal: Terminal, key: Key, value: Any, user: bool) -> Path:
    """Set a value, or remove it if it is None. Return the file that was written. Raise NotKept for a secret."""
    _refuse_secret(key.name, value)
    file = _settings_file(terminal, user)
    parts = key.name.split(".")
    if user:
        with lock_user_files(terminal.environ):
            before = files.read_or_empty(file).text
            files.write_file(file, yaml_edit.with_value(before, file.name, parts, value))
    else:
        with open_with_broken_settings(terminal) as vault:
            write_vault(vault, "config", [(CONFIG, lambda text: yaml_edit.with_value(text, CONFIG, parts, value))])
    return file


def _refuse_secret(name: str, value: Any) -> None:
    """Raise NotKept if a setting holds a secret. Addresses and numbers may be part of one."""
    from memcli.remember import name_kinds, redacted

    rules = dict.fromkeys(KINDS, REFUSE) | dict.fromkeys((*PERSONAL, "high_entropy"), ALLOW)
    texts = () if value is None else (name, str(value))
    if kinds := [kind for text in texts for kind in redacted(text, rules)[1]]:
        hint = "an environment variable can hold it, and the setting names that variable"
        raise NotKept(Message("it holds {KINDS}", KINDS=name_kinds(kinds)), hint)


@command("config path", "mem config path", "$EDITOR \"$(mem config path --json | jq -r '.files[-1].path')\"")
def path(terminal: Terminal) -> Result:
    """Show where settings are read from, the strongest last."""
    read = (settings.user_file(terminal.environ), terminal.where() / CONFIG)
    return Result(
        {"files": [{"path": str(file), "exists": file.exists()} for file in read]},
        [str(file) + ("" if file.exists() else f"  ({terminal.translate('not there yet')})") for file in read],
    )


@command(
    "trust",
    "mem trust                  show what this vault asks for, and agree",
    "mem trust --revoke",
    json="As JSON; without --yes it only shows.",
)
def trust(
    terminal: Terminal,
    yes: Yes = False,
    revoke: Annotated[bool, "Take it back."] = False,
) -> Result:
    """And reach the addresses they name: on this machine, until what could run changes."""
    root = terminal.where()
    before, asked = trusting.is_agreed(root, terminal.environ), trusting.guarded(root)
    gone = revoke and trusting.revoke(root, terminal.environ)
    if not revoke and asked and not terminal.as_json:
        terminal.tell("{root} wants to:", root=root)
        for name, value in asked.items():
            terminal.tell(f"  {terminal.paint(name, YELLOW)}  {terminal.translate(one_line(value))}")
        yes = before or terminal.confirm("Trust it?", yes)
    if yes and asked and not before and not revoke:
        trusting.trust(root, terminal.environ)
    now = bool(asked) and trusting.is_agreed(root, terminal.environ)
    if revoke:
        text = "no longer trusted" if gone else "was not trusted"
    elif not asked:
        text = "this vault asks for nothing that needs trust"
    else:
        text = "already trusted" if before else "trusted, until one of these changes" if now else "not trusted"
    return Result({"vault": str(root), "asks_for": asked, "trusted": now}, terminal.translate(text))


def _key(name: str) -> Key:
    return settings.find_setting(name, settings.keys())


def _value(values: settings.Settings, name: str) -> Any:
    group, _, key = name.partition(".")
    section = getattr(values, group, None)
    if section is None or not (isinstance(section, dict) or hasattr(section, key)):
        return values.of_feature(name)
    if isinstance(section, dict) and key not in section:
        raise UsageError(
            "'{name}' is not set", settings.nearest(key, list(section)) or "mem config list shows what is", name=name
        )
    return section[key] if isinstance(section, dict) else getattr(section, key)
