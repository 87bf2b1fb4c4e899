"""`mem stats`: what the memory holds and how it is used, in numbers. Nothing is written here and nothing leaves.

`counts` reads what `vault/journal.py` counted and what the journal holds; `tally` counts the memories themselves.
"""

from memcli.stats.counts import Cited, Recalls
from memcli.stats.tally import Stats, stats

__all__ = ["Cited", "Recalls", "Stats", "stats"]
