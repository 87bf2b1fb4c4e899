"""Define the command `mem eval`."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import Annotated, Any

from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM, RED
from memcli.cli.options import Budget
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.features.evaluation import evaluate
from memcli.features.evaluation.evaluate import CaseResult as Case
from memcli.features.evaluation.evaluate import Report
from memcli.message import Message
from memcli.text.clean import one_line


@command(
    "eval",
    "mem eval eval.yaml",
    "mem eval eval.yaml --min 0.95                   for a check before a push",
    "mem eval eval.yaml --compare default,classic --budget 400",
    "",
    "Cases are a YAML list:",
    "- ask: what did we decide about the cache",
    '  want: ["two-level cache", ^cache-redis]       texts, block ids, id:3f2a9c1',
    "  path: logs/2026-11-18.md                      must be cited; paths: [..] for several",
    '  not: ["twelve caches"]                        must not be in the block',
    "  budget: 300",
)
def eval_(
    terminal: Terminal,
    cases: Annotated[str, "CASES.yaml", "Questions with what must be found; - is stdin."],
    /,
    compare: Annotated[str, "PRESETS", "Scoring formulas side by side: default,classic."] = "",
    least: Annotated[
        float | None, "--min", "SHARE", "Exit 1 when fewer cases pass (with the first preset): 0.95."
    ] = None,
    budget: Budget = None,
    limit: Annotated[int, "-n", "Only the first cases; 0 for all."] = 0,
) -> Result:
    """Shows accuracy, rank, tokens, time, and why something was missed."""
    if least is not None and not 0 <= least <= 1:
        raise UsageError("--min {n}: a share between 0 and 1", n=f"{least:g}")
    given = terminal.text_of(cases)
    asked = evaluate.read_cases(given, "stdin" if cases == "-" else cases)
    asked = asked[:limit] if limit > 0 else asked
    vault = terminal.vault()
    presets = list(dict.fromkeys(name.strip() for name in compare.split(",") if name.strip())) or [""]
    reports = [evaluate.evaluate(vault, asked, perf_counter, preset, budget) for preset in presets]

    def text() -> None:
        _figures(terminal, reports)
        for report in reports:
            _misses(terminal, report, len(reports) > 1)

    share = reports[0].accuracy
    failure = None
    if least is not None and share < least:
        failure = CheckFailed("{share} of the cases passed, less than --min {n}", share=f"{share:.3f}", n=f"{least:g}")
    return Result({"cases": len(asked), "presets": [_as_json(report) for report in reports]}, text, failure=failure)


def _figures(terminal: Terminal, reports: list[Report]) -> None:
    """Print one row per figure and one column per preset."""
    rows = [["", *(report.preset for report in reports), ""]]
    for name, meaning, value in (
        ("accuracy", "cases with all that is wanted", lambda r: f"{r.accuracy:.3f}"),
        ("passed", "", lambda r: f"{len(r.results) - len(r.misses)} of {len(r.results)}"),
        ("found", "share of the wanted texts", lambda r: f"{r.found_share:.3f}"),
        ("rank", "mean reciprocal rank of the first wanted memory", lambda r: f"{r.reciprocal_rank:.3f}"),
        ("tokens", "mean and largest block", lambda r: f"{r.token_sizes[0]:.0f} / {r.token_sizes[1]}"),
        ("latency", "p50 and p95, within the process", lambda r: f"{_ms(r, 0.5):.1f} / {_ms(r, 0.95):.1f} ms"),
    ):
        rows.append([terminal.translate(name), *map(value, reports), terminal.translate(meaning)])
    terminal.table(rows, (DIM, *[BOLD] * len(reports), DIM))


def _misses(terminal: Terminal, report: Report, named: bool) -> None:
    """Print a line for each missed question, and one under it for each fault."""
    if report.misses:
        terminal.out()
        missed = len(report.misses)
        terminal.out(
            terminal.translate(
                Message("{n} missed with {preset}", n=missed, preset=report.preset)
                if named
                else Message("{n} missed", n=missed)
            )
        )
    for miss in report.misses:
        terminal.out(f"  {terminal.paint('✗', RED)} {one_line(miss.case.ask)}")
        for reason in miss.reasons:
            more = f"  ({terminal.translate(reason.detail)})" if reason.detail else ""
            terminal.out(f"      {terminal.translate(reason.kind)}{terminal.speech.colon}{one_line(reason.what)}{more}")


def _ms(report: Report, share: float) -> float:
    return report.latency(share) * 1000


def _as_json(report: Report) -> dict[str, Any]:
    mean, largest = report.token_sizes
    return {
        "preset": report.preset,
        "accuracy": round(report.accuracy, 4),
        "found": round(report.found_share, 4),
        "reciprocal_rank": round(report.reciprocal_rank, 4),
        "tokens": {"mean": round(mean, 1), "max": largest},
        "latency_ms": {"p50": round(_ms(report, 0.5), 2), "p95": round(_ms(report, 0.95), 2)},
        "results": [_json_result(result) for result in report.results],
    }


def _json_result(result: Case) -> dict[str, Any]:
    known = {name: getattr(result, name) for name in ("passed", "found", "rank", "tokens")}
    counted = {"wanted": len(result.case.want), "ms": round(result.seconds * 1000, 2)}
    return {"ask": result.case.ask, **known, **counted, "why": [asdict(reason) for reason in result.reasons]}
