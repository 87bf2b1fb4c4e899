"""The watcher's parts: the files by heart, what changes in them, and a socket to answer on."""
