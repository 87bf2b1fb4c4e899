"""Run the process `mem`; `python -m memcli` is the same."""

from __future__ import annotations

import gc
import os
import sys

from memcli.argv import FORWARDED, split_options


def main() -> None:
    gc.disable()  # a command ends before collection pays off; it took a twentieth of a recall
    try:
        client = code = None
        words = sys.argv[1:]
        command = "".join(split_options(words)[1][:1])
        if command not in FORWARDED:
            code = _answered_early(command, words)
            if code is not None:
                os._exit(code)  # a thread that waits for input that never came must not keep us
        else:
            try:
                from memcli.watch.client import FastClient, OutputError

                client = FastClient(os.environ, sys.stdin, sys.stdout, sys.stderr)
            except ImportError:  # without the package of the watcher a command answers itself
                pass
        if client:
            try:
                code = client.run(words)
            except OutputError as error:
                from memcli.cli.main import report_unprinted

                assert isinstance(error.__cause__, OSError)
                code = report_unprinted(error.__cause__)
            if code is not None:
                os._exit(code)  # everything is printed; shutting Python down would take a tenth of the time
        from memcli.cli.main import main as run

        try:
            run(client=client)
        finally:
            _leave_behind()
    except KeyboardInterrupt:  # Ctrl-C while modules were still loading
        sys.exit(130)


def _answered_early(command: str, words: list[str]) -> int | None:
    """Let a feature answer its command, and return the exit code, or None when the command line has to be loaded."""
    if not command or command.startswith("-"):  # help and completion
        return None
    from importlib import import_module

    from memcli import registry

    named = ((feature, entry[-1]) for feature, entry in registry.commands() if entry[0] == command)
    feature, module = next(named, ("", ""))

    def answer() -> int | None:
        code: int | None = import_module(module).run(words, os.environ)
        return code

    return registry.guarded(feature, answer, None) if module else None


def _leave_behind() -> None:
    """Exit at once while a source or a store that was given up is still working.

    A library that hangs must not keep the process alive, and native code must not wake up in an interpreter that is
    shutting down.
    """
    threading, end = sys.modules.get("threading"), sys.exc_info()[1]
    if threading and isinstance(end, SystemExit) and any(t.name.startswith("source ") for t in threading.enumerate()):
        os._exit(end.code if isinstance(end.code, int) else 1)


if __name__ == "__main__":
    main()
