"""Register the feature `stats`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature, PageView, late

if TYPE_CHECKING:
    from memcli.extend import Row


def _rows() -> Iterable[Row]:
    from memcli.extend import Row

    yield Row("GET", "/v1/stats", "stats", "How much there is, and how it is used.")


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
    page_views=(PageView("/stats", late("memcli.features.stats.page:view"), "Stats", "s", before="health"),),
    health_parts=late("memcli.features.stats.page:speed_part"),
)  # fmt: skip
