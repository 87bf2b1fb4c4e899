"""Hold a vault in memory, in the process of `mem watch`, and answer recalls for other processes at once.

`watcher` runs it, over a `resident` vault whose lines are in `postings` and counted by `tally`. `events` reports
changes, and `background` does what follows from them. `server` listens, `client` asks, and `wire` defines their
protocol.
"""
