"""Find evidence for a plan: ways of working that are known for a task, and warnings, as in `mem pattern offer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memcli.evidence import Evidence, PlanStep, Want
from memcli.features.ways.offer import offered
from memcli.text.clean import one_line
from memcli.vault.vault import Vault


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return the way to take, other proven ones, and warnings. The list is empty if the step wants only notes with a
    tag or of a type. A warning with a single sign is left out."""
    if step.want != Want():
        return []
    found = offered(vault, step.query)
    made = [
        Evidence(
            step.source, each.failure.id, f"beware: {one_line(each.failure.what)}", each.places[0], each.summary,
            each.failure.last_used, score=1.0,
        )
        for each in found.warnings if len(each.signs) != 1
    ]  # fmt: skip
    made += [
        Evidence(
            step.source, each.way.id, each.way.goal, each.way.place,
            f"{each.way.goal}: {each.way.summary} ({each.why})", each.way.last_used, score=each.likeness,
        )
        for each in found.ways if each.chosen or each.proven
    ]  # fmt: skip
    return made[: step.most]
