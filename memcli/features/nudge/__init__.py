"""Choose what an assistant may say unasked: questions about missing facts, at most two in a talk (`choose.py`), and
reminders (`propose.py`)."""
