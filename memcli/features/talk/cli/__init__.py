"""Hold the commands: a file for each of `mem chat`, `prompt`, `role` and `session`."""
