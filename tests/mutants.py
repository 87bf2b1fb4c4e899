"""Whether the tests notice when a number of the promises changes: python -m tests.mutants [ROW …]

Each number of `mutants.txt` is made a tenth larger and a tenth smaller (a small whole number one more, one less) in a
copy of the repository, and the tests named for it are run there. What they do not notice is told. By hand: it takes a
quarter of an hour.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from memcli.text.tables import Row, rows

HERE = Path(__file__).parent
KEPT = ("memcli", "tests", "docs", "sample_vault", "templates", "pyproject.toml", "LICENSE", "CHANGELOG.md")
PAGES = ("README.md", "README.zh-CN.md")
MARK = re.compile(r"«([\d._]+)»")


def mutants(line: str) -> list[tuple[str, str]]:
    """What stands in the file, and what is put there instead: more and less by a tenth."""
    number = MARK.search(line)
    assert number, f"{line}: no number is marked «so»"
    value = float(number[1]) if "." in number[1] else int(number[1])
    step = max(1, round(value / 10)) if isinstance(value, int) else value / 10
    return [(MARK.sub(r"\1", line), MARK.sub(f"{new:.6g}", line)) for new in (value + step, value - step)]


def survives(copy: Path, row: Row, old: str, new: str) -> bool:
    """Whether the tests named for a number pass all the same."""
    file = copy / row["file"][0]
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{row['file'][0]}: {old!r} stands there {text.count(old)} times"
    file.write_text(text.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "-o", "addopts="]
    try:
        done = subprocess.run(
            [*command, *row["tests"]], cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True
        )
    finally:
        file.write_text(text, encoding="utf-8")
    assert done.returncode in (0, 1), done.stdout.decode()[-2000:]
    return done.returncode == 0


def main(wanted: list[str]) -> int:
    survivors = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        for name in (*KEPT, *PAGES):
            place = HERE.parent / name
            shutil.copytree(place, copy / name) if place.is_dir() else shutil.copy(place, copy / name)
        for row in rows(HERE / "mutants.txt"):
            if wanted and row["row"][0] not in wanted:
                continue
            numbers = [pair for line in row.get("number", ()) for pair in mutants(line)]
            others = [tuple(line.split(" => ")) for line in row.get("change", ())]
            for old, new in numbers + others:
                alive = survives(copy, row, old, new)
                survivors += alive
                print(f"{'SURVIVES' if alive else 'noticed '}  {row['row'][0]:4} {row['file'][0]}: {new}", flush=True)
    print(f"{survivors} survive" if survivors else "every change was noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
