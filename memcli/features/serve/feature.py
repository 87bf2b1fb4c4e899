"""Register the feature `serve`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "serve",
    "Gives programs the vault: over HTTP, and over MCP to agents.",
    commands=(
        Command(
            "mcp", "agents", "Serve the vault to an agent over MCP.", "memcli.features.serve.mcp.cli", after="hook",
            early="memcli.features.serve.mcp.start",
        ),
        Command(
            "serve", "agents", "Serve the vault over HTTP, to programs with a token.", "memcli.features.serve.cli",
            after="mcp",
        ),
        Command(
            "token", "agents", "Say who may come in over HTTP, and what they may do.",
            "memcli.features.serve.token_cli", after="serve",
        ),
    ),
)  # fmt: skip
