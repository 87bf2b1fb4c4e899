"""The words of a command line, before anything heavy is loaded: which options are everybody's, and where they stand."""

from __future__ import annotations

# Options of `mem` itself → whether a value follows.
GLOBAL = {
    "--vault": True,
    "--color": True,
    "--quiet": False,
    "--verbose": False,
    "--debug": False,
    "--no-input": False,
}


def hoisted(args: list[str]) -> tuple[list[str], list[str]]:
    """Global options, which may stand anywhere before `--`, and all the rest: `mem list --vault DIR` means what it says."""
    front, rest = [], []
    at = 0
    while at < len(args):
        word = args[at]
        name = word.partition("=")[0]
        if word == "--":
            rest.extend(args[at:])
            break
        if name in GLOBAL:
            front.append(word)
            if GLOBAL[name] and "=" not in word and at + 1 < len(args):
                at += 1
                front.append(args[at])
        else:
            rest.append(word)
        at += 1
    return front, rest
