"""The process `mem`; `python -m memcli` is the same."""

import gc
import sys


def main() -> None:
    gc.disable()  # a command ends before collecting would pay; a twentieth of a recall went into it
    try:
        from memcli.cli.main import main as run

        run()
    except KeyboardInterrupt:  # pressed while modules were still loading
        sys.exit(130)


if __name__ == "__main__":
    main()
