"""Hold the command line: commands, rendering and exit codes. Nothing below this package prints or imports typer and
rich.

Each file holds one group of commands. A command parses its words, calls one function below, and renders the result.
"""
