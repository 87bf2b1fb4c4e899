"""Serve a vault to programs: over HTTP (`mem serve`), where each path does what a command does, and to agents over the
Model Context Protocol (`mem mcp`, in `mcp/`).

`paths` is the one table, from which routes, `openapi.json`, tests and docs are made; `memcli.rest_rows` defines a row,
and features add theirs. `words` turns a request into the words of a command, after `memcli.check_value` has checked
its inputs. `command_runner` runs it in its lane (`work`), in this process by `run_command` or in one of `readers`.
`problems` describes failures, and `keys` keeps the answers of writes that may be sent again. `app` puts that together,
and `server` listens. `access` decides who may do what, and `memcli.warm` keeps vaults in memory.
"""
