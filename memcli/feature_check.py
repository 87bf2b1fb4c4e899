"""Check the object of a feature, and list what it provides."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memcli.errors import UsageError
from memcli.extend import VERSION, Feature, Secret


def checked(feature: object, name: str) -> Feature:
    """Return the feature if `mem` can use it. Raise UsageError with the reason when it can't."""
    if not isinstance(feature, Feature):
        raise UsageError("{kind} is not a Feature of memcli.extend", kind=type(feature).__name__)
    if feature.name != name:
        raise UsageError("it is called {name} and installed as {other}", name=feature.name, other=name)
    if feature.version != VERSION:
        raise UsageError(
            "it was made for version {wanted} of the extension interface, and this is version {version}",
            wanted=feature.version,
            version=VERSION,
        )
    for secret in feature.secrets:
        _check_secret(secret)
    return feature


def _check_secret(secret: Secret) -> None:
    """Raise UsageError when the gates could not use a format of secrets."""
    try:
        re.compile(secret.pattern)
    except re.error as error:
        raise UsageError("the pattern of the secret {name}: {why}", name=secret.name, why=error) from error


def brings(feature: Feature) -> dict[str, list[str]]:
    """Return the kinds of things that a feature provides, each with their names if they have any."""
    found: dict[str, list[str]] = {}
    for kind in Feature._fields[3:]:
        if value := getattr(feature, kind):
            named = value if isinstance(value, (tuple, Mapping)) else ()
            found[kind] = [each if isinstance(each, str) else str(getattr(each, "name", "")) for each in named]
    return found


def plain_defaults(feature: Feature) -> dict[str, bool | int | float | str]:
    """Return the defaults of a feature's settings, those that a note can hold."""
    defaults = {name: key.default for name, key in feature.settings.items()}
    return {name: value for name, value in defaults.items() if isinstance(value, (bool, int, float, str))}
