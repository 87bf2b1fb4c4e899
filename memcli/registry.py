"""List the features and what they provide, without importing them.

The installed features are looked up once and noted in the user's cache. The next start reads that note, as long as no
package came or went. A feature that can't be loaded is noted with the reason and left out. Features are loaded only
from the environment in which `mem` is installed, never from a vault or the current folder.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from time import perf_counter

from memcli.errors import NotFound
from memcli.vault import discover

TYPE_CHECKING = False  # saves every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from memcli import extend

    T = TypeVar("T")

GROUP = "[memcli.features]"  # of entry points
BUILT_IN = "built-in"
FORMAT = 8  # of the note
HOUSE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HOUSE, "features")
OFF = "features-off.txt"  # a file of the user's own settings, a name a line


class FeatureRecord:
    """Hold what is noted of a feature."""

    def __init__(self, name: str, module: str, origin: str, **noted: Any) -> None:
        self.name, self.about, self.file = name, "", ""
        self.module = module  # and, behind a colon, the name of the object in it
        self.origin = origin  # built-in, or the package with its version
        self.brings: dict[str, list[str]] = {}
        self.commands: list[list[str]] = []  # as `extend.Command` has them
        self.tools: list[dict[str, Any]] = []  # as `extend.McpTool` has them, without functions
        self.defaults: dict[str, Any] = {}  # of its settings, those that are plain values
        self.milliseconds = 0.0  # to load it
        self.failure = ""  # the reason why it is left out
        vars(self).update(noted)


_known: list[FeatureRecord] | None = None
_loaded: dict[str, extend.Feature | None] = {}
failed_now: dict[str, str] = {}  # in this process, each with the reason
_off: frozenset[str] | None = None


def known() -> list[FeatureRecord]:
    """Return all features, also those off or broken: the built-in ones by name, then those from outside."""
    global _known
    if _known is None:
        _known = noted if (noted := _noted()) is not None else look_up()
    return _known


def look_up() -> list[FeatureRecord]:
    """Look for features again, load each, note what they provide, and return them."""
    global _known
    spent = {each.name: each.milliseconds for each in _known or ()}  # importing again would show no time
    forget()
    _known = []
    for name, module, origin in [*_built_in(), *_from_outside(_places())]:
        found = _examined(name, module, origin)
        found.milliseconds = max(found.milliseconds, spent.get(name, 0.0))
        _known.append(found)
    _note(_known)
    return _known


def forget() -> None:
    """Clear the list of features in this process, so that the next call reads the note again."""
    global _known, _off
    _known = _off = None
    _loaded.clear()
    failed_now.clear()


def enabled() -> list[FeatureRecord]:
    """Return the features that are neither broken nor switched off."""
    off = switched_off()
    return [each for each in known() if not each.failure and each.name not in off and each.name not in failed_now]


def failures() -> dict[str, str]:
    """Return the features that can't be used, each with the reason."""
    return {each.name: each.failure for each in known() if each.failure} | failed_now


def fail(name: str, error: BaseException) -> None:
    """Leave a feature out from now on, in this process."""
    failed_now.setdefault(name, _reason(error))


def load(feature: FeatureRecord) -> extend.Feature | None:
    """Return the object of a feature, or None when it can't be loaded."""
    if feature.name not in _loaded:
        try:
            _loaded[feature.name] = _import(feature.name, feature.module)
        except (Exception, SystemExit) as error:
            _loaded[feature.name] = None
            fail(feature.name, error)
    return _loaded[feature.name]


def commands() -> list[tuple[str, list[str]]]:
    """Return the commands of all features, as `extend.Command` has them, each with its feature; import none."""
    return [(each.name, command) for each in enabled() for command in each.commands]


def folder_of(name: str) -> str:
    """Return the folder of a feature, or "" when there is none."""
    return next((os.path.dirname(each.file) for each in known() if each.name == name and each.file), "")


def guarded(name: str, make: Callable[[], T], otherwise: T) -> T:
    """Return the result of a feature's function. One that fails is left out from now on and gives `otherwise`."""
    try:
        return make()
    except Exception as error:
        fail(name, error)
        return otherwise


def bringing(kind: str, also_off: bool = False) -> Iterator[tuple[str, extend.Feature]]:
    """Yield the features that provide something of this kind, loaded."""
    for each in known() if also_off else enabled():
        if kind in each.brings and (feature := load(each)):
            yield each.name, feature


def switched_off() -> frozenset[str]:
    """Return the names of the features that the user wants off, as they were when this process began."""
    global _off
    _off = wanted_off() if _off is None else _off
    return _off


def wanted_off() -> frozenset[str]:
    """Return the names of the features that the user wants off now."""
    return frozenset(filter(None, map(str.strip, _read(_off_file()).splitlines())))


