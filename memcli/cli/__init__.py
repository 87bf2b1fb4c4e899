"""The terminal: commands, rendering, exit codes. Nothing below this floor prints or knows typer and rich.

One file a command group; a command parses its words, calls one function below, and renders what comes back.
"""
