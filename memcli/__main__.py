"""The process `mem`; `python -m memcli` is the same."""

import gc


def main() -> None:
    gc.disable()  # a command ends before collecting would pay; a twentieth of a recall went into it
    from memcli.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
