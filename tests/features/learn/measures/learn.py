"""How much of what people say `mem learn` hears, and how much it hears wrongly, by rules alone.

    python tests/features/learn/measures/learn.py talks.json [--show]

A file is a list of talks: `talk` (`speaker`, `text`), `me` (the user's name among several speakers), `want` (memories in
it: `type`, types that will do `also`, `must`: words it has to hold, `not`: words it must not), `wrong` (words that must
not be learnt) and `optional` (words that may).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script from a checkout

from memcli.errors import UsageError
from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import Atom
from memcli.remember.proposals import ONCE, why_not
from memcli.text.hanzi import simplified

# Which of our types answer a type of the sets.
TYPES = {
    "fact": {"fact", "profile", "event"},
    "anchor": {"preference"},
    "task": {"task", "event"},
}


@dataclass
class Score:
    right: int = 0
    wanted: int = 0
    proposed: int = 0  # what is neither wanted nor optional, and what is wanted and right
    kept: int = 0  # by --yes
    wrong: list[str] = field(default_factory=list)  # kept by --yes though it must not be
    stray: list[str] = field(default_factory=list)  # kept by --yes, and nobody asked for it
    shown: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.proposed if self.proposed else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f} recall {self.recall:.3f} F1 {self.f1:.3f} "
            f"kept by --yes {self.kept}, wrong among them {len(self.wrong)}, not asked for {len(self.stray)}"
        )


def learnt(talk: dict[str, Any]) -> list[Atom]:
    """What is proposed of a talk and holds beyond the occasion; nothing where nobody is the user."""
    lines = "\n".join(json.dumps({"role": turn["speaker"], "content": turn["text"]}) for turn in talk["talk"])
    try:
        return [
            atom
            for atom in find_atoms(read_transcript(lines, [talk["me"]] if talk["me"] else []))
            if why_not(atom) != ONCE
        ]
    except UsageError:
        return []


def score(talks: Sequence[dict[str, Any]], learnt: Callable[[dict[str, Any]], list[Atom]] = learnt) -> Score:
    total = Score()
    for talk in talks:
        atoms = learnt(talk)
        kept = [atom for atom in atoms if not why_not(atom)]
        answered = {id(atom): [w for w in talk["want"] if answers(atom, w)] for atom in atoms}
        met = [want for want in talk["want"] if any(want in wants for wants in answered.values())]
        stray = [atom for atom in atoms if not answered[id(atom)] and not names(talk["optional"], atom)]
        bad = [atom for atom in atoms if names(talk["wrong"], atom)]
        total.right, total.wanted = total.right + len(met), total.wanted + len(talk["want"])
        total.proposed += len(met) + len({id(atom) for atom in [*stray, *bad]})
        total.kept += len(kept)
        total.wrong += [f"{talk['id']} {_told(atom)}" for atom in bad if atom in kept]
        total.stray += [f"{talk['id']} {_told(atom)}" for atom in stray if atom in kept and atom not in bad]
        missed = [want for want in talk["want"] if want not in met]
        if missed or stray or bad:
            total.shown.append(_shown(talk, atoms, missed, stray, bad))
    return total


def _payload(atom: Atom) -> str:
    return simplified(
        f"{atom.key} {atom.value}" if atom.type in ("label", "profile") else atom.value or atom.text
    ).casefold()


def answers(atom: Atom, want: dict[str, Any]) -> bool:
    types = {ours for type in (want["type"], *want.get("also", ())) for ours in TYPES.get(type, {type})}
    if atom.key == "call_me" and want["key"] in ("name", "nickname"):  # how to be called is a preference of ours
        types.add("preference")
    told = _payload(atom)
    whole = told + " " + simplified(atom.text).casefold() if atom.type == "label" else told
    return (
        atom.type in types
        and all(simplified(word).casefold() in whole for word in want["must"])
        and not any(simplified(word).casefold() in told for word in want["not"])
    )


def names(words: Sequence[str], atom: Atom) -> bool:
    return any(simplified(word).casefold() in _payload(atom) for word in words)


def _told(atom: Atom) -> str:
    return f"{atom.type}[{atom.key}] {atom.value or atom.text}" + " (asked)" * bool(why_not(atom))


def _shown(talk: dict[str, Any], atoms: list[Atom], missed: list[Any], stray: list[Atom], bad: list[Atom]) -> str:
    said = " | ".join(f"{turn['speaker']}: {turn['text']}" for turn in talk["talk"])
    lines = [f"{talk['id']} {talk['kind']}: {said}"]
    lines += [f"    missed {want['type']} {want['key']} must {want['must']} not {want['not']}" for want in missed]
    lines += [f"    {'WRONG' if atom in bad else 'stray' if atom in stray else 'ok'} {_told(atom)}" for atom in atoms]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="How well `mem learn` hears by rules.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was missed or wrong")
    options = parser.parse_args()
    total = score(json.loads(options.file.read_text(encoding="utf-8")))
    if options.show:
        print("\n".join(total.shown))
    print(total)


if __name__ == "__main__":
    main()