def switch(name: str, on: bool) -> None:
    """Switch a feature on or off for all vaults of the user. Raise NotFound when there is none of this name."""
    if name not in [each.name for each in known()]:
        raise NotFound("there is no feature '{name}'", "mem features lists them", name=name)
    global _off
    _off = wanted_off() - {name} if on else wanted_off() | {name}
    _replace(_off_file(), "".join(f"{each}\n" for each in sorted(_off)))


def owner_of(command: str) -> str:
    """Return the feature that provides a command and is not in use, or "" when there is none."""
    bringing_it = [each for each in known() if command in [entry[0] for entry in each.commands]]
    return next((each.name for each in bringing_it if each not in enabled()), "")


def _off_file() -> str:
    return os.path.join(discover.config_home(os.environ), OFF)


def _built_in() -> Iterator[tuple[str, str, str]]:
    """Yield (name, module, origin) of the folders beside this file."""
    folders = os.listdir(FOLDER) if os.path.isdir(FOLDER) else []
    for name in sorted(folders):
        if os.path.isfile(os.path.join(FOLDER, name, "feature.py")):
            yield name, f"memcli.features.{name}.feature:FEATURE", BUILT_IN


def _places() -> list[str]:
    """Return the folders of this environment that hold packages, except the current one and `sys.path[0]`."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = ""
    own = filter(None, sys.path if getattr(sys.flags, "safe_path", False) else sys.path[1:])  # others fill the first
    return [each for each in dict.fromkeys(own) if os.access(f"{each}/", os.R_OK) and os.path.realpath(each) != here]


def _from_outside(places: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, module, origin) of packages that name an entry point."""
    for place in places:
        for folder in sorted(os.listdir(place)):
            package, _, kind = folder.rpartition(".")
            is_package = kind in ("dist-info", "egg-info")
            if not is_package or GROUP not in (text := _read(os.path.join(place, folder, "entry_points.txt"))):
                continue
            for line in text.partition(GROUP)[2].partition("\n[")[0].splitlines():
                name, equals, target = (part.strip() for part in line.partition("="))
                if equals and name and not name.startswith("#"):
                    yield name, target if ":" in target else f"{target}:FEATURE", package.replace("-", " ", 1)


def _examined(name: str, module: str, origin: str) -> FeatureRecord:
    """Return a feature with what it provides, or with the reason why it can't be used."""
    from memcli import feature_check

    began, path = perf_counter(), module.partition(":")[0]
    found = FeatureRecord(name, module, origin)
    try:
        if name in [each.name for each in _known or ()]:
            raise ValueError("there is a feature of this name already")
        feature = _loaded[name] = _import(name, module)
        feature_check.check_contents(feature)
        feature_check.check_names(feature, [each.brings for each in _known or ()])
        found.about, found.brings = feature.about, feature_check.brings(feature)
        found.commands = [list(command) for command in feature.commands]
        found.tools = [{**tool._asdict(), "properties": dict(tool.properties), "run": ""} for tool in feature.mcp_tools]
        found.defaults = feature_check.plain_defaults(feature)
        found.milliseconds = round((perf_counter() - began) * 1000, 1)
    except (Exception, SystemExit) as error:
        found.failure = _reason(error)
    found.file = feature_check.file_of(path)
    return found


def _import(name: str, module: str) -> extend.Feature:
    from memcli import feature_check

    path, _, attribute = module.partition(":")
    return feature_check.checked(getattr(import_module(path), attribute), name)


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def _noted() -> list[FeatureRecord] | None:
    """Return the features as noted, or None when the note is missing or something came or went since."""
    try:
        note = json.loads(_read(_note_file()) or "{}")
        if note.get("stamp") != _stamp():
            return None
        features = [FeatureRecord(**each) for each in note["features"]]
        return features if note["files"] == [_changed(each.file) for each in features] else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _note(features: list[FeatureRecord]) -> None:
    """Note the features. Where the note can't be written, the next start looks again."""
    note = {
        "stamp": _stamp(),
        "features": [vars(each) for each in features],
        "files": [_changed(each.file) for each in features],
    }
    try:
        _replace(_note_file(), json.dumps(note, ensure_ascii=False))
    except OSError:
        pass


def _stamp() -> list[Any]:
    return [FORMAT, *([place, _changed(place)] for place in [FOLDER, *_places()])]


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _note_file() -> str:
    import zlib

    places = "\n".join([sys.prefix, HOUSE, *_places()])
    return os.path.join(discover.cache_home(os.environ), f"features-{zlib.crc32(places.encode()):08x}.json")


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _replace(file: str, text: str) -> None:
    os.makedirs(os.path.dirname(file), exist_ok=True)
    fresh = f"{file}.{os.getpid()}"
    with open(fresh, "w", encoding="utf-8") as opened:
        opened.write(text)
    os.replace(fresh, file)
