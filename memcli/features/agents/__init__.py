"""Manage the spaces of agents, which remember things of their own."""
