"""Serve the page of `mem ui`: what recall would give, what waits for a decision, the days, the journal.

Callers use `routes(open_vault)`. `gate` admits nobody without a key. `html` and `frame` build pages in which a memory
is only ever text. Each view has a file of its own. All writes go through `remember`. The package needs nothing but
starlette, and everything that it shows comes from `static/`.
"""

from memcli.page.app import routes
from memcli.page.gate import Guest

__all__ = ["Guest", "routes"]
