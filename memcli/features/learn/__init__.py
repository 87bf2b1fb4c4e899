"""Learn from conversations: turn one into memory atoms.

`transcript` turns an export into messages; `find` (the rules of a `language`) or `model` finds atoms in them, and
`proposing` chooses between the two. `explicit_request` adds memories that the user asks for, and `backlog` runs queued
work. `memcli/remember/proposals.py` keeps the atoms.
"""
