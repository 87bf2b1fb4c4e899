"""`mem reflect`."""
