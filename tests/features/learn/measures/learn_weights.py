"""Fit the weights of a language, `memcli/features/learn/language/LANGUAGE/learn_weights.txt`, which `memcli/features/learn/likelihood.py` uses.

    python tests/features/learn/measures/learn_weights.py LANGUAGE [AUTHOR=FILE[,FILE…] …] [--leave AUTHOR …] [--show] [--write]

FILEs are told in learn_cases.py; without any, all that lie in this repository are taken, each an author of its name. Each author of --leave is scored by weights that were fitted without them, which is what
to expect of a stranger's talks; `--write` keeps the weights that were fitted on all. The same files give the same weights.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from learn import Atom, answers, learnt, names, score
from learn_cases import MARKED, of_rules, of_source, talk_of, text_of, unmarked
from learn_fit import Weights, fitted

from memcli.features.learn import likelihood, schema
from memcli.features.learn.language import FOLDER

HERE = Path(__file__).parent
HEAD = (
    """\
# What each feature of a part of a sentence counts for a memory in it, in hundredths: written by tests/features/learn/measures/learn_weights.py,
# explained in memcli/features/learn/likelihood.py. Fitted, so there is nothing to mend by hand.
"""
    + schema.HEAD
)
LEAST = 6  # hundredths: what counts less is left out
TYPE = {
    "F": "fact",
    "H": "fact",
    "P": "preference",
    "D": "decision",
    "T": "task",
    "L": "label",
    "O": "opinion",
    "Q": "question",
}
MARKS = {
    "F": ["profile", "event", "label"],
    "H": ["preference", "profile", "event"],
    "L": ["fact", "profile"],
    "T": ["event"],
}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("language")
    ask.add_argument("authors", nargs="*")
    ask.add_argument("--leave", nargs="*", default=[])
    ask.add_argument("--show", action="store_true", help="print what is missed or wrong of those left out")
    ask.add_argument("--write", action="store_true")
    options = ask.parse_args()
    files = {
        name: [Path(file) for file in paths.split(",")]
        for name, _, paths in (each.partition("=") for each in options.authors)
    } or all_of(options.language)
    whole, likelihood.weights = likelihood.weights, lambda language: {}  # type: ignore[assignment]
    cases = {
        name: [case for path in paths for case in of_source(path, options.language)] for name, paths in files.items()
    }
    cases["the tables"] = list(of_rules(options.language))
    likelihood.weights = whole
    for name in options.leave:
        found = table(fitted([case for other, theirs in cases.items() if other != name for case in theirs]))
        use(found)
        tell(name, [talk for path in files[name] for talk in talks_of(path)], options.show)
    if options.write:
        path = FOLDER / options.language / "learn_weights.txt"
        path.write_text(
            "\n".join([HEAD, *table(fitted([case for theirs in cases.values() for case in theirs])), ""]),
            encoding="utf-8",
        )


def all_of(language: str) -> dict[str, list[Path]]:
    """The lists and talks of each author, and the sentences of our own."""
    files = [*sorted((HERE / "marked").glob(f"{language}_*")), *sorted((HERE / "talks").glob(f"{language}_*"))]
    own = HERE.parent
    return {
        **{f"{path.parent.name}/{path.name.split('.')[0]}": [path] for path in files},
        "own": [own / "utterances.tsv", own / "weighed.tsv"],
    }


def tell(name: str, talks: Sequence[dict[str, Any]], show: bool) -> None:
    heard = {talk["id"]: learnt(talk) for talk in talks}
    total = score(talks, lambda talk: heard[talk["id"]])
    print(name, total)
    tell_sure(talks, heard)
    if show:
        print("\n".join(total.shown))


def use(lines: Sequence[str]) -> None:
    found = likelihood.read_table(lines)
    likelihood.weights = lambda language: found  # type: ignore[assignment]


def table(weights: Weights) -> list[str]:
    lines = []
    for name, columns in sorted(weights.items()):
        counts = {column: round(100 * weight) for column, weight in columns.items()}
        if told := " ".join(f"{column}{count}" for column, count in counts.items() if abs(count) >= LEAST):
            lines.append(f"{name}\t{told}")
    return lines


def talks_of(path: Path) -> list[dict[str, Any]]:
    """The talks of a file as learn.py scores them; of a marked line each mark is wanted, as far as it says something."""
    text = text_of(path)
    if ".json" in path.suffixes:
        return [{**talk, "id": f"{path.parent.name} {talk['id']}"} for talk in json.loads(text)]
    found = []
    for number, line in enumerate(text.splitlines()):
        if line and not line.startswith("#"):
            talk = talk_of(line)
            wants = [
                {"type": TYPE[letter], "key": "", "not": [], "also": MARKS.get(letter, []), "must": core(words)}
                for letter, words in MARKED.findall(line)
            ]
            turns = [{"speaker": role, "text": unmarked(words)} for role, words in talk]
            found.append(
                {
                    "id": f"{path.stem} {number}",
                    "me": None,
                    "kind": "",
                    "talk": turns,
                    "want": wants,
                    "wrong": [],
                    "optional": [],
                }
            )
    return found


def core(words: str) -> list[str]:
    """The longest word of a mark, or its last four Chinese characters: what a memory of it must hold."""
    if han := re.findall("[\u4e00-\u9fff]+", words):
        return [max(han, key=len)[-3:].rstrip("了的")]
    return [max(re.findall(r"[\w'-]+", words), key=len)]


def tell_sure(talks: Sequence[dict[str, Any]], heard: Mapping[str, Sequence[Atom]]) -> None:
    """What would be kept unasked from which likelihood on."""
    for sure in (0.7, 0.8, 0.85, 0.9, 0.95):
        kept = [(talk, atom) for talk in talks for atom in heard[talk["id"]] if atom.confidence >= sure]
        right = sum(any(answers(atom, want) for want in talk["want"]) for talk, atom in kept)
        stray = sum(
            not names([*talk["optional"], *(word for want in talk["want"] for word in want["must"])], atom)
            for talk, atom in kept
        )
        wrong = sum(names(talk["wrong"], atom) for talk, atom in kept)
        print(f"    from {sure}: kept {len(kept)}, right {right}, nobody asked for {stray}, wrong {wrong}")


if __name__ == "__main__":
    sys.exit(main())
