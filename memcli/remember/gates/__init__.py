"""Decide which texts may be written: not sensitive, worth keeping, new and believed. Gates return verdicts with reasons
and write nothing."""
