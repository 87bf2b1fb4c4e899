"""How often hooks are rightly silent and rightly not: hooks.py VAULTS.json PROMPTS.json [--fit] [--curve] [--show N]

VAULTS has the dated memories of some people by name, PROMPTS what they typed to an assistant, each with its kind:
`related` (with the memories that help, `evidence` or `alt`), `unrelated`, and `machine`, which no person typed. Each
vault is laid as daily logs, and every prompt handed to `mem hook prompt` by its door, in a session of its own.

  silent   share of the prompts that bring nothing; of the related ones too many are a loss
  helps    share of the related ones that bring a memory that helps
  crossed  what the others' related prompts (in the same language) bring of a vault: nothing there is meant

--fit prints the weights of `memcli/recall/bears.py`, fitted on these prompts and the crossed ones; --curve what other
thresholds would do; --show N prints failures.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from likelihood import fitted

from memcli.hook import prompts
from memcli.hook.handler import handle
from memcli.hook.payload import Payload
from memcli.recall import Request, seek
from memcli.recall.bears import MOST, all_signs, likeliest
from memcli.text import tokens
from memcli.vault.vault import Vault, open_vault

CROSSED = {"related": 0.5, "unrelated": 0.15}  # what a prompt counts in another's vault, beside its own
BUDGET = 1000
TRIED = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)


@dataclass(frozen=True)
class Asked:
    kind: str  # related, unrelated, machine; crossed ones in another's vault
    sub: str
    prompt: str
    vault: Vault
    helping: tuple[str, ...]  # the texts of memories
    weight: float = 1.0


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("vaults", type=Path)
    ask.add_argument("prompts", type=Path)
    ask.add_argument("--fit", action="store_true")
    ask.add_argument("--curve", action="store_true")
    ask.add_argument("--show", type=int, default=0)
    args = ask.parse_args()
    tokens.encoding()
    with tempfile.TemporaryDirectory(prefix="mem-hooks-") as folder:
        people = json.loads(args.vaults.read_text(encoding="utf-8"))
        asked = list(all_asked(people, json.loads(args.prompts.read_text(encoding="utf-8")), Path(folder)))
        tell(asked, args.show)
        if args.fit:
            fit(asked)
        if args.curve:
            curve(asked)
    return 0


def all_asked(people: dict[str, Any], prompts_: list[dict[str, Any]], folder: Path) -> Iterator[Asked]:
    vaults = {name: laid(folder / name, person["memories"]) for name, person in people.items()}
    texts = {name: {each["id"]: each["text"] for each in person["memories"]} for name, person in people.items()}
    for each in prompts_:
        helping = tuple(texts[each["vault"]][id] for id in (*each["evidence"], *each["alt"]))
        yield Asked(each["kind"], each["sub"], each["prompt"], vaults[each["vault"]], helping)
        for name, person in people.items():
            if name != each["vault"] and person["lang"] == people[each["vault"]]["lang"] and each["kind"] in CROSSED:
                yield Asked(f"crossed {each['kind']}", "", each["prompt"], vaults[name], (), CROSSED[each["kind"]])


def laid(root: Path, memories: list[dict[str, str]]) -> Vault:
    days: dict[str, list[str]] = {}
    for each in memories:
        days.setdefault(each["date"], []).append(f"- {each['text']}\n")
    (root / "logs").mkdir(parents=True)
    for day, lines in days.items():
        (root / f"logs/{day}.md").write_text(f"# {day}\n\n{''.join(lines)}", encoding="utf-8")
    now = datetime.fromisoformat(max(days)) + timedelta(days=1, hours=12)
    return open_vault(root, lambda: now)


def brought(asked: Asked) -> str:
    answer = handle(asked.vault, "prompt", Payload(prompt=asked.prompt))
    return str(answer["hookSpecificOutput"]["additionalContext"]) if answer else ""


def tell(asked: list[Asked], show: int) -> None:
    rows: dict[str, list[tuple[bool, bool, int]]] = {}
    for each in asked:
        text = brought(each)
        helps = any(escaped(memory) in text for memory in each.helping)
        for name in {each.kind, f"  {each.kind} {each.sub}".rstrip()}:
            rows.setdefault(name, []).append((not text, helps, tokens.count(text)))
        wrong = bool(text) if each.kind in ("unrelated", "machine") else each.kind == "related" and not helps
        if wrong and show > 0:
            show -= 1
            print(f"{each.kind} {each.sub}: {each.prompt[:150]!r}\n    {text[60:300]!r}", file=sys.stderr)
    print(
        "| prompts | number | silent | helps | tokens, mean of what was brought |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for name, found in sorted(rows.items(), key=lambda row: (row[0].strip(), row[0])):
        silent, helps = (sum(each[at] for each in found) / len(found) for at in (0, 1))
        spoken = [each[2] for each in found if each[2]]
        print(f"| {name} | {len(found)} | {silent:.3f} | {helps:.3f} | {sum(spoken) / max(1, len(spoken)):.0f} |")


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def sought(asked: Asked) -> tuple[Any, str]:
    said = prompts.typed(asked.prompt)
    return (seek(asked.vault, Request(said, BUDGET, fill=True)) if said else None), said


def fit(asked: list[Asked]) -> None:
    """Of each prompt the memory that helps, or the one that looks best."""
    rows, there, weights = [], [], []
    for each in asked:
        found, said = sought(each)
        signs = all_signs(found, said) if found else []
        if signs:
            helping = [one for one, memory in signs if memory.entry.words.strip() in each.helping]
            best = max((one for one, _ in signs), key=lambda one: one["said"] + one["words"])
            rows.append(helping[0] if helping else best)
            there.append(each.kind == "related")
            weights.append(each.weight)
    print("WEIGHTS =", json.dumps(fitted(rows, there, weights), indent=4))


def curve(asked: list[Asked]) -> None:
    best = []
    for each in asked:
        found, said = sought(each)
        likely = likeliest(found, said) if found else 0.0
        ranked = sorted(found.ranked, key=lambda memory: -memory.score)[:MOST] if found else []
        best.append((each.kind, likely, any(memory.entry.words.strip() in each.helping for memory in ranked)))
    print(
        "\n| SURE | unrelated silent | related silent | related helps | crossed silent |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for sure in TRIED:
        silent = {
            kind: [likely < sure for one, likely, _ in best if one.startswith(kind)]
            for kind in ("unrelated", "related", "crossed")
        }
        helps = [likely >= sure and there for kind, likely, there in best if kind == "related"]
        shares = [
            sum(each) / max(1, len(each)) for each in (silent["unrelated"], silent["related"], helps, silent["crossed"])
        ]
        print(f"| {sure} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")


if __name__ == "__main__":
    sys.exit(main())
