"""Connecting agents with mem: `mem install NAME` writes into their own settings, and takes it out again.

`agents` knows where each keeps what, `json_edit` (on `json_tree`) and `toml_edit` change one key of a file and leave
the rest alone, `change` puts these together, `plugin` makes the files that are ours as a whole, `check` is what
`mem doctor` asks.
"""

from memcli.features.install.agents import AGENTS, Setup
from memcli.features.install.change import Change, Installed, install, installed, uninstall, write
from memcli.features.install.check import checks

__all__ = ["AGENTS", "Change", "Installed", "Setup", "checks", "install", "installed", "uninstall", "write"]
