"""The vault: layout, Markdown entries, safe writing, history, settings. Knows nothing of recall, models or commands."""
