"""Register the feature `stats`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature, PagePart, PageView

if TYPE_CHECKING:
    from memcli.extend import Html, Row, View, Visit


def _rows() -> Iterable[Row]:
    from memcli.extend import Row

    yield Row("GET", "/v1/stats", "stats", "How much there is, and how it is used.")


def _view(visit: Visit) -> View:
    from memcli.features.stats.page import view

    return view(visit)


def _speed(visit: Visit) -> Iterable[Html]:
    from memcli.features.stats.page import speed_part

    return speed_part(visit)


FEATURE = Feature(
    "stats",
    "Shows in numbers what the memory holds and how it is used.",
    commands=(
        Command(
            "stats", "upkeep", "Show in numbers what it holds and how it is used.", "memcli.features.stats.cli",
            after="status",
        ),
    ),
    rest_rows=_rows,
    page_views=(PageView("/stats", _view, "Stats", "s", before="health"),),
    page_parts=(PagePart("health", _speed),),
)  # fmt: skip
