"""Serve the page of `mem ui`: what recall would give, what waits for a decision, the days, the journal.

Callers use `app.routes(open_vault)`. `gate` admits nobody without a key. Each view has a file of its own. All writes go
through `remember`. The package needs nothing but starlette, and everything that it shows comes from `static/`.
"""
