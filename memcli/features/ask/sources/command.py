"""Query any command that prints JSON, one result a line: a wiki, an intranet search, another vault's `mem ask`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from threading import current_thread
from typing import Any

from memcli.errors import MissingPart
from memcli.evidence import Evidence, PlanStep
from memcli.features.ask.sources import ASKED, end_thread, far, register_end
from memcli.llm import command
from memcli.text.clean import one_line
from memcli.vault import settings
from memcli.vault.vault import Vault

_HERE = re.compile(r"""(["']?)\{query\}\1""")


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return what the command prints as evidence.

    The question goes in by stdin, and by a variable where `{query}` stands, so the shell never parses it, whatever its
    quotes.
    """
    query = one_line(step.query)
    line = _HERE.sub('"$MEM_QUERY"', str(config["command"]))
    environ = {**vault.environ, ASKED: "1", "MEM_QUERY": query.lstrip("- ")}  # no argument may pose as an option
    workdir = settings.data_home(vault.environ) / "sources"
    read, end = command.begin(line, query, workdir, environ, f"sources.{step.source}")
    register_end(end)
    try:
        output = read(lambda piece: None)
    finally:
        end_thread(current_thread())
    found = far.as_evidence(vault, config, step, _results(vault, config, step, output))
    return [each if "://" in each.place else replace(each, place=_place(step, each)) for each in found]


def _place(step: PlanStep, result: Evidence) -> str:
    """Return the place of a result behind the source's name, so that its path can't be taken for one of ours."""
    return f"{step.source}:{result.place}" if result.place else ""


def _results(vault: Vault, config: Mapping[str, Any], step: PlanStep, output: str) -> list[Any]:
    if not output.strip():
        return []
    try:
        return far.results(output, config)
    except ValueError:
        found, odd = [], 0
    for line in filter(str.strip, output.split("\n")):
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            odd += 1
    if odd and not found:
        raise MissingPart("what it prints is not JSON", "an object a line, with title, url and text")
    if odd:
        vault.notice("{name}: {n} line{s} left out, not JSON", name=step.source, n=odd)
    return found
