"""What `mem nudge` brings up in a year, day by day, against what should have been: nudge.py FOLDER LANG [--half HALF]

FOLDER has the vault LANG/ and its keys LANG_duties.json (all), LANG_HALF.json, LANG_never.json, LANG_may.json. Each day
a reader sees the logs up to it, lasting lines whose `[on:: …]` has come, and boxes checked off by then. Nobody answers
unless --answers: then what is right is accepted, and what is wrong declined.

  precision  share of what was brought that some duty's span allows; what may be said, and a duty said again, count for neither
  dated      share of the duties with a day that were brought within their span; undated: of the others
  early      brought before the span of its duty

--show prints what was missed of the half and what was wrong, as far as a line is of the half to tune on.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from memcli.features.nudge import outcomes, propose
from memcli.vault import entries
from memcli.vault.vault import open_vault

entries.parse_document = lru_cache(maxsize=None)(entries.parse_document)  # the same files, day after day

DONE = re.compile(r"- \[x\] (.*?)\s*\[done:: (\d{4}-\d\d-\d\d)\]\s*$")
ON = re.compile(r"\s*\[on:: (\d{4}-\d\d-\d\d)\]\s*$")


def seen_on(text: str, day: date) -> str:
    """A file as a reader sees it on a day; lines keep their places, so what is not there yet is an empty one."""
    lines = []
    for line in text.split("\n"):
        if (on := ON.search(line)) and on[1] > day.isoformat():
            line = ""
        elif on:
            line = line[: on.start()]
        if done := DONE.search(line):
            line = f"- [x] {done[1]}" if done[2] <= day.isoformat() else f"- [ ] {done[1]}"
        lines.append(line)
    return "\n".join(lines)


class Year:
    """The vault as it grows."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.folder = folder
        self.files = {path.relative_to(source).as_posix(): path.read_text("utf-8") for path in source.rglob("*.md")}
        self.laid: dict[str, str] = {}

    def lay(self, day: date) -> None:
        for name, text in self.files.items():
            if name.startswith("logs/") and Path(name).stem > day.isoformat():
                continue
            if self.laid.get(name) != (now := seen_on(text, day)):
                place = self.folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(now, "utf-8")
                self.laid[name] = now

    def line(self, citation: str) -> tuple[str, str]:
        path, _, number = citation.rpartition(":")
        return path, self.files[path].split("\n")[int(number) - 1]


def fits(one: dict[str, Any], path: str, line: str, shown: str) -> bool:
    """Whether a key means this line. Another place of it has words of its own, or is named by its file alone; of a file
    about somebody the name is shown, whatever the line."""
    others = [place if isinstance(place, dict) else {**one, "source": place} for place in one.get("also", [])]
    told = f"{line} {shown}" if path.startswith("people/") else line
    if any(place["source"] == path and all(word in told for word in place["must"]) for place in [one, *others]):
        return True
    names = one.get("alt") or []
    names = [names] if isinstance(names, str) else names
    return bool(names) and one["source"] == path and all(name in shown for name in names)


def within(one: dict[str, Any], day: date) -> bool:
    return bool(one["from"] <= day.isoformat() <= one["until"])


