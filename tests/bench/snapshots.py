"""How much of what must survive of a talk its snapshot holds: `python tests/bench/snapshots.py FILE [--show]`.

A file is a list of talks, each with `must` (lists of spellings, of which one has to stand in the snapshot) and `mustnot`
(what was given up).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memcli.features.talk.snapshot import measure, snapshot
from memcli.session.fold import SessionMessage


def main(file: str, show: bool) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for talk in json.loads(Path(file).read_text(encoding="utf-8")):
        lang = talk["lang"]
        messages = [SessionMessage(one["role"], one["text"]) for one in talk["talk"]]
        text = snapshot(messages, {})
        _, size, _, most = measure(messages)
        missing = [ways for ways in talk["must"] if not _stands(ways, text)]
        given_up = [way for way in talk.get("mustnot", []) if _stands([way], text)]
        counts[lang, "must"] += len(talk["must"])
        counts[lang, "missing"] += len(missing)
        counts[lang, "given up"] += len(given_up)
        counts[lang, "too long"] += size(text) > most
        counts[lang, "talks"] += 1
        if show and (missing or given_up):
            _show(talk, text, missing, given_up)
    for lang in sorted({lang for lang, _ in counts}):
        must, missing = counts[lang, "must"], counts[lang, "missing"]
        print(
            f"{lang}: {counts[lang, 'talks']} talks, {1 - missing / must:.1%} of {must} survive,"
            f" {counts[lang, 'given up']} that was given up is told, {counts[lang, 'too long']} too long"
        )


def _stands(ways: list[str], text: str) -> bool:
    return any(way.lower() in text.lower() for way in ways)


def _show(talk: dict[str, Any], text: str, missing: list[list[str]], given_up: list[str]) -> None:
    print(f"{talk['id']} {talk['kind']}: missing {missing}, given up {given_up}")
    for one in talk["talk"]:
        print(f"    {one['role'][0]}: {one['text']}")
    print(f"    => {text}")


if __name__ == "__main__":
    main(sys.argv[1], "--show" in sys.argv)
