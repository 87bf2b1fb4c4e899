"""One gate at every entrance: the same secrets go in by every way of the table `doors`, and no byte of them is left in
the vault; and no function of the package writes that the table does not know."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import memcli
from tests.conftest import Ran
from tests.package import nodes_of, source_of
from tests.remember.gates.doors import BLOCKS, FILES, LONG, NAMES, SECRETS, TEXTS, WORDS, WRITERS

Mem = Callable[..., Ran]
PACKAGE = Path(memcli.__file__).parent
PUTS = re.compile("write_vault|queue_job|append|write_file|extend|write_text|write_bytes")  # what `_puts` looks for
AS_PROCESSES = ("mcp, remember", "mcp, recall", "hooks")  # which end or begin otherwise than a command


def left(root: Path) -> bytes:
    """All that lies in the vault: every file, and every object that git keeps, in plain bytes."""
    files = b"\n".join(str(path).encode() + path.read_bytes() for path in root.rglob("*") if path.is_file())
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"], cwd=root, capture_output=True, check=True
    )
    return files + objects.stdout


@pytest.mark.parametrize("way", LONG)
def test_no_byte_of_a_secret_is_left_by(way: str, mem: Mem, inside: Mem, repository: Path) -> None:
    (repository / "MEMORY.md").write_text("# Memory\n\n- Redis replaces the local cache ^known\n", encoding="utf-8")
    for text, secret in (TEXTS if way not in ("add, stdin", "session say, stdin") else BLOCKS).items():
        LONG[way](mem if way in AS_PROCESSES else inside, repository, text)
        assert secret.encode() not in left(repository), f"{way}: {text}"


@pytest.mark.skipif(not (PACKAGE / "features/knowledge").exists(), reason="documents are a feature")
@pytest.mark.parametrize("way", FILES)
def test_no_byte_of_a_secret_is_left_of_a_document(way: str, inside: Mem, repository: Path) -> None:
    FILES[way](inside, repository, "\n\n".join(BLOCKS))
    kept = left(repository)
    assert not [secret for secret in SECRETS if secret.encode() in kept]
    assert b"deploy" in kept  # the rest of it is there


@pytest.mark.parametrize("way", WORDS)
def test_no_byte_of_a_secret_is_left_of_a_name(way: str, inside: Mem, repository: Path) -> None:
    for word in NAMES:
        WORDS[way](inside, repository, word)
        assert word.encode() not in left(repository), way


def test_no_function_writes_that_the_table_does_not_know() -> None:
    may_write = (path for path in PACKAGE.rglob("*.py") if PUTS.search(source_of(path)))
    writers = {name for path in may_write for name in _writers(path)}
    assert writers == {name for name in WRITERS if _is_here(name)}
    named = {way for ways in WRITERS.values() if isinstance(ways, tuple) for way in ways}
    assert named <= {*LONG, *FILES, *WORDS}


def _is_here(name: str) -> bool:
    """Whether a function belongs to the core or to a feature that is here: each can be deleted."""
    first, *more = name.split("/")
    return first != "features" or (PACKAGE / first / more[0]).exists()


def _writers(path: Path) -> Iterator[str]:
    """Name the functions of a file that put something on the disk, `files` itself aside."""
    imports = [node for node in nodes_of(path) if isinstance(node, ast.ImportFrom) and node.module]
    writes = any(
        node.module.endswith("vault.write") and "write_vault" in [a.name for a in node.names] for node in imports
    )
    for top in nodes_of(path):
        if isinstance(top, ast.FunctionDef):
            calls = [call.func for call in ast.walk(top) if isinstance(call, ast.Call)]
            if any(_puts(call, writes) for call in calls):
                yield f"{path.relative_to(PACKAGE).with_suffix('').as_posix()}.{top.name}"


def _puts(call: ast.expr, writes: bool) -> bool:
    if isinstance(call, ast.Name):
        return writes and call.id == "write_vault"
    if not isinstance(call, ast.Attribute):
        return False
    of = call.value.id if isinstance(call.value, ast.Name) else ""
    known = {("queue", "queue_job"), ("journal", "append"), ("files", "write_file"), ("files", "extend")}
    return (of, call.attr) in known or call.attr in ("write_text", "write_bytes")
