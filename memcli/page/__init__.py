"""Build views of `mem ui`: what the page and the features that add a view to it share.

`html` builds text in which a memory is only ever text; `pieces` builds parts that several views share; `visit` is one
request of a `guest`.
"""
