"""How long whole processes take, and how much memory, against the size of the vault: speed.py [--sizes 100,1000,10000] […]

Synthetic vaults are laid in a temporary folder, the same bytes every time. Each round runs every command once, so that
a busy machine slows all of them alike; printed are medians over the rounds and ratios within the same run. A process
is cold (nothing stays in memory between calls), the disk cache is warm.

Other tools are named on the command line, `{vault}` and `{query}` filled in; --before is run once in each vault:

  speed.py --before 'grepper=grepper index {vault}' --peer 'grepper=grepper find {query}'
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from time import perf_counter

TODAY = date(2026, 11, 21)
RECALL, RG = "mem recall", "rg"
SYLLABLES = [first + second for first in "bdfghklmnprstvz" for second in "aeiou"]
HANZI = [chr(code) for code in range(0x4E00, 0x4E00 + 2500)]


class Vocabulary:
    """Invented words and characters; the common ones are as common as in real text (Zipf)."""

    def __init__(self) -> None:
        self.dice = Random(20261121)
        made = ("".join(self.dice.choices(SYLLABLES, k=self.dice.choice((2, 2, 3, 3, 4)))) for _ in range(40_000))
        self.words = list(dict.fromkeys(made))
        self._weights = {n: list(accumulate(1 / (k + 8) for k in range(n))) for n in (len(self.words), len(HANZI))}

    def text(self) -> str:
        return " ".join(self.dice.choices(self.words, cum_weights=self._weights[len(self.words)], k=24))

    def chinese(self) -> str:
        return "".join(self.dice.choices(HANZI, cum_weights=self._weights[len(HANZI)], k=40))

    def queries(self) -> list[str]:
        word = self.words
        return [
            f"{word[12]} {word[800]} {word[9000]}",
            f"what did we say about {word[40]} {word[60]} {word[2000]} {word[15000]}",
            "".join(HANZI[at] for at in (300, 301, 900, 15)),
            f"{word[1200]} yesterday #t9",
        ]


def lay(root: Path, files: int, words: Vocabulary) -> None:
    """One log a day back from today, ten entries each, a tag on every third, every seventh day in Chinese."""
    (root / "logs").mkdir(parents=True)
    (root / "mem.yaml").touch()
    for back in range(files):
        day = TODAY - timedelta(days=back)
        lines = [f"# {day}", ""]
        for at in range(10):
            tag = f" #t{words.dice.randrange(200)}" if at % 3 == 0 else ""
            lines.append(f"- {8 + at:02d}:15 {words.chinese() if back % 7 == 4 else words.text()}{tag}")
        (root / "logs" / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if shutil.which("git"):  # as `mem init` does, so that `mem add` pays for its commit
        for command in ("init -q", "add -A", "commit -q -m begin"):
            subprocess.run(["git", "-c", "user.name=b", "-c", "user.email=b@x", *command.split()], cwd=root, check=True)


def lay_documents(folder: Path, many: int) -> None:
    """Markdown of ten sections each, every fifth in Chinese."""
    words = Vocabulary()
    folder.mkdir(exist_ok=True)
    for at in range(many):
        said = words.chinese if at % 5 == 4 else words.text
        sections = (f"## {said()[:24]}\n\n{said()} {said()}. {said()}.\n" for _ in range(10))
        (folder / f"{at:05}.md").write_text(f"# {said()[:24]}\n\n" + "\n".join(sections), encoding="utf-8")


def run(command: list[str], root: Path, env: dict[str, str]) -> tuple[float, float]:
    """Seconds and peak megabytes of one process."""
    begun = perf_counter()
    child = subprocess.Popen(command, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)  # fmt: skip
    assert child.stderr
    complaint = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    spent = perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stderr.close()
    if child.returncode not in (0, 1):  # 1: nothing found
        raise SystemExit(f"{shlex.join(command)}: exit {child.returncode}: {complaint.decode()[-400:]}")
    return spent, used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def commands(args: argparse.Namespace, root: Path, queries: list[str]) -> list[tuple[str, list[str]]]:
    """What is run in one round: a label and a command; commands of one label are taken together."""
    mem = shlex.split(args.mem)
    listed = [("mem --help", [*mem, "--help"]), ("mem add", [*mem, "add", f"a note about {queries[0]}"]),
              ("mem list", [*mem, "list"]), ("mem session say", [*mem, "session", "say", queries[0]])]  # fmt: skip
    for query in queries:
        listed += [(RECALL, [*mem, "recall", query]), ("mem prompt", [*mem, "prompt", query])]
        if shutil.which("rg"):
            either = [part for word in query.split() for part in ("-e", word)]
            listed.append((RG, ["rg", "--no-heading", "-n", "-i", "-F", *either, str(root)]))
        listed += [(name, _filled(line, root, query)) for name, line in args.peer]
    return listed


def _filled(line: str, root: Path, query: str) -> list[str]:
    return [word.replace("{vault}", str(root)).replace("{query}", query) for word in shlex.split(line)]


def measure(args: argparse.Namespace, size: int, folder: Path) -> dict[str, tuple[float, float]]:
    """Median milliseconds and peak megabytes by label, on a vault of `size` files."""
    words = Vocabulary()
    root = folder / f"vault-{size}"
    lay(root, size, words)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    env = {**os.environ, "MEM_NOW": f"{TODAY}T12:00", "MEM_VAULT": str(root), "HOME": str(home),
           **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")},
           **{f"GIT_{who}_{what}": "b@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}  # fmt: skip
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # installed programs have their bytecode
    for name, line in args.before:
        begun = perf_counter()
        run(_filled(line, root, ""), root, env)
        print(f"{name}: made ready for {size} files in {perf_counter() - begun:.1f} s", file=sys.stderr)
    run([*shlex.split(args.mem), "session", "start"], root, env)
    listed = commands(args, root, words.queries())
    for _, command in listed:  # bytecode and disk cache
        run(command, root, env)
    seen: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for _ in range(args.runs):
        for label, command in listed:
            seen[label].append(run(command, root, env))
    for label, spent in watched(args, root, env, words.queries()):
        seen[label].append(spent)
    print(f"{size} files measured", file=sys.stderr)
    return {
        label: (statistics.median(spent for spent, _ in each) * 1000, max(peak for _, peak in each))
        for label, each in seen.items()
    }


def watched(
    args: argparse.Namespace, root: Path, env: dict[str, str], queries: list[str]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Making the index, and the same questions while `mem watch` runs; with a model, by meaning too."""
    mem = shlex.split(args.mem)
    if args.model:
        run([*mem, "model", "add", str(args.model), "--name", "bench"], root, env)
        run([*mem, "model", "use", "bench"], root, env)
    yield "mem index, the first", run([*mem, "index"], root, env)
    yield "mem index, nothing new", run([*mem, "index"], root, env)
    asked = [("mem recall", ["recall"]), ("mem prompt", ["prompt"])]
    if args.documents:
        lay_documents(root.parent / "documents", args.documents)
        yield "mem knowledge add", run([*mem, "knowledge", "add", str(root.parent / "documents")], root, env)
        asked.append(("mem ask --evidence", ["ask", "--evidence"]))
        for query in queries[:2]:
            run([*mem, "ask", "--evidence", query], root, env)
            yield "mem ask --evidence", run([*mem, "ask", "--evidence", query], root, env)
    run([*mem, "watch", "--detach"], root, env)
    try:
        for round in range(args.runs + 1):
            for query in queries:
                for name, command in asked:
                    spent = run([*mem, *command, query], root, env)
                    if round:  # the first one warms up
                        yield f"{name}, watched", spent
    finally:
        run([*mem, "watch", "--stop"], root, env)


