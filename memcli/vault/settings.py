"""Define every setting, and resolve it from flags, `MEM_*`, the vault's `mem.yaml`, the user's file or the default."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from memcli import contributions
from memcli.errors import UsageError
from memcli.message import Message, joined
from memcli.vault import discover, files, yaml_read
from memcli.vault.agents import AgentsSettings
from memcli.vault.gates import Gates
from memcli.vault.setting import Key, Section, convert, setting, variable

# The parts of a score, for `recall.weights`: those of the paths, then what a memory says by itself.
PARTS = (
    "time", "tag", "file", "text", "meaning", "near", "day", "lead", "fit", "change", "newness", "importance", "use",
)  # fmt: skip

HOW_TO_EDIT = "mem edit mem.yaml opens it"  # what mends the settings of a vault


class WriteSettings(Section):
    """Set how memories are written."""

    log: str = setting("logs/%Y-%m-%d.md", "path of today's log (strftime); a log of that day in another place is used")
    heading: bool = setting(True, "begin a new log with its day as a heading")
    commit: bool = setting(True, "commit each write when the vault is a git repository")
    lock_timeout: float = setting(5.0, "seconds to wait for another writer")


class RecallSettings(Section):
    """Set how memories are found, scored and packed."""

    budget: int = setting(1000, "tokens of a block, everything in it counted")
    encoding: str = setting("cl100k_base", "the token table of the budget; any that tiktoken knows")
    preset: str = setting("default", "the scoring formula", choices=("default", "classic", "layered"))
    weights: dict[str, float] = setting(
        {}, "weights that replace those of the preset, by the name of the part", names=PARTS
    )
    semantic: str = setting(
        "auto", "search by meaning: auto is whenever a model is chosen", choices=("auto", "always", "never")
    )
    likeness: dict[str, float] = setting(
        {},
        "cosine below which meaning finds nothing, by kind of file (log, memory …) or for all; 0.7 is a good start",
        names=("all", "log", "memory", "insight", "project", "profile", "snapshot", "note", "data"),
        most=1,
    )
    decay: float = setting(0.2, "time decay: 1 / (1 + decay * days)")
    use_decay: float = setting(0.05, "use decay: exp(-use_decay * days since a memory was last cited)")
    recent_days: int = setting(3, "days the time path looks back when the query names none")
    priorities: dict[str, float] = setting(
        {"MEMORY.md": 1.0, "insights.md": 0.9, "projects.md": 0.8, "USER.md": 0.7},
        "priority of files for the file path, 0 to 1",
        most=1,
    )
    mmr: float = setting(0.7, "relevance against novelty when memories are chosen, 1 is relevance alone", most=1)
    fill: bool = setting(False, "fill the budget, also with what is unlikely to help")
    direct: bool = setting(True, "give profile, preferences and matching labels their place in the block")


class IndexSettings(Section):
    """Set how the sidecar index is made by `mem index`."""

    model: str = setting("", "the model that finds by meaning (mem model list); empty: words only")


class LlmSettings(Section):
    """Set the language model that `mem` may ask. Every command works without one."""

    command: str = setting(
        "", "a shell command that reads a prompt on stdin and prints the answer, like `ollama run qwen3`", guarded=True
    )
    url: str = setting("", "an OpenAI-compatible endpoint, like http://localhost:11434/v1", guarded=True)
    model: str = setting("", "the name of the model at `llm.url`", guarded=True)
    key_env: str = setting("MEM_LLM_KEY", "the environment variable that holds the key for `llm.url`", guarded=True)
    timeout: float = setting(120.0, "seconds a question may take, second tries included", least=0.1)
    limit: int = setting(100_000, "characters of a prompt; a longer one is not sent")
    offline: bool = setting(False, "ask no model, whatever else is set", guarded=True)


class NudgeSettings(Section):
    """Set what an assistant may ask or propose on its own."""

    questions: int = setting(2, "questions about you in a conversation, at most; 0 asks none")


class WatchSettings(Section):
    """Set whether `mem watch` starts by itself."""

    auto: bool = setting(
        False, "start mem watch with the first recall; it ends after an idle hour", guarded=True, when_on=True
    )


class StatsSettings(Section):
    """Set what `mem stats` counts."""

    count: bool = setting(True, "count in .mem/ how the memory is used; it is never sent anywhere")


class Settings(NamedTuple):
    write: WriteSettings = WriteSettings()
    recall: RecallSettings = RecallSettings()
    index: IndexSettings = IndexSettings()  # type: ignore[assignment]  # a tuple has a method of this name
    gates: Gates = Gates()
    agents: AgentsSettings = AgentsSettings()
    llm: LlmSettings = LlmSettings()
    nudge: NudgeSettings = NudgeSettings()
    watch: WatchSettings = WatchSettings()
    stats: StatsSettings = StatsSettings()
    sources: dict[str, dict[str, Any]] = {}  # by name; vault/sources.py defines their fields
    features: dict[str, Any] = {}  # those that were set, by their full name

    def of_feature(self, name: str) -> Any:
        """Return the value of a setting that a feature brings."""
        return contributions.setting(self.features, name)


class ResolvedSettings(NamedTuple):
    """Hold the settings in force, where each came from, and which were ignored."""

    settings: Settings
    origins: dict[str, str]
    ignored: tuple[str, ...] = ()  # guarded keys of a vault that is not trusted
    odd: tuple[str, ...] = ()  # a message for each key that is set twice, or that nothing installed here knows


def keys() -> dict[str, Key]:
    """Return all settings by name, with those of features after their group's. Sources are not among them."""
    found = _own_keys() | contributions.settings("*")
    groups = [name.partition(".")[0] for name in found]
    return dict(sorted(found.items(), key=lambda each: groups.index(each[0].partition(".")[0])))


