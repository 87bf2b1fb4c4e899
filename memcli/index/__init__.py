"""The sidecar index: a cache in `.mem/` that adds meaning to words. Everything here can be deleted and made again.

`models` says which embedding models there are, `download` brings them here, `embed` runs them. `store` is a table of
LanceDB, `catalog` remembers which files are in it, `sync` keeps it in line with them; of memories `texts` says what is
indexed, `memory_table` keeps it, `refresh` brings it in line. Documents (`memcli.knowledge`) are kept the same way.
"""
