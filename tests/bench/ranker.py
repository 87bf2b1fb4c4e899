"""How well recall ranks, answers briefly and stays silent, on development sets that lie outside this repository.

    python tests/bench/ranker.py FOLDER [--sets life,realmem] [--sample 60] [--model FOLDER] [--fit]

FOLDER holds sets in three shapes: talks (`conversation` and `qa`, as LoCoMo has them), a year of a person's notes, and
an agent's memories with the prompts that use them (both gzipped). Every set is laid as daily logs in a temporary folder
and asked within this process. Printed is a table of sets x (first, top5, any at 1000 and at 300 tokens, full, useful,
tokens, silent), each beside plain BM25 over the same lines, which pays 8 tokens a line for its place.

`--fit` fits the weights of `memcli/recall/score.py` on all sets together, each set weighing the same, and prints the
table for each set while it is left out. It needs numpy.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))


from plain import Plain

from memcli.index import download
from memcli.jobs import catch_up
from memcli.recall import Request, recall
from memcli.vault.vault import Vault, open_vault

PLACE = 8  # tokens that plain BM25 pays for the place of a line
Where = tuple[str, int]  # file and line


class Case(NamedTuple):
    """A question, the vault it is asked in, and the lines that answer it."""

    root: Path
    now: datetime
    question: str
    answers: frozenset[Where]


def one_line(text: object) -> str:
    return " ".join(str(text).split())


class Laid:
    """Daily logs being written: a bullet a memory, and where each came to stand."""

    def __init__(self, root: Path) -> None:
        self.root, self.days, self.sessions = root, defaultdict(list), {}

    def add(self, day: str, text: str, session: str = "", under: bool = False) -> Where:
        lines = self.days[day] or self.days[day].extend([f"# {day}", ""]) or self.days[day]
        if session and self.sessions.get(day) != session:
            lines += ["", f"## {session}", ""]
            self.sessions[day] = session
        lines.append(f"    - {one_line(text)}" if under else f"- {one_line(text)}")
        return f"logs/{day}.md", len(lines)

    def write(self) -> Path:
        (self.root / "logs").mkdir(parents=True, exist_ok=True)
        for day, lines in self.days.items():
            (self.root / "logs" / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (self.root / "mem.yaml").write_text("", encoding="utf-8")
        return self.root


def talks(path: Path, work: Path, notes: bool) -> Iterator[Case]:
    """Yield the questions about talks; as `notes` without headings and without who says a line."""
    for item in json.loads(path.read_text(encoding="utf-8")):
        talk, laid, where = item["conversation"], Laid(work / f"{path.stem}-{item['sample_id']}"), {}
        last = datetime.min
        for number in range(1, 1000):
            if f"session_{number}" not in talk:
                continue
            when = datetime.strptime(talk[f"session_{number}_date_time"].replace(" ", ""), "%I:%M%pon%d%B,%Y")
            last = max(last, when)
            for turn in talk[f"session_{number}"]:
                photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                said = turn["text"] + photo if notes else f"{turn['speaker']}: {turn['text']}{photo}"
                where[turn["dia_id"]] = laid.add(f"{when:%Y-%m-%d}", said, "" if notes else f"{when:%H:%M} talk")
        root = laid.write()
        for qa in item["qa"]:
            marks = [mark for raw in qa.get("evidence", []) for mark in re.findall(r"D\d+:\d+", raw)]
            answers = frozenset(where[mark] for mark in [*marks, *qa.get("alt", [])] if mark in where)
            if answers:
                yield Case(root, last + timedelta(days=1), qa["question"], answers)


def lives(path: Path, work: Path) -> Iterator[Case]:
    """Yield the questions about a year of a person's notes, asked at the end of the month of the question."""
    for name, person in json.loads(gzip.decompress(path.read_bytes())).items():
        rows = sorted(_noted(person), key=lambda row: row[:2])
        months: dict[str, tuple[Path, dict[tuple[str, str], set[Where]]]] = {}
        for asked in person["qa"]:
            month = str(asked.get("ask_time"))[:7]
            marks = {(each["type"], str(each["id"])) for each in asked.get("evidence") or () if "id" in each}
            if month not in ("2025-10", "2025-12"):
                continue
            if month not in months:
                laid, where = Laid(work / f"{path.stem}-{name}-{month}"), defaultdict(set)
                for at, key, said in rows:
                    if at[:7] <= month:
                        for depth, text in enumerate(said):
                            line = text if depth else f"{at[11:]} {text}"
                            where[key].add(laid.add(at[:10], line, under=bool(depth)))
                months[month] = laid.write(), where
            root, where = months[month]
            if answers := frozenset().union(*(where[mark] for mark in marks if mark in where)):
                yield Case(root, datetime.fromisoformat(f"{month}-31T22:00"), asked["question"], answers)


def _noted(person: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str], list[str]]]:
    for kind in ("note", "sms", "calendar", "photo", "agent_chat"):
        for each in person[kind]:
            at = each.get("datetime") or f"{each.get('date', '')} 21:00:00"
            if len(at) < 16:
                continue
            if kind == "note":
                said = [f"{each['title']}：{each['content']}"]
            elif kind == "sms":
                to = "发给" if each["message_type"] == "发送" else ""
                said = [f"{to}{each['contactName']}：{each['message_content']}"]
            elif kind == "calendar":
                said = [f"日程 {each['start_time'][:16]} {each['title']}：{each['description']}"]
            elif kind == "photo":
                said = [f"照片：{each['caption']}（{each['location']['poi']}）"]
            else:
                turns = [turn for turn in each["conversation"].values() if isinstance(turn, dict)]
                who = (("user", "我"), ("assistant", "助手"))
                said = ["和助手聊"]
                said += [f"{name}：{turn[key]['content']}" for turn in turns for key, name in who if turn.get(key)]
            yield at[:16], (kind, str(each["phone_id"])), said


