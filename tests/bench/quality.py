"""How much of the known evidence stands in the block: quality.py DATA.json […]

DATA is LoCoMo-shaped: conversations with sessions of turns, and questions with the turns that answer them. Each
conversation is laid as a vault of daily logs, one bullet a turn, and every question is recalled on the day after the
last log, in this process or, with --mem, through the command line.

  any     share of questions with at least one turn of evidence (or one that says the same, `alt`) in the block
  full    mean share of the evidence in the block
  tokens  mean and largest block

Exit 1 when a call failed or a block was larger than the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from bm25 import Ranking

from memcli.index import download
from memcli.recall import Request, recall
from memcli.text import tokens
from memcli.text.words import CJK_RUN
from memcli.vault.vault import open_vault
from memcli.watch.resident import Resident

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Question:
    root: Path
    now: datetime
    text: str
    kind: str
    evidence: tuple[str, ...]
    alike: tuple[str, ...]  # turns that say the same as the evidence


@dataclass(frozen=True)
class Answer:
    question: Question
    found: float  # share of the evidence
    tokens: int
    seconds: float
    failure: str = ""


def main() -> int:
    args = arguments()
    with tempfile.TemporaryDirectory(prefix="mem-quality-") as folder:
        questions = [each for path in args.data for each in laid(path, Path(folder), args.lay)]
        if args.sample and args.sample < len(questions):
            questions = [questions[at * len(questions) // args.sample] for at in range(args.sample)]
        if not questions:
            print("no question with known evidence in this data", file=sys.stderr)
            return 1
        tokens.encoding()
        if args.mem:
            with ThreadPoolExecutor(args.jobs) as pool:
                answers = list(pool.map(lambda each: by_command(each, args.mem, args.budget, args.flags), questions))
        else:
            by_heart = meant(args.model, questions) if args.model else {}
            answers = [in_process(each, args.budget, by_heart.get(each.root), args.fill) for each in questions]
        beside = by_bm25(questions, args.budget) if args.against else []
    for miss in [each.question for each in answers if not each.found][: args.show]:
        print(f"missed ({miss.kind}): {miss.text}\n    {' | '.join(miss.evidence)[:300]}", file=sys.stderr)
    print(table(answers))
    if beside:
        print(f"\nPlain BM25 on the same questions, its lines without their places:\n\n{table(beside)}")
    broken = [each for each in answers if each.failure]
    if broken:
        print(f"\n{len(broken)} calls failed, the first: {broken[0].failure}", file=sys.stderr)
    over = max(each.tokens for each in answers) > args.budget
    if over:
        print("\na block was larger than the budget", file=sys.stderr)
    return 1 if broken or over else 0


def arguments() -> argparse.Namespace:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("data", nargs="+", type=Path)
    ask.add_argument("--budget", type=int, default=1000)
    ask.add_argument("--fill", action="store_true", help="whole budgets, as `mem recall --fill` (without --mem)")
    ask.add_argument("--sample", type=int, default=0, metavar="N", help="only N questions, spread evenly over all")
    ask.add_argument("--show", type=int, default=0, metavar="N", help="print N misses with their evidence on stderr")
    ask.add_argument(
        "--model", type=Path, metavar="FOLDER", help="by meaning too, with this model as ONNX (without --mem)"
    )
    ask.add_argument(
        "--lay", choices=("talk", "notes", "alone"), default="talk",
        help="notes: bullets without who says them; alone: all of them said by the one who writes",
    )  # fmt: skip
    ask.add_argument("--against", choices=("bm25",), help="measure this beside it, on the same questions")
    ask.add_argument("--mem", default="", metavar="COMMAND", help="ask through this command, e.g. mem")
    ask.add_argument("--flags", default="", help="more flags for `mem recall` (with --mem)")
    ask.add_argument("--jobs", type=int, default=1, help="processes at a time (with --mem)")
    return ask.parse_args()


def laid(data: Path, folder: Path, how: str) -> Iterator[Question]:
    """Lay every conversation as a vault; yield the questions whose evidence is known."""
    for number, item in enumerate(json.loads(data.read_text(encoding="utf-8"))):
        root = folder / f"{data.stem}-{number}"
        said, last = lay(item["conversation"], root, how)
        for asked in item["qa"]:
            evidence = [turn for given in asked.get("evidence", []) for turn in TURN.findall(given) if turn in said]
            if evidence:
                yield Question(
                    root, last + timedelta(days=1), asked["question"], KINDS.get(asked.get("category"), "other"),
                    tuple(said[turn] for turn in dict.fromkeys(evidence)),
                    tuple(said[turn] for turn in asked.get("alt", []) if turn in said),
                )  # fmt: skip


def lay(conversation: dict[str, Any], root: Path, how: str) -> tuple[dict[str, str], datetime]:
    """Daily logs, a heading for each session; what each turn says, and when the last session was."""
    said: dict[str, str] = {}
    logs: dict[str, list[str]] = {}
    last = datetime.min
    sessions = sorted((key for key in conversation if re.fullmatch(r"session_\d+", key)), key=lambda k: int(k[8:]))
    for key in sessions:
        when = datetime.strptime(conversation[f"{key}_date_time"].replace(" ", ""), "%I:%M%pon%d%B,%Y")
        last = max(last, when)
        lines = logs.setdefault(f"{when:%Y-%m-%d}", [f"# {when:%Y-%m-%d}"])
        lines += [""] if how == "notes" else ["", f"## {when:%H:%M} conversation", ""]
        for turn in conversation[key]:
            photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said[turn["dia_id"]] = folded(turn["text"] + photo)
            own = "我" if CJK_RUN.search(turn["text"]) else "Me"
            lead = {"talk": f"{turn['speaker']}: ", "alone": f"{own}: "}.get(how, "")
            lines.append(f"- {lead}{said[turn['dia_id']]}")
    (root / "logs").mkdir(parents=True)
    (root / "mem.yaml").touch()
    for day, lines in logs.items():
        (root / "logs" / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return said, last


def meant(model: Path, questions: list[Question]) -> dict[Path, Resident]:
    """The vaults with an index and a model, as a watcher has them."""
    environ = {"XDG_DATA_HOME": str(questions[0].root.parent / "data")}
    download.register(model, environ, "bench")
    found = {}
    for root in dict.fromkeys(each.root for each in questions):
        (root / "mem.yaml").write_text("index: {model: bench}\n", encoding="utf-8")
        found[root] = Resident(root)
        found[root].catch_up(open_vault(root, datetime.now, environ))
    return found


def in_process(question: Question, budget: int, live: Resident | None = None, fill: bool = False) -> Answer:
    vault = live.vault(lambda: question.now, {}, {}, "") if live else open_vault(question.root, lambda: question.now)
    begun = perf_counter()
    block = recall(vault, Request(question.text, budget, fill=fill))
    return judged(question, block.text, perf_counter() - begun)


def by_bm25(questions: list[Question], budget: int) -> list[Answer]:
    rankings: dict[Path, Ranking] = {}
    answers = []
    for question in questions:
        if question.root not in rankings:
            logs = [path.read_text(encoding="utf-8").split("\n") for path in sorted(question.root.glob("logs/*.md"))]
            rankings[question.root] = Ranking([line for log in logs for line in log if line.startswith("- ")])
        begun = perf_counter()
        block = rankings[question.root].block(question.text, budget)
        answers.append(judged(question, block, perf_counter() - begun))
    return answers


def by_command(question: Question, command: str, budget: int, flags: str) -> Answer:
    words = [*shlex.split(command), "--vault", str(question.root), "recall", "--budget", str(budget)]
    env = {**os.environ, "MEM_NOW": question.now.isoformat()}
    begun = perf_counter()
    done = subprocess.run([*words, *shlex.split(flags), "--", question.text], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8")  # fmt: skip
    failure = "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[-300:]}"
    return judged(question, done.stdout, perf_counter() - begun, failure)


def judged(question: Question, block: str, seconds: float, failure: str = "") -> Answer:
    text = folded(block)
    there = sum(turn in text for turn in question.evidence) or float(any(turn in text for turn in question.alike))
    return Answer(question, there / len(question.evidence), tokens.count(block), seconds, failure)


def table(answers: list[Answer]) -> str:
    """A row for each kind of question, and one for all."""
    rows = ["| questions | n | any | full | tokens, mean | largest | ms, median |", "| --- |" + " ---: |" * 6]
    for kind in [*sorted({each.question.kind for each in answers}), "all"]:
        some = [each for each in answers if kind in ("all", each.question.kind)]
        rows.append(
            f"| {kind} | {len(some)} | {statistics.mean(bool(each.found) for each in some):.3f}"
            f" | {statistics.mean(each.found for each in some):.3f}"
            f" | {statistics.mean(each.tokens for each in some):.0f} | {max(each.tokens for each in some)}"
            f" | {statistics.median(each.seconds for each in some) * 1000:.0f} |"
        )
    return "\n".join(rows)


def folded(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
