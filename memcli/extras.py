"""What the core can do without: rooms, and the libraries they stand on. Who asks one imports it under `wanted`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memcli.errors import MissingPart

EXTRAS = {
    "memcli.index": "finding by meaning",
    "memcli.knowledge": "the room of documents",
    "memcli.watch": "the watcher",
    "memcli.deep": "asking many sources",
    "memcli.llm": "asking a language model",
    "memcli.remember.learn": "learning from talks",
    "memcli.page": "the page",
}
LIBRARIES = ("lancedb", "fastembed", "pyarrow", "numpy", "onnxruntime", "watchdog", "httpx", "markdownify")
SERVING = ("starlette", "uvicorn", "httptools")  # of `memcli[serve]`


@contextmanager
def wanted() -> Iterator[None]:
    """An extra that is not there is a MissingPart, which callers know how to do without."""
    try:
        yield
    except ImportError as error:
        module = error.name or ""
        if str(error).startswith("cannot import name"):  # what `from memcli import llm` says
            module += "." + str(error).split("'")[1]
        if missing := _missing(module):
            raise missing from error
        raise


def _missing(module: str) -> MissingPart | None:
    for room, what in EXTRAS.items():
        if f"{module}.".startswith(f"{room}."):
            return MissingPart(
                f"{what} is not installed here: {room} is missing", "pip install --force-reinstall memcli"
            )
    library = module.partition(".")[0]
    if library in SERVING:
        return MissingPart(f"{library} is missing, which this needs", "pip install 'memcli[serve]'")
    if library in LIBRARIES:
        return MissingPart(f"{library} is missing, which this needs", f"pip install {library}")
    return None
