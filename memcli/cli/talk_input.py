"""Read the lines of a conversation, typed on a terminal or piped in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from memcli.cli.terminal import Terminal


def read_lines(terminal: Terminal) -> Iterator[str]:
    """Yield the lines that are typed or piped in."""
    source = terminal.stdin
    if source is None or not terminal.interactive():
        for raw in source.buffer if source else ():
            yield raw.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")
        return
    with suppress(ImportError):
        import readline  # noqa: F401  input() gets editing and a history by it
    with suppress(AttributeError):
        source.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[attr-defined]
    shown = terminal.stdout.isatty()
    while True:
        try:
            if not shown:
                terminal.stderr.write("> ")
                terminal.stderr.flush()
            yield input("> " if shown else "")
        except KeyboardInterrupt:
            terminal.tell("\n" + terminal.translate("Ctrl-D ends the conversation"))
        except EOFError:
            terminal.tell("")
            return
