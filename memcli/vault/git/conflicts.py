"""Where git stops because both sides changed the same lines, entries are put together, and the rebase goes on."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence

from memcli.vault import files, merge
from memcli.vault.create import templates
from memcli.vault.git.program import Answer
from memcli.vault.merge_values import Contradiction

MOST = 1000  # commits that stop in one rebase
_FILES = ("100644", "100755")  # modes of plain files
# Lines may fit where records do not (the same key twice): git is to stop wherever both sides changed such a file.
_BY_ENTRY = "*.yaml merge=binary\n*.yml merge=binary\nUSER.md merge=binary\n"
Stages = dict[str, tuple[str, str]]  # 1: before, 2: theirs, 3: ours → mode and object


def attributes() -> str:
    """How git merges where the vault itself says nothing of it: logs by union, also without a `.gitattributes`."""
    return _BY_ENTRY + files.read(templates() / "gitattributes").text


def settled(ask: Callable[..., Answer], done: Answer, go_on: Sequence[str]) -> tuple[Answer, list[str]]:
    """How a rebase ended, and what kept it from ending well: the entries, or files, that both sides changed.
    `ask` runs git where it takes place, `go_on` are the words to continue it with."""
    for _ in range(MOST):
        if done.ok or not (unmerged := _unmerged(ask)):
            break
        contradictions = [why for path, stages in unmerged.items() if (why := _put_together(ask, path, stages))]
        if contradictions:
            return done, contradictions
        done = ask(*go_on)
    return done, []


def _unmerged(ask: Callable[..., Answer]) -> dict[str, Stages]:
    found: dict[str, Stages] = defaultdict(dict)
    for line in ask("ls-files", "--unmerged", "-z").names:
        facts, _, path = line.partition("\t")
        mode, oid, stage = facts.split(" ")
        found[path][stage] = mode, oid
    return found


def _put_together(ask: Callable[..., Answer], path: str, stages: Stages) -> str:
    """Have the index and the folder hold both sides of a file; else what stands against it."""
    modes = {mode for mode, _ in stages.values()}
    if not merge.merges(path) or not {"2", "3"} <= stages.keys() or not modes <= {*_FILES}:
        return path
    try:
        texts = [ask("cat-file", "blob", stages[n][1]).raw.decode() if n in stages else "" for n in ("1", "2", "3")]
        text = merge.merged(path, *texts)
    except UnicodeDecodeError:
        return path
    except Contradiction as contradiction:
        return f"{path}: {contradiction}" if str(contradiction) else path
    oid = ask("hash-object", "-w", "--stdin", stdin=text.encode()).out.strip()
    entry = f"{stages['2'][0]} {oid} 0\t{path}\0"
    steps = (("update-index", "-z", "--index-info"), os.fsencode(entry)), (("checkout-index", "-f", "--", path), None)
    return "" if oid and all(ask(*words, stdin=stdin).ok for words, stdin in steps) else path