def table(measured: dict[int, dict[str, tuple[float, float]]]) -> str:
    """A row for each command, a column for each size; then recall as a multiple of each other tool."""
    labels = list(next(iter(measured.values())))
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
    rows = ["| median, peak memory | " + " | ".join(f"{size:,} files" for size in measured) + " |"]
    rows.append("| --- |" + " ---: |" * len(measured))
    for label in labels:
        cells = [f"{ms:.0f} ms, {'<' if peak < floor * 1.1 else ''}{peak:.0f} MB" for ms, peak in
                 (found[label] for found in measured.values())]  # fmt: skip
        rows.append(f"| `{label}` | " + " | ".join(cells) + " |")
    for other in [label for label in labels if not label.startswith("mem ")]:
        cells = [f"{found[RECALL][0] / found[other][0]:.1f}×" for found in measured.values()]
        rows.append(f"| `{RECALL}` ÷ `{other}` | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def plot(measured: dict[int, dict[str, tuple[float, float]]], target: Path) -> None:
    """Time and memory against the number of files."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is missing; pip install 'memcli[bench]' brings it", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for at, (axis, title) in enumerate(zip(axes, ("median time of a process, ms", "peak memory, MB"), strict=True)):
        for label in next(iter(measured.values())):
            axis.plot(list(measured), [found[label][at] for found in measured.values()], marker="o", label=label)
        axis.set(xscale="log", yscale="log", xlabel="files in the vault", title=title)
        axis.grid(alpha=0.3, which="both")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(target, dpi=130)
    print(f"plot: {target}", file=sys.stderr)


def main() -> None:
    beside = Path(sys.executable).with_name("mem")
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--sizes", default="100,1000,10000", help="numbers of files, ten entries each")
    ask.add_argument("--runs", type=int, default=5, help="rounds; the median counts")
    ask.add_argument("--mem", default=str(beside) if beside.exists() else "mem", help="the command to measure")
    for option, meaning in (("--peer", "another tool's search"), ("--before", "what it needs first, such as an index")):
        ask.add_argument(option, action="append", default=[], metavar="NAME=COMMAND", help=meaning,
                         type=lambda given: tuple(given.split("=", 1)))  # fmt: skip
    ask.add_argument(
        "--model", type=Path, metavar="FOLDER", help="a model as ONNX, so that the watched recall uses meaning"
    )
    ask.add_argument("--documents", type=int, default=0, metavar="N", help="so many on the shelf, ten pieces each")
    ask.add_argument("--plot", type=Path, default=Path("speed.png"), help="where the plot goes")
    args = ask.parse_args()
    if not shutil.which("rg"):
        print("rg is not on the PATH, so it is not measured", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="mem-speed-") as folder:
        measured = {int(size): measure(args, int(size), Path(folder)) for size in args.sizes.split(",")}
    print(table(measured))
    plot(measured, args.plot)


if __name__ == "__main__":
    main()
