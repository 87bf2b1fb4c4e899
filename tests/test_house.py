"""The rules of the code: layers, interfaces, sizes, and what may be loaded when."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import memcli
from tests import package
from tests.rows import check_rows

HOUSE = Path(memcli.__file__).parent
MODULES = sorted(path.relative_to(HOUSE).as_posix() for path in HOUSE.rglob("*.py"))

CAPABILITIES = {"recall", "remember", "session"}
STANDARD = set(sys.stdlib_module_names)


def source_of(module: str) -> str:
    return package.source_of(HOUSE / module)


def tree_of(module: str) -> ast.Module:
    return package.tree_of(HOUSE / module)


def nodes_of(module: str) -> tuple[ast.AST, ...]:
    return package.nodes_of(HOUSE / module)


@cache
def attributes_of(module: str) -> frozenset[tuple[str, str]]:
    """(`os`, `environ`) of every `os.environ` in a file: attributes of plain names, as `import x` gives them."""
    return frozenset(
        (node.value.id, node.attr)
        for node in nodes_of(module)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def package_of(module: str) -> str:
    return module.split("/")[0].removesuffix(".py")


@cache
def imported(module: str) -> tuple[tuple[str, str], ...]:
    """(module, name) of every import in a file, wherever in it; the name is empty for a plain `import x`."""
    return tuple(_imported(module))


def _imported(module: str) -> Iterator[tuple[str, str]]:
    package = ["memcli", *module.split("/")[:-1]]
    for node in nodes_of(module):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((base, alias.name) for alias in node.names)


def used_packages(module: str) -> Iterator[tuple[str, str]]:
    """(package, full name) for every import from memcli itself."""
    for base, name in imported(module):
        full = f"{base}.{name}" if name else base
        if full.startswith("memcli."):
            yield full.split(".")[1], full


@pytest.mark.slow
def test_imports_keep_to_the_rules() -> None:
    """The rules stand in pyproject.toml: layers, no circles between packages, and nothing imports a feature."""
    linted = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
        capture_output=True, text=True, cwd=HOUSE.parent,
    )  # fmt: skip
    assert linted.returncode == 0, linted.stdout


@check_rows("module", [m for m in MODULES if package_of(m) in CAPABILITIES | {"api", "jobs"}])
def test_a_capability_is_used_by_its_interface(module: str) -> None:
    for other, full in used_packages(module):
        if other in CAPABILITIES and other != package_of(module):
            inner = full.split(".")[2:]
            public = import_module(f"memcli.{other}").__all__
            assert not inner or (len(inner) == 1 and inner[0] in public), f"{module} reaches into {full}"


# Where features meet the process: a process of their own, or a command that answers before the command line is loaded.
ENTRANCES = {
    "features/hook/process.py", "features/serve/cli.py", "features/serve/mcp/start.py", "features/serve/readers.py",
}  # fmt: skip


@check_rows("module", MODULES)
def test_only_the_command_line_prints_and_knows_typer_and_rich(module: str) -> None:
    if package_of(module) in ("cli", "__main__"):  # the second hands the streams of the process on
        return
    assert not {base.split(".")[0] for base, _ in imported(module)} & {"typer", "rich", "click"}
    calls = {
        node.func.id for node in nodes_of(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    if module in ENTRANCES:
        return
    assert not calls & {"print", "input", "breakpoint"}
    assert not attributes_of(module) & {("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin")}


@check_rows("module", [m for m in MODULES if package_of(m) not in {"cli", "api", "__main__"}])
def test_the_core_reads_neither_clock_nor_environment_by_itself(module: str) -> None:
    asked = {".".join(pair) for pair in attributes_of(module)}
    assert not asked & {"datetime.now", "datetime.today", "date.today", "time.time", "datetime.utcnow"}
    # A program that is started needs its environment; which features there are is a matter of the process.
    if module not in {"vault/git/program.py", "registry.py", *ENTRANCES}:
        assert not asked & {"os.environ", "os.getenv"}


# What only some systems have; `memcli/system.py` knows what takes its place elsewhere.
OF_ONE_SYSTEM = {
    "fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "select", "syslog", "msvcrt", "winreg", "_winapi", "_posixsubprocess",
}  # fmt: skip
OF_ONE_SYSTEMS_OS = {
    "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC", "O_NOCTTY", "O_BINARY", "fork", "forkpty", "setsid", "getuid", "geteuid", "getgid",
    "getpgid", "killpg", "kill", "nice", "setpriority", "getpriority", "sysconf", "fchmod", "chown", "pread", "pwrite", "mkfifo", "uname", "wait",
    "waitpid", "name", "startfile", "SO_PEERCRED", "SIGKILL", "SIGHUP", "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGCHLD",
}  # fmt: skip
# Whether there are sockets of that kind, `system.LOCAL_SOCKETS` says.
MAY_SAY_AF_UNIX = {"watch/wire.py", "watch/server.py"}


@check_rows("module", [m for m in MODULES if m != "system.py"])
def test_what_one_system_lacks_is_known_in_one_place(module: str) -> None:
    assert not {base.split(".")[0] for base, _ in imported(module)} & OF_ONE_SYSTEM
    named = {name for above, name in attributes_of(module) if above in ("os", "signal", "socket")}
    assert not named & OF_ONE_SYSTEMS_OS
    assert "start_new_session" not in {node.arg for node in nodes_of(module) if isinstance(node, ast.keyword)}
    asked = {node.value for node in nodes_of(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert not asked & (OF_ONE_SYSTEMS_OS - {"name", "wait", "nice", "kill"}), "asked for by getattr or hasattr"
    if module not in MAY_SAY_AF_UNIX:
        names = {getattr(node, key, "") for node in nodes_of(module) for key in ("id", "attr", "name", "arg", "asname")}
        assert not [text for text in (names | asked) - {None} if "AF_UNIX" in text]


def test_few_know_lancedb() -> None:
    known = {
        module for module in MODULES if {"lancedb", "lance"} & {base.split(".")[0] for base, _ in imported(module)}
    }
    assert known <= {"index/store.py", "features/knowledge/ray_engine.py"}


@check_rows("module", MODULES)
def test_every_module_says_what_lives_there_and_stays_small(module: str) -> None:
    source = source_of(module)
    assert ast.get_docstring(tree_of(module)), f"{module} has no docstring"
    lines = source.splitlines()
    assert len(lines) <= 300
    assert not [f"{module}:{number}" for number, line in enumerate(lines, 1) if len(line) > 120], "a line is too long"
    assert Path(module).stem not in {"utils", "util", "helpers", "manager", "base", "common", "misc"}


BARE = frozenset(["find", "of", "part", "put", "read", "said", "told", "write"])
PARTICIPLES = frozenset([
    "Asked", "Broken", "Brought", "Chosen", "Drawn", "Found", "Given", "Heard", "Held", "Kept", "Known", "Said", "Seen",
    "Sought", "Taken", "Told", "Written",
])  # fmt: skip
PUBLIC = frozenset(["LearnResult", "Refused"])  # packages from outside and docs/python.md use these names


@check_rows("module", MODULES)
def test_names_can_be_searched_for(module: str) -> None:
    """`read` is everywhere and `Found` says nothing of what it is: `read_profile`, `Finding`."""
    defined = [node for node in tree_of(module).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert not [node.name for node in defined if node.name in BARE]
    types = {node.name.lstrip("_") for node in nodes_of(module) if isinstance(node, ast.ClassDef)} - PUBLIC
    assert not [name for name in types if name in PARTICIPLES or re.fullmatch(r"[A-Z][a-z]+ed", name)]


def test_the_package_is_typed_and_its_door_is_the_vault() -> None:
    assert (HOUSE / "py.typed").exists()
    assert memcli.__all__ == ["Vault", "__version__"]
    assert memcli.Vault.__module__ == "memcli.api"


def loaded_by(statement: str) -> set[str]:
    """The modules that are loaded after a statement, in a fresh process."""
    script = f"import sys\ntry:\n    {statement}\nexcept SystemExit:\n    pass\nsys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


HEAVY = {
    "yaml",
    "ruamel",
    "tiktoken",
    "pydantic",
    "lancedb",
    "fastembed",
    "numpy",
    "pyarrow",
    "onnxruntime",
    "requests",
    "httpx",
}


@pytest.mark.slow
def test_a_vault_is_opened_with_little() -> None:
    loaded = loaded_by("import memcli.vault.vault")
    assert not loaded & (
        HEAVY | {"typer", "rich", "click", "subprocess", "asyncio", "unittest", "multiprocessing", "json.tool"}
    )


@pytest.mark.slow
def test_help_loads_no_command_and_nothing_heavy() -> None:
    loaded = loaded_by("from memcli.cli.main import main; main(['--help'])")
    assert not loaded & (HEAVY | {"typer", "rich", "asyncio"})
    assert not {name for name in loaded if name.startswith(("memcli.cli.", "memcli.recall", "memcli.remember"))} - {
        "memcli.cli.main", "memcli.cli.terminal", "memcli.cli.clean_stream", "memcli.cli.looks", "memcli.cli.speech", "memcli.cli.clock",
        "memcli.cli.command", "memcli.cli.commands", "memcli.cli.options", "memcli.cli.help", "memcli.cli.parse",
        "memcli.cli.signature",
    }  # fmt: skip


@pytest.mark.slow
def test_a_feature_may_import_a_recall_path_while_features_are_listed() -> None:
    """The list of recall paths would be made without it otherwise, and kept for the life of a server."""
    loaded = loaded_by("from memcli.extend import RecallPath")
    assert not {name for name in loaded if name.startswith("memcli.recall.")}


PLAIN = "import bisect, dataclasses, datetime, errno, fnmatch, json, math, pathlib, typing, zlib"


@pytest.mark.slow
def test_a_recall_of_one_line_loads_no_more_than_it_needs(folder: Path) -> None:
    (folder / "a.md").write_text("- tea is green\n", encoding="utf-8")
    recall = f"from memcli.cli.main import main; main(['--vault', {str(folder)!r}, 'recall', 'which tea'])"
    loaded_by(recall)  # the first command of a user notes the features, and imports them for that
    loaded = loaded_by(recall)
    packages = {name.partition(".")[0] for name in loaded - loaded_by(PLAIN)}
    assert packages == {"memcli", "py_rust_stemmers", "python_ripgrep", "__future__", "_socket"}
    packages = {name.split(".")[1] for name in loaded if name.count(".") > 1 and name.startswith("memcli.")}
    assert packages == {"cli", "recall", "text", "vault"}


@pytest.mark.slow
def test_adding_a_memory_loads_nothing_heavy(folder: Path) -> None:
    loaded = loaded_by(f"from memcli.cli.main import main; main(['--vault', {str(folder)!r}, 'add', 'tea'])")
    assert not loaded & (HEAVY | {"rich", "asyncio", "memcli.recall"})
    assert "tea" in (folder / "logs" / "2026-11-21.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_way_to_a_vault_and_its_watcher_is_found_with_next_to_nothing() -> None:
    before = loaded_by("pass")
    loaded = loaded_by("import memcli.vault.discover, memcli.argv, memcli.watch.wire") - before
    assert {name for name in loaded if not name.startswith("memcli")} <= {"__future__", "_socket"}


# Who opens files, lists folders or takes them away, and why not by `vault/files.py` and `vault/cache_files.py`.
OPENERS = {
    "vault/opener.py": "the one that opens",
    "vault/files.py": "reads and writes what it opened",
    "vault/cache_files.py": "lists and clears mem's own folders",
    "vault/layout.py": "walks the vault, opens nothing",
    "vault/file_checks.py": "looks for links that are not followed, opens nothing",
    "vault/create.py": "reads the templates of the package",
    "text/tables.py": "reads data of the package",
    "text/tokens.py": "reads data of the package",
    "features/knowledge/read.py": "reads the documents a user names, wherever they lie",
    "features/move/archives.py": "reads what a user brings, wherever it lies",
    "features/knowledge/jsonl.py": "the same, a run of lines at a time",
    "features/serve/readers.py": "a process of the server's own, which has its pipes alone",
    "features/knowledge/pdf.py": "a child of its own, which has stdin and stdout alone",
    "index/download.py": "lays models in the user's own data folder",
    "system.py": "what the system says of this process",
    "registry.py": "the note of what is installed, in the user's own folders, and the names of packages",
    "watch/server.py": "a socket, not a file",
    "cli/main.py": "the null device, for streams that are closed",
    "features/install/plugin.py": "reads the texts of the package",
    "features/serve/mcp/server.py": "the null device, for children that would read the client's words",
    "cli/edit.py": "a draft for the editor, in a folder of its own outside the vault",
    "vault/git/repository.py": "reads a `.git` that is a file; git's own index, copied to be thrown away",
    "vault/git/commit.py": "counts the loose objects",
    "vault/sync.py": "a work folder for each merge, and those that were left behind",
    "vault/git/fingerprint.py": "lists hooks and follows links by name, opens nothing",
    "vault/git/locks.py": "takes away the locks of a git that was killed",
    "vault/git/conflicts.py": "three versions of a file in a folder of its own, for git to merge",
}
OPENING = {
    "read_text", "read_bytes", "write_text", "write_bytes", "touch", "mkdir", "makedirs", "unlink", "rmdir", "rmtree",
    "glob", "rglob", "iterdir", "scandir", "listdir", "walk", "symlink", "symlink_to", "hardlink_to", "copyfile", "copy2",
    "copytree", "chmod", "truncate", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryDirectory",
}  # fmt: skip
OF_OS = {"open", "remove", "rename", "replace", "link", "unlink", "fdopen"}


def opens(module: str) -> set[str]:
    """The calls in a module that open, make, list or take away files."""
    calls = set()
    for node in nodes_of(module):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        above, _, last = name.rpartition(".")
        of_files = above in ("files", "cache_files", "layout", "ast", "pkgutil")
        own = last in OPENING and above and not of_files
        own = own or (last == "open" and any(isinstance(word, ast.Constant) for word in node.args))  # `path.open("w")`
        if name == "open" or (above in ("os", "io", "shutil") and last in OF_OS) or own:
            calls.add(name)
    return calls


@check_rows("module", MODULES)
def test_files_are_opened_in_one_place(module: str) -> None:
    if module in OPENERS:
        assert opens(module), f"{module} opens nothing: it needs no exception"
    else:
        assert not opens(module), f"{module} opens by itself what vault/files.py should open"


TAGGING = {"recall", "features", "mcp", "session"}  # packages


FOR_FILES = "features/move/formats/"  # what these write and read has tags of its own, and no model is given it


@check_rows("module", [each for each in MODULES if package_of(each) in TAGGING and not each.startswith(FOR_FILES)])
def test_tags_are_written_in_one_place(module: str) -> None:
    """What is put around a text for a model is put there by `text/frame`, which escapes what it frames."""
    docs = {
        id(node.body[0].value) for node in nodes_of(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }  # fmt: skip
    texts = [
        node for node in nodes_of(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]  # fmt: skip
    found = [
        f"{node.lineno}: {node.value}" for node in texts if re.search(r"^</?[a-z]{3,}[ >]|</[a-z]{3,}>", node.value)
    ]
    assert not found
