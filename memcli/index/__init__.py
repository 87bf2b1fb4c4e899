"""Add search by meaning with the sidecar index, a cache in `.mem/` that can be deleted and rebuilt at any time.

`models` lists the embedding models, `download` fetches them, `embed` runs them. `store` is a table of LanceDB,
`catalog` records which files are in it, `sync` keeps it up to date. For memories, `texts` says what is indexed,
`memory_table` keeps it, `refresh` updates it. A feature keeps documents the same way.
"""
