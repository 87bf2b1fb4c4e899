"""Hold the vault: layout, entries, safe writing, history, settings. It knows no recall, models or commands."""
