"""Count what the memory holds and how it is used, for `mem stats`. This package writes nothing and sends nothing.

`counts` reads the counters of `vault/journal.py` and the journal; `tally` counts the memories themselves.
"""
