"""Return what the features in use provide, one function for each kind.

Other modules ask here, and none knows a feature by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memcli import extras, registry
from memcli.errors import MemError, MissingPart
from memcli.message import Message

if TYPE_CHECKING:
    from memcli import extend
    from memcli.recall.query import Query
    from memcli.vault.check import Check
    from memcli.vault.search import LinePattern
    from memcli.vault.setting import Key
    from memcli.vault.vault import Vault

T = TypeVar("T")


def names_of(kind: str) -> list[str]:
    """Return the names of all contributions of one kind, such as `jobs`, without loading a feature."""
    return [name for each in registry.enabled() for name in each.brings.get(kind, [])]


def rest_rows() -> list[extend.Row]:
    return [row for name, feature in registry.bringing("rest_rows") for row in _made(name, feature.rest_rows, "Row")]


def prompt_layers() -> list[extend.PromptLayer]:
    return _listed("prompt_layers", lambda feature: feature.prompt_layers)


def sources() -> dict[str, extend.Source]:
    """Return the sources by name. One whose feature fails has nothing to find."""
    listed = _listed("sources", lambda feature: feature.sources, is_kept=False, has_documents=False)
    return {each.name: each for each in listed}


def source_kinds() -> dict[str, extend.Source]:
    """Return every kind of source, also those of features that are off: settings may name them."""
    return {each.name: each for _, feature in registry.bringing("sources", True) for each in feature.sources}


def has_documents(vault: Vault) -> bool:
    """Return whether there are documents that a prompt could use."""
    return any(each.has_documents and each.has_documents(vault) for each in sources().values())


def evidence(vault: Vault, query: str, budget: int) -> extend.FoundEvidence:
    """Return what documents say about a question, in at most `budget` tokens; empty when no feature has documents."""
    from memcli.evidence import FoundEvidence

    found = next(((name, each.evidence) for name, each in registry.bringing("evidence") if each.evidence), None)
    return _safe(*found, FoundEvidence())(vault, query, budget) if found else FoundEvidence()


def verb(name: str) -> Callable[..., Any] | None:
    """Return the method of this name that a feature adds to `memcli.Vault`, or None."""
    return next((feature.verbs[name] for _, feature in registry.bringing("verbs") if name in feature.verbs), None)


def news(vault: Vault) -> list[str]:
    """Return what features have to say when a conversation begins."""
    found = [(name, feature.news) for name, feature in registry.bringing("news") if feature.news]
    return [line for name, tell in found for line in _made(name, partial(tell, vault), "")]


def refresh(vault: Vault, folder: str = "") -> None:
    """Let features update files outside the vault: all of them, or those for an agent that works in `folder`."""
    for name, feature in registry.bringing("refresh"):
        if feature.refresh:
            registry.guarded(name, partial(feature.refresh, vault, folder), None)


def states(vault: Vault) -> dict[str, tuple[Any, str]]:
    """Return what features add to `mem status`: data and a line by name, or None and the library that is missing."""
    found = dict[str, tuple[Any, str]]()
    for feature_name, feature in registry.bringing("states"):
        for name, state in feature.states.items():
            try:
                with extras.wanted():
                    found[name] = state(vault)
            except MissingPart as error:
                found[name] = None, error.message
            except Exception as error:
                registry.fail(feature_name, error)
    return found


def vault_files() -> list[extend.VaultFile]:
    return _listed("vault_files", lambda feature: feature.vault_files, lists={}, flaws=[])


def questions() -> list[extend.Question]:
    return _listed("questions", lambda feature: feature.questions, waiting=[])


def outcomes() -> list[extend.Outcome]:
    return _listed("outcomes", lambda feature: feature.outcomes)


def learner() -> extend.Learner | None:
    """Return what learns, or None. `propose` and `taste` of a feature that fails return None."""
    found = ((name, feature.learner) for name, feature in registry.bringing("learner"))
    return next((_guarded(*each, {"propose": None, "find": [], "taste": None}) for each in found), None)


def initiative() -> extend.Initiative | None:
    """Return what an assistant may say unasked in a conversation, or None if no feature knows."""
    return next((feature.initiative for _, feature in registry.bringing("initiative")), None)


def mcp_tools() -> list[extend.McpTool]:
    return _listed("mcp_tools", lambda feature: feature.mcp_tools)


def secrets() -> list[extend.Secret]:
    return _listed("secrets", lambda feature: feature.secrets)


def recall_paths() -> list[extend.RecallPath]:
    """Return the recall paths of features.

    A path that fails finds nothing from then on, and recall works without it.
    """
    found = []
    for name, feature in registry.bringing("recall_paths"):
        found += [_guarded_path(name, path) for path in _made(name, feature.recall_paths, "RecallPath")]
    return found


def _guarded_path(name: str, path: extend.RecallPath) -> extend.RecallPath:
    def look(query: Query) -> list[LinePattern]:
        found = list(path.looks(query))
        re.compile("".join(f"|{each.regex}" for each in found))  # ripgrep alone takes "(?i)" anywhere
        return found

    return path._replace(
        find=lambda search: registry.guarded(name, lambda: list(path.find(search)), []),
        strength=lambda search, entry: registry.guarded(name, lambda: float(path.strength(search, entry)), 0.0),
        looks=lambda query: registry.guarded(name, lambda: look(query), []),
    )


def load_format(name: str) -> extend.Format:
    """Return the format of this name. One that fails knows no files."""
    from dataclasses import replace

    from memcli.extend import Format

    owners = {owner: one.formats[name] for owner, one in registry.bringing("formats") if name in one.formats}
    owner, make = next(iter(owners.items()), ("", partial(Format, name)))
    made = next(iter(_made(owner, lambda: [make()], "Format")), Format(name))
    return replace(made, knows=_safe(owner, made.knows, False))


def page_views() -> list[extend.PageView]:
    return _listed("page_views", lambda feature: feature.page_views)


def health_parts(visit: extend.Visit) -> list[extend.Html]:
    """Return what features add to the view `health` of `mem ui`."""
    found = [(name, feature.health_parts) for name, feature in registry.bringing("health_parts")]
    return [html for name, show in found if show for html in _safe(name, show, [])(visit)]


def jobs() -> dict[str, Callable[[Vault, Any], object]]:
    return {kind: do for _, feature in registry.bringing("jobs") for kind, do in feature.jobs.items()}


def read_transcript(vault: Vault, place: Path) -> None:
    """Let every feature that listens to transcripts read what is new in one."""
    for name, feature in registry.bringing("transcript"):
        if feature.transcript:
            registry.guarded(name, partial(feature.transcript, vault, place), None)


def lines(layer: extend.PromptLayer, vault: Vault, words: str, plans: bool = True) -> extend.Lines:
    """Return the lines of a layer, or none when its feature fails."""
    owner = next((each.name for each in registry.known() if layer.name in each.brings.get("prompt_layers", ())), "")
    return registry.guarded(owner, lambda: [(str(at), str(text)) for at, text in layer.find(vault, words, plans)], [])


def settings(names: Iterable[str]) -> dict[str, Key]:
    """Return the settings of features among these names, including features that are off; `*` means all of them."""
    wanted, found = set(names), dict[str, "Key"]()
    for each in registry.known():
        mine = each.brings.get("settings", [])
        if ("*" in wanted or wanted.intersection(mine)) and (feature := registry.load(each)):
            from memcli.vault.setting import typed

            found.update({name: typed(name, feature.settings[name]) for name in mine})
    return found


def setting_names() -> list[str]:
    """Return the names of these settings without loading a feature."""
    return [name for each in registry.known() for name in each.brings.get("settings", [])]


def setting(more: Mapping[str, Any], name: str) -> Any:
    """Return the value of a feature's setting, or its default, which needs no import of the feature."""
    if name in more:
        return more[name]
    noted = next((each.defaults for each in registry.known() if name in each.defaults), None)
    return noted[name] if noted else settings([name])[name].default


