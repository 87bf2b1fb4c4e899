"""The page that `mem ui` shows: what recall would give, what waits for a decision, the days, the journal.

The door is `routes(open_vault)`. `gate` lets nobody in without a key, `html` and `frame` make pages in which a memory
is text and nothing else; each view has a file of its own. Every write goes through the doors of `remember`.
Stands on starlette alone; everything it shows is shipped in `static/`.
"""

from memcli.page.app import routes
from memcli.page.gate import Guest

__all__ = ["Guest", "routes"]
