"""Measuring recall on one's own questions: `mem eval`."""
