"""Import the memories of other tools, and export memories in their formats: each is a module in `formats/`.

`archives` opens the user's files, `sorter` previews the import, `bring` runs it in one write, `export` writes memories
to a format.
"""
