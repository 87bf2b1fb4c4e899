"""`mem watch`: a process that holds a vault in memory and answers recalls for other processes at once.

`watcher` runs it, over a `resident` vault whose lines are in `postings` and counted by `tally`; `events` tells what changes, `server` listens,
`client` asks, and `wire` is what both say to each other.
"""
