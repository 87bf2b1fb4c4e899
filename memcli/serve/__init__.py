"""Serve the commands over HTTP (`mem serve`): each path does what a command does.

`paths` is the one table, from which routes, `openapi.json`, tests and docs are made; `rows` defines what a row holds.
`words` turns a request into the words of a command. `work` runs it in its lane (`turns` decides who reads next), in
this process or in one of `readers`. `problems` describes failures, and `keys` keeps the answers of writes that may be
sent again. `app` puts that together, and `server` listens. `access` decides who may do what, and `vaults` keeps vaults
in memory. `cli/serve.py` passes in the commands themselves.
"""
