"""Connect coding agents with mem: change their settings in place, and write plugins. Callers use `connect`."""
