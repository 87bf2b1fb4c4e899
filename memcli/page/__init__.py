"""Build views of `mem ui`: the parts shared by the page and by features that add a view.

`html` builds HTML in which a memory is always escaped text, `pieces` builds parts that several views share, `editor`
makes links to the person's editor, and `visit` is one request of the browser.
"""
