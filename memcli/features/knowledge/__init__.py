"""Read, cut, keep and search documents of the world, apart from what the user remembers."""
