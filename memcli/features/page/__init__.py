"""Serve the page of `mem ui`: results of recall, open decisions, a calendar, the journal.

Callers use `app.routes`. `gate` requires a key. Each view has a file of its own. All writes go through
`remember`. The package needs nothing but starlette, and everything that it shows comes from `static/`.
"""
