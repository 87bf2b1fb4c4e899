"""List the optional packages, and the libraries they need. Import such a package inside `wanted`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memcli.errors import MissingPart

EXTRAS = {
    "memcli.index": "finding by meaning",
    "memcli.watch": "the watcher",
    "memcli.llm": "asking a language model",
}
LIBRARIES = (
    "starlette",
    "uvicorn",
    "httptools",
    "lancedb",
    "fastembed",
    "pyarrow",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "watchdog",
    "httpx",
    "markdownify",
)


@contextmanager
def wanted() -> Iterator[None]:
    """Raise MissingPart when an optional package is not there. Callers can do without it."""
    try:
        yield
    except ImportError as error:
        module = error.name or ""
        if str(error).startswith("cannot import name"):  # the error of `from memcli import llm`
            module += "." + str(error).split("'")[1]
        if missing := _missing(module):
            raise missing from error
        raise


def _missing(module: str) -> MissingPart | None:
    for room, what in EXTRAS.items():
        if f"{module}.".startswith(f"{room}."):
            return MissingPart(
                "{name} is not installed here: {library} is missing",
                "pip install --force-reinstall memcli",
                name=what,
                library=room,
            )
    library = module.partition(".")[0]
    if library in LIBRARIES:
        return MissingPart("{library} is missing, which this needs", how_to_install(library), library=library)
    return None


def how_to_install(package: str) -> str:
    """Return the command that adds a package to the environment of `mem`: with pipx, uv or pip."""
    home = Path(sys.prefix).as_posix()
    if "/pipx/" in home:
        return f"pipx inject memcli {package}"
    if "/uv/tools/" in home:
        return f"uv tool install memcli --with {package}"
    return f"{sys.executable} -m pip install {package}"
