"""Keep several vaults in memory, for a server: `vaults` opens and closes them, `warm` is one of them, and `later` does
their background work."""
