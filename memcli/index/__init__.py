"""The sidecar index: a cache in `.mem/` that adds meaning to words. Everything here can be deleted and made again.

`models` says which embedding models there are, `supply` brings them here, `embed` runs them; `texts` says what of a
file is indexed, `table` keeps it in LanceDB, `book` remembers what was done, `refresh` brings all in line with the files.
"""
