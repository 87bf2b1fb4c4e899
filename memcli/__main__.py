"""The process `mem`; `python -m memcli` is the same."""

import gc
import os
import sys


def main() -> None:
    gc.disable()  # a command ends before collecting would pay; a twentieth of a recall went into it
    try:
        lane = None
        if "recall" in sys.argv:
            from memcli.cli.lane import Lane

            lane = Lane()
            code = lane.run(sys.argv[1:])
            if code is not None:
                os._exit(code)  # all is printed; taking Python down would be a tenth of the time
        from memcli.cli.main import main as run

        run(lane=lane)
    except KeyboardInterrupt:  # pressed while modules were still loading
        sys.exit(130)


if __name__ == "__main__":
    main()
