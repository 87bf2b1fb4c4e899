"""Measure recall on the user's own questions: `mem eval`."""