def agents(path: Path, work: Path) -> Iterator[Case]:
    """Yield what people typed to an agent, with the memories noted before that served it."""
    for name, sessions in json.loads(gzip.decompress(path.read_bytes())).items():
        noted: dict[str, str] = {}
        for at, session in enumerate(sessions):
            for asked in session["queries"][:1] if len(noted) >= 40 else ():
                uses = set(asked["uses"]) & set(noted)
                if uses:
                    laid = Laid(work / f"{path.stem}-{name}-{at}")
                    where = {text: laid.add(day, text) for text, day in noted.items()}
                    root = laid.write()
                    yield Case(root, datetime.fromisoformat(f"{session['day']}T09:00"), asked["said"],
                               frozenset(where[text] for text in uses))  # fmt: skip
            for text in session["noted"]:
                noted.setdefault(text, session["day"])


def load(folder: Path, work: Path, sample: int, only: list[str]) -> dict[str, list[Case]]:
    """Return the sets that lie in a folder, by name."""
    sets = {}
    for path in sorted(folder.iterdir()):
        name = path.name.split(".")[0]
        if only and not any(part in name for part in only):
            continue
        cases: list[Case] = []
        if path.name.endswith(".json.gz"):
            cases = list(lives(path, work) if "life" in name else agents(path, work))
        elif path.suffix == ".json":
            cases = list(talks(path, work, notes="madial" in name))
        if cases:
            sets[name] = random.Random(7).sample(cases, min(sample or len(cases), len(cases)))
    return sets


def vault_of(case: Case, model: Model | None = None) -> Vault:
    """Return the vault of a case; with a model its index is brought up to date."""
    if model is None:
        return open_vault(case.root, lambda: case.now, {})
    vault = open_vault(case.root, lambda: case.now, model.environ, {"index.model": model.name})
    if case.root not in model.indexed:
        catch_up(vault)
        model.indexed.add(case.root)
    return vault


class Model(NamedTuple):
    """An embedding model in use: its name, where it is registered, and the vaults that have their index."""

    name: str
    environ: dict[str, str]
    indexed: set[Path]


def registered(folder: str, home: str) -> Model:
    """Register a model that lies in a folder, or take one by its name."""
    environ = {"XDG_DATA_HOME": home, "XDG_CACHE_HOME": home}
    if Path(folder).is_dir():
        download.register(Path(folder), environ, "bench")
    return Model("bench" if Path(folder).is_dir() else folder, environ, set())


def measured(case: Case, model: Model | None = None) -> dict[str, float]:
    """Return what a recall and plain BM25 bring for one question."""
    vault = vault_of(case, model)
    block = recall(vault, Request(case.question, 1000, format="json"))
    shown = [(each.scored.entry.path, each.scored.entry.line) for each in block.chosen]
    by_score = sorted(block.chosen, key=lambda each: -each.scored.score)
    ranked = [(each.scored.entry.path, each.scored.entry.line) in case.answers for each in by_score]
    small = recall(vault, Request(case.question, 300, format="json"))
    found = {(each.scored.entry.path, each.scored.entry.line) for each in small.chosen}
    plain = Plain.of(case.root)
    order = plain.ranked(case.question)
    long, short = plain.block(order, 1000, PLACE), plain.block(order, 300, PLACE)
    return {
        "first": any(ranked[:1]), "top5": any(ranked[:5]), "any": any(ranked), "any300": bool(found & case.answers),
        "full": len(case.answers & set(shown)) / len(case.answers), "useful": sum(ranked) / max(1, len(ranked)),
        "tokens": block.tokens, "silent": not shown,
        "bm25 first": bool(order) and plain.keys[order[0]] in case.answers,
        "bm25 top5": any(plain.keys[at] in case.answers for at in order[:5]),
        "bm25 any": bool(long & case.answers), "bm25 any300": bool(short & case.answers),
    }  # fmt: skip


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--sets", default="", help="parts of names, with commas between")
    ask.add_argument("--sample", type=int, default=0, help="questions of each set")
    ask.add_argument("--model", default="", help="an embedding model or the folder of one: by meaning, too")
    ask.add_argument("--fit", action="store_true")
    args = ask.parse_args()
    with tempfile.TemporaryDirectory() as work:
        sets = load(args.folder, Path(work), args.sample, [part for part in args.sets.split(",") if part])
        if args.fit:
            import ranker_fit

            ranker_fit.run({name: [(vault_of(case), case) for case in cases] for name, cases in sets.items()})
            return
        columns = ("first", "top5", "any", "any300", "full", "useful", "tokens", "silent")
        print("| set | " + " | ".join(columns) + " | BM25 first · top5 · any · any300 | n |")
        print("| --- " * (len(columns) + 3) + "|")
        means, model = [], registered(args.model, work) if args.model else None
        for name, cases in sets.items():
            rows = [measured(case, model) for case in cases]
            mean = {key: statistics.mean(float(row[key]) for row in rows) for key in rows[0]}
            means.append(mean)
            print(_row(name, mean, columns, len(rows)), flush=True)
        print(_row("mean", {key: statistics.mean(mean[key] for mean in means) for key in means[0]}, columns, 0))


def _row(name: str, mean: dict[str, float], columns: tuple[str, ...], number: int) -> str:
    own = [f"{mean[key]:.0f}" if key == "tokens" else f"{mean[key]:.3f}" for key in columns]
    plain = " · ".join(f"{mean[f'bm25 {key}']:.3f}" for key in ("first", "top5", "any", "any300"))
    return f"| {name} | {' | '.join(own)} | {plain} | {number or ''} |"


if __name__ == "__main__":
    main()
