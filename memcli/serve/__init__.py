"""The HTTP API, `mem serve`: what the commands do, by paths.

`paths` is the one table, of which routes, `openapi.json`, tests and docs are made; `rows` says what a row is made of.
`words` makes a request the words of a command, `work` runs it in its lane (`turns`: who reads next), here or in a
process of `readers`; `problems` says what went wrong, `keys` remembers the answers of writes that may be sent again.
`app` puts that together, `server` listens. Who may do what is said by `access`, vaults are kept in memory by `vaults`;
the commands themselves are handed down by `cli/serve.py`.
"""
