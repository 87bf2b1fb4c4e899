"""Connect agents with mem: `mem install NAME` writes into their settings, and `mem uninstall NAME` takes it out again.

`agents` knows where each keeps its settings; `json_edit` (on `json_tree`) and `toml_edit` change one key of a file;
`change` combines these; `plugin` has whole files; `check` serves `mem doctor`.
"""

from memcli.features.install.agents import AGENTS, Setup
from memcli.features.install.change import AgentState, Change, install, installed, uninstall, write_changes
from memcli.features.install.check import checks

__all__ = ["AGENTS", "AgentState", "Change", "Setup", "checks", "install", "installed", "uninstall", "write_changes"]
