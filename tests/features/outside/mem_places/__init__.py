"""A package from outside, as docs/extend.md shows it."""
