"""The ground: pure functions on text. No files, no clock, no printing."""
