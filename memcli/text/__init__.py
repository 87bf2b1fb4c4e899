"""Provide pure functions on text. They open no files but the package's tables, read no clock and print nothing."""
