"""`python -m memcli` is `mem`."""

from memcli.cli.main import main

if __name__ == "__main__":
    main()
