"""Learn from conversations: read one into memory atoms.

`transcript` turns an export into messages; `find` (the rules of a `language`) or `model` finds atoms in them, and
`proposing` chooses between the two. `explicit_request` adds what the user asks to have remembered, and `backlog` does
the work later. `memcli/remember/proposals.py` keeps what was found.
"""
