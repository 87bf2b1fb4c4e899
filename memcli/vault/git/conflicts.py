"""Merge what two machines committed: git finds the files that both changed, and mem merges each of them."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from memcli.errors import Refused
from memcli.message import Message
from memcli.vault import merge
from memcli.vault.git.program import Ask
from memcli.vault.layout import JOURNAL
from memcli.vault.merge_values import Contradiction

# Whatever attributes a vault has, git stops at every file that both sides changed: lines may fit where entries do not,
# and a union of lines brings back what was forgotten. An unchanged file that was moved takes the other side's edits
# along. A file that is only similar is another file, like an archive to which a memory was moved.
SETTINGS = {"merge.default": "binary", "merge.union.driver": "false", "merge.directoryRenames": "false"}
MESSAGE = "mem sync: what two machines wrote"
_FILES = ("100644", "100755")  # modes of plain files
Stages = dict[str, tuple[str, str]]  # 1: before, 2: ours, 3: theirs → mode and object


def merge_commits(ask: Ask, theirs: str, branch: str) -> str:
    """Merge both sides in the work folder of `ask`, commit, and return the commit; `branch` is what the user calls
    theirs."""
    words = ("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "-X", "find-renames=100%", "-m", MESSAGE)
    done = ask(*words, theirs)
    if not done.ok:
        unmerged = _list_unmerged(ask)
        if both := [why for path, stages in unmerged.items() if (why := _merge_file(ask, path, stages))]:
            raise _contradiction(Message("both sides changed {what}", what="; ".join(both[:8])), branch)
        done = ask("commit", "--quiet", "--no-edit") if unmerged else done
    if not done.ok:
        raise _contradiction(done.why, branch)
    return ask("rev-parse", "HEAD").out.strip()


def _contradiction(why: str, branch: str) -> Refused:
    hint = (
        "nothing was changed here; `git diff {branch} -- . ':!journal'` shows theirs (-) and yours (+): "
        "write it as they did, mem sync, then change it again as you like"
    )
    return Refused(why, Message(hint, branch=branch))


def _list_unmerged(ask: Ask) -> dict[str, Stages]:
    found: dict[str, Stages] = defaultdict(dict)
    for line in ask("ls-files", "--unmerged", "-z").names:
        facts, _, path = line.partition("\t")
        mode, oid, stage = facts.split(" ")
        found[path][stage] = mode, oid
    return found


def _merge_file(ask: Ask, path: str, stages: Stages) -> str:
    """Write the merge of both sides of a file to the index and the folder; return why that is impossible, or ""."""
    if not {mode for mode, _ in stages.values()} <= {*_FILES}:
        return path
    try:
        # Others have theirs already, so it comes first, and ours below it.
        sides = [ask("cat-file", "blob", stages[n][1]).raw.decode() if n in stages else "" for n in ("1", "3", "2")]
        text = _merge_sides(ask, path, stages, sides)
    except UnicodeDecodeError:
        return path
    except Contradiction as contradiction:
        return f"{path}: {contradiction}" if str(contradiction) else path
    if not text.strip() and len(stages) < 3:  # one side removed the file, and nothing of it is left
        return "" if ask("rm", "--quiet", "--cached", "--", path).ok else path
    oid = ask("hash-object", "-w", "--stdin", stdin=text.encode()).out.strip()
    mode = (stages.get("2") or stages["3"])[0]
    steps = (
        (("update-index", "-z", "--index-info"), os.fsencode(f"{mode} {oid} 0\t{path}\0")),
        (("checkout-index", "-f", "--", path), None),
    )
    return "" if oid and all(ask(*words, stdin=stdin).ok for words, stdin in steps) else path


def _merge_sides(ask: Ask, path: str, stages: Stages, sides: list[str]) -> str:
    if path.startswith(f"{JOURNAL}/") and path.endswith(".jsonl"):
        return _union(*sides)
    both = {"2", "3"} <= stages.keys()
    if path.endswith(merge.MARKDOWN) or (both and merge.is_mergeable(path)):
        return merge.merge_texts(path, *sides)  # who removed a Markdown file removed its blocks; new blocks stay
    if not both:
        raise Contradiction
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("base", "theirs", "ours")]
        for file, text in zip(files, sides, strict=True):
            file.write_bytes(text.encode())
        before, theirs, ours = map(str, files)
        done = ask("merge-file", "-p", theirs, before, ours)
    if not done.ok:
        raise Contradiction
    return done.raw.decode()


def _union(base: str, theirs: str, ours: str) -> str:
    """Return a journal with the lines of both sides, each once: it only grows."""
    known = Counter(base.split("\n")) | Counter(theirs.split("\n"))
    new = []
    for line in filter(None, ours.split("\n")):
        if known[line]:
            known[line] -= 1
        else:
            new.append(f"{line}\n")
    return theirs + ("\n" if theirs and not theirs.endswith("\n") and new else "") + "".join(new)