@cache  # it costs 2 ms, and most vaults set nothing
def _own_keys() -> dict[str, Key]:
    sections = {group: section for group, section in Settings()._asdict().items() if isinstance(section, Section)}
    named = ((f"{group}.{name}", key) for group, section in sections.items() for name, key in section.settings.items())
    return {name: key._replace(name=name) for name, key in named}


def user_file(environ: Mapping[str, str]) -> Path:
    return Path(discover.config_home(environ), "config.yaml")


def data_home(environ: Mapping[str, str]) -> Path:
    return Path(discover.data_home(environ))


def resolve(
    vault_file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any], trusted: bool
) -> ResolvedSettings:
    """Return the settings in force; an unknown key stops nothing: only another machine may have what knows it."""
    values: dict[str, Any] = {}
    origins, ignored, odd = dict[str, str](), list[str](), list[str]()
    places = [("user", user_file(environ), str(user_file(environ)))]
    places += [("vault", vault_file, vault_file.name)] if vault_file else []
    for origin, file, shown in places:
        found = flat(file, shown)
        lines, twice = _find_lines(file, shown) if found else ({}, [])
        odd += twice
        for name, value in found.items():
            place = lines.get(name, f"{shown}:1")
            try:
                key = find_setting(name, _own_keys())
            except UsageError as error:
                odd.append(joined(Message("{place}: {WHY}", place=place, WHY=error.message), error.hint))
                continue
            if origin == "vault" and not trusted and key.asks(value):
                ignored.append(name)
                continue
            try:
                values[name], origins[name] = convert(key, value), origin
            except UsageError as error:
                raise UsageError("{place}: {WHY}", error.hint, place=place, WHY=error.message) from None
    if any(name.startswith("MEM_") for name in environ):
        theirs = contributions.settings(name for name in contributions.setting_names() if variable(name) in environ)
        for key in (_own_keys() | theirs).values():
            if given := environ.get(key.variable):  # an empty one counts as unset
                values[key.name], origins[key.name] = convert(key, given, key.variable), "environment"
    for name, value in flags.items():
        values[name], origins[name] = convert(find_setting(name, _own_keys()), value), "flag"
    return ResolvedSettings(_built(values), origins, tuple(ignored), tuple(odd))


def find_setting(name: str, known: dict[str, Key]) -> Key:
    """Return the setting of that name. Raise UsageError, with the nearest name as hint, when there is none."""
    if name.startswith("sources."):
        from memcli.vault import sources  # few vaults set a source

        return sources.source_key(name)
    if name not in known and not (known := contributions.settings([name]) or known).get(name):
        below = next((each for each in known if each.startswith(f"{name}.")), "")
        hint = nearest(name, list(known)) or "mem config list shows all settings"
        if below:
            hint = Message("{name} is a group with settings like {below}", name=name, below=below)
        raise UsageError("unknown setting '{name}'", hint, name=name)
    return known[name]


def flat(file: Path, shown: str = "") -> dict[str, Any]:
    """Return a settings file as `section.key: value` pairs; an absent file sets nothing."""
    found: dict[str, Any] = {}
    shown = shown or file.name
    for name, value in yaml_read.mapping(files.read_or_empty(file, shown).text.removeprefix("\ufeff"), shown).items():
        if isinstance(value, dict) and "." not in name:
            found.update({f"{name}.{key}": each for key, each in value.items()})
        elif value is not None:
            found[name] = value
    return found


def _find_lines(file: Path, shown: str) -> tuple[dict[str, str], list[str]]:
    """Return the file and line where each key counts, and a message for each key that stands there a second time."""
    found, twice = dict[str, str](), list[str]()
    for name, line in yaml_read.key_lines(files.read_or_empty(file, shown).text.removeprefix("\ufeff")):
        place = f"{shown}:{line}"
        if name in found:
            what = Message("'{name}' is set twice, and the last one counts", name=name)
            twice.append(Message("{place}: {WHY}", place=place, WHY=what))
        found[name] = place
    return found, twice


def nearest(name: str, names: list[str]) -> str:
    """Return `did you mean …?` for an unknown name, or "" when no name is near."""
    import difflib  # needed only for errors

    close = difflib.get_close_matches(name, names, 1, 0.55)
    return Message("did you mean '{name}'?", name=close[0]) if close else ""


def _built(values: Mapping[str, Any]) -> Settings:
    settings = Settings()
    for name, value in values.items():
        group, _, key = name.partition(".")
        section: Any = getattr(settings, group, None)
        if section is None or not (isinstance(section, dict) or key in section.settings):
            group, key, section = "features", name, settings.features
        section = {**section, key: value} if isinstance(section, dict) else section.with_values(**{key: value})
        settings = settings._replace(**{group: section})
    return settings
