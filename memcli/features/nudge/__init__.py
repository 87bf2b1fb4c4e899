"""Choose what an assistant may say unasked: questions about missing facts, at most two in a conversation (`choose.py`),
and reminders (`propose.py`)."""
