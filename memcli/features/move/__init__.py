"""Import the memories of other tools, and export memories in their formats: each is a module in `formats/`.

`archives` opens the user's files, `sorter` decides what becomes of each item, `bring` prepares an import and puts it in
place in one write, `export` writes memories to a format.
"""
