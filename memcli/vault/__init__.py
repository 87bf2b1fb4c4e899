"""Hold the vault: layout, entries, safe writing, history, settings. It does not use recall, models or commands."""
