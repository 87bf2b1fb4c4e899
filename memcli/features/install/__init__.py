"""Connecting coding agents with mem: their settings, changed in place, and plugins they read. `connect` is the door."""
