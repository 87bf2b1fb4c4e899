"""Add meaning to words with the sidecar index, a cache in `.mem/`: all of it can be deleted and made again.

`models` lists the embedding models, `download` brings them here, `embed` runs them. `store` is a table of LanceDB,
`catalog` records which files are in it, `sync` keeps it up to date. For memories, `texts` says what is indexed,
`memory_table` keeps it, `refresh` updates it. A feature keeps documents the same way.
"""
