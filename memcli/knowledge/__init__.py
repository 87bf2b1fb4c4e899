"""Documents of the world: read, cut, kept and found again, apart from what the user remembers."""