class Score:
    def __init__(self, folder: Path, language: str, half: str) -> None:
        def read(name: str) -> list[dict[str, Any]]:
            path = folder / f"{language}_{name}.json"
            found: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
            return found

        self.all, self.may, self.half = read("duties"), read("may"), read("duties" if half == "all" else half)
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[tuple[str, str]] = Counter()
        self.brought: dict[str, date] = {}
        self.wrong: list[tuple[date, Any, str]] = []

    def judge(self, day: date, found: Any, path: str, line: str) -> str:
        mine = [one for one in self.all if fits(one, path, line, f"{found.text} {found.why}")]
        now = [one for one in mine if within(one, day)]
        if now:
            fresh = [one for one in now if one["id"] not in self.brought]
            self.brought.update({one["id"]: day for one in fresh})
            return "right" if fresh else "again"
        if any(fits(one, path, line, "") and within(one, day) for one in self.may):
            return "may"
        return "early" if any(day.isoformat() < one["from"] for one in mine) else "late" if mine else "wrong"

    def report(self, days: int) -> str:
        counts = self.counts
        bad = sum(counts[what] for what in ("wrong", "early", "late"))
        right = counts["right"]
        lines = [f"brought {sum(counts.values())} in {days} days: {dict(counts)}"]
        lines += [f"precision {right / max(1, right + bad):.3f}  (with what is said again: "
                  f"{(right + counts['again']) / max(1, right + bad + counts['again']):.3f})"]  # fmt: skip
        for dated in (True, False):
            wanted = [one for one in self.half if one["dated"] is dated]
            got = [one for one in wanted if one["id"] in self.brought]
            lines.append(f"{'dated' if dated else 'undated'} {len(got)}/{len(wanted)} = {len(got) / len(wanted):.3f}")
        by_kind = {
            kind: [one for one in self.half if one["kind"] == kind] for kind in {one["kind"] for one in self.half}
        }
        got_of = {kind: sum(one["id"] in self.brought for one in ones) for kind, ones in by_kind.items()}
        lines += [
            "recall by kind: " + ", ".join(f"{kind} {got_of[kind]}/{len(by_kind[kind])}" for kind in sorted(by_kind))
        ]
        lines += [
            "brought by kind: " + ", ".join(f"{kind} {what} {n}" for (kind, what), n in sorted(self.kinds.items()))
        ]
        return "\n".join(lines)


def of_dev(line: str) -> bool:
    """Which half of the lines that no key names is looked at while tuning."""
    return zlib.crc32(line.encode()) % 2 == 0


def walk(folder: Path, language: str, half: str, answers: bool, first: date, last: date) -> Iterator[Any]:
    score = Score(folder, language, half)
    with tempfile.TemporaryDirectory() as scratch:
        year = Year(folder / language, Path(scratch))
        day = first
        while day <= last:
            year.lay(day)
            now = datetime(day.year, day.month, day.day, 8, 30)
            vault = open_vault(Path(scratch), lambda now=now: now)
            found = propose.proposals(vault)
            outcomes.note_brought(vault, found)
            for each in found:
                path, line = year.line(each.citation)
                verdict = score.judge(day, each, path, line)
                score.counts[verdict] += 1
                score.kinds[each.kind, verdict] += 1
                if verdict in ("wrong", "early", "late"):
                    score.wrong.append((day, each, f"{verdict}: {line}"))
                if answers and verdict != "may":
                    outcomes.record_answer(vault, each.id, "accepted" if verdict in ("right", "again") else "declined")
            day += timedelta(days=1)
    yield score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("language", choices=("en", "zh"))
    parser.add_argument("--half", default="dev", choices=("dev", "held", "all"))
    parser.add_argument("--answers", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--first", type=date.fromisoformat, default=date(2025, 11, 1))
    parser.add_argument("--last", type=date.fromisoformat, default=date(2026, 10, 31))
    asked = parser.parse_args()
    for score in walk(asked.folder, asked.language, asked.half, asked.answers, asked.first, asked.last):
        print(score.report((asked.last - asked.first).days + 1))
        if asked.show and asked.half != "held":
            ids = {one["id"] for one in score.half}
            held = [one for one in score.all if one["id"] not in ids]
            files = Year(asked.folder / asked.language, Path()).files
            for one in score.half:
                if one["id"] not in score.brought:
                    text = files[one["source"]]
                    lines = [line for line in text.split("\n") if all(word in line for word in one["must"])] or [text]
                    print("missed", one["kind"], one["from"], one["until"], one["source"], *lines)
            for day, found, told in score.wrong:
                path, line = found.citation.rpartition(":")[0], told.partition(": ")[2]
                if (not held or of_dev(line)) and not any(fits(one, path, line, found.text) for one in held):
                    print(day, found.kind, found.why, "|", found.citation, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
