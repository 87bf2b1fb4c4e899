"""`mem watch`: a process that holds a vault in memory and answers recalls for other processes at once.

`watcher` runs it, over a `resident` vault whose lines are in `postings` and counted by `tally`. `events` says
what changes, `server` listens, `client` asks, `wire` is what both say to each other, and `argv` reads a command.
"""
