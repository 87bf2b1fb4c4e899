"""Import the memories of other tools, and export memories in their formats: each is a module in `formats/`.

`archives` opens what the user brings, `sorter` previews the import, `bring` does it in one write, `export` writes
memories out.
"""
