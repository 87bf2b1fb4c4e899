"""Count what the memory holds and how it is used, for `mem stats`. This package writes nothing and sends nothing."""
