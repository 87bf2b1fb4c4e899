"""How `mem import` bears much: notes by the hundred thousand, a talk export of gigabytes. It says how long each pass
took, and the most memory the process had.

    python -m tests.bench.moving notes 100000
    python -m tests.bench.moving talks 2000        megabytes of conversations.json
    python -m tests.bench.moving talks 2000 read   what reading alone takes, without the gates
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memcli.features.move import archives, formats, sorter
from memcli.features.move import bring as bringing
from memcli.features.move.import_plan import ImportOptions
from memcli.vault import history
from memcli.vault.vault import open_vault

WORDS = """harbour kettle window garden letter river engine paper winter bridge market violin lantern orchard ticket
compass gravel blanket marble saddle anchor candle pepper ladder meadow pocket thunder velvet walnut feather""".split()


def said(number: int, many: int) -> str:
    chance = random.Random(number)
    return " ".join(chance.choice(WORDS) for _ in range(many))


def notes(place: Path, many: int) -> None:
    """A zip of Markdown notes in folders, each of some lines, with links and tags."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        for number in range(many):
            lines = [f"- {said(number * 7 + row, 12)} #{WORDS[number % 30]}" for row in range(6)]
            text = f"# {said(number, 3)}\n\n{said(number, 60)}\n\n" + "\n".join(lines) + f"\n\n[[note {number // 2}]]\n"
            made.writestr(f"notes/{number // 500}/note {number}.md", text)


def talks(place: Path, megabytes: int) -> None:
    """ChatGPT's conversations.json, one conversation after the other."""
    with place.open("w", encoding="utf-8") as out:
        out.write("[")
        for number, text in enumerate(_talks()):
            out.write((", " if number else "") + text)
            if number % 50 == 0 and out.tell() > megabytes * 2**20:
                break
        out.write("]")


def _talks() -> Iterator[str]:
    number = 0
    while True:
        nodes, last = {}, None
        for turn in range(12):
            key, role = f"{number}-{turn}", "assistant" if turn % 2 else "user"
            content = {"content_type": "text", "parts": [said(number * 13 + turn, 60)]}
            message = {"author": {"role": role}, "content": content, "create_time": 1.7e9 + number * 100 + turn}
            nodes[key] = {"id": key, "parent": last, "children": [f"{number}-{turn + 1}"], "message": message}
            last = key
        yield json.dumps({"id": str(number), "title": said(number, 4), "mapping": nodes, "current_node": last})
        number += 1


def measure(place: Path, folder: Path, alone: bool) -> None:
    vault = open_vault(folder, datetime.now, dict(os.environ))
    begun = time.monotonic()
    tree = archives.open_tree(place)
    wanted = ImportOptions(formats.detect_format(tree), keep=True)
    known = time.monotonic()
    if alone:
        many = sum(1 for _ in formats.load(wanted.format).read(tree))
        print(f"{many:,} things read alone in {time.monotonic() - known:.1f} s; {_peak()}")
        return
    planned = sorter.plan_import(vault, tree, wanted)
    told = time.monotonic()
    print(f"{place.stat().st_size / 2**20:,.0f} MB, opened and known in {known - begun:.1f} s", flush=True)
    print(
        f"planned in {told - known:.1f} s: {planned.fresh:,} things, {planned.messages:,} messages; {_peak()}",
        flush=True,
    )
    bringing.bring_items(vault, tree, wanted, planned=planned)
    brought = time.monotonic()
    print(f"brought in {brought - told:.1f} s; {_peak()}", flush=True)
    history.undo(vault)
    left = sum(1 for path in vault.root.rglob("*") if path.is_file() and "archive" not in path.parts)
    print(f"taken back in {time.monotonic() - brought:.1f} s, {left} files left; {_peak()}", flush=True)


def _peak() -> str:
    return f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB of memory"


if __name__ == "__main__":
    kind, many = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        vault = Path(folder, "vault")
        vault.mkdir()
        place = Path(folder, "notes.zip" if kind == "notes" else "conversations.json")
        (notes if kind == "notes" else talks)(place, many)
        measure(place, vault, "read" in sys.argv)