def folders(name: str) -> list[Path]:
    """Return the folders with this name in features: `language`, `templates`."""
    places = [Path(each.file).parent / name for each in registry.enabled() if each.file]
    return [place for place in places if place.is_dir()]


def checks(vault: Vault) -> Iterator[Check]:
    """Yield the checks of features for `mem doctor`, and the features that can't be used."""
    from memcli.vault.check import BROKEN, Check, checks_of

    for name, feature in registry.bringing("checks"):
        if feature.checks:
            yield from registry.guarded(name, partial(checks_of, name, feature.checks, vault), list[Check]())
    for name, why in registry.failures().items():
        fix = Message("{command}, or install it anew", command=f"mem features off {name}")
        yield Check(f"feature {name}", BROKEN, "left out: {why}", fix, why=why)


def left_out() -> list[str]:
    """Return a notice for each feature that failed in this process."""
    failed = registry.failed_now.items()
    return [Message("the feature {name} is left out: {why}", name=name, why=why) for name, why in failed]


def placed(items: dict[str, T], name: str, item: T, after: str = "", before: str = "") -> dict[str, T]:
    """Return the items with one added: before or after the named one, or at the end when none is named."""
    names = list(items)
    at = names.index(before) if before in items else names.index(after) + 1 if after in items else len(names)
    there = list(items.items())
    return dict([*there[:at], (name, item), *there[at:]])


def _listed(kind: str, get_items: Callable[[extend.Feature], Iterable[T]], **otherwise: Any) -> list[T]:
    """Return all contributions of a kind. `otherwise` maps the name of a function to its result in case of failure."""
    return [
        _guarded(name, each, otherwise) if otherwise else each
        for name, feature in registry.bringing(kind) for each in get_items(feature)
    ]  # fmt: skip


def _guarded(name: str, item: Any, otherwise: Mapping[str, Any]) -> Any:
    made = {field: _safe(name, do, value) for field, value in otherwise.items() if (do := getattr(item, field))}
    return item._replace(**made)


def _safe(name: str, do: Callable[..., Any], otherwise: Any) -> Callable[..., Any]:
    """Wrap a feature's function so that it returns `otherwise` when it fails. Errors meant for the user are still
    raised."""

    def call(*given: Any) -> Any:
        try:
            with extras.wanted():  # what is not installed is told as such, and is no fault of the feature
                made = do(*given)
                return list(made) if isinstance(otherwise, list) else made
        except MemError:
            raise
        except Exception as error:
            registry.fail(name, error)
            return otherwise

    return call


def _made(name: str, make: Callable[[], Iterable[T]] | None, kind: str) -> list[T]:
    """Return what a feature makes: values of a kind of `extend`, or texts. Return nothing when it fails."""

    def all_of_kind() -> list[T]:
        from memcli import extend

        made, wanted = list(make() if make else ()), getattr(extend, kind) if kind else str
        for each in made:
            if not isinstance(each, wanted):
                raise TypeError(f"{type(each).__name__} is not a {wanted.__name__}")
        return made

    return registry.guarded(name, all_of_kind, [])
