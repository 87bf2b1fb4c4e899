"""Keep several vaults in memory, for a server: `vaults` opens and closes them, and `warm` is one of them."""
