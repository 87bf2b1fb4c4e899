"""Connect coding agents with mem: `mem install` writes into their settings, and `mem uninstall` takes it out again.

`agents` knows where each keeps its settings; `json_edit` (on `json_tree`) and `toml_edit` change one key of a file;
`change` combines these; `plugin` has whole files; `check` serves `mem doctor`.
"""
