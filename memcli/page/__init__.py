"""Build views of `mem ui`: what the page and the features that add a view to it share.

`html` builds text in which a memory is only ever text, `pieces` builds parts that several views share, `editor` makes
links to the person's editor, and `visit` is one request of a guest.
"""
