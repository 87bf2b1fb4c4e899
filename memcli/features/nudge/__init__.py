"""Choose what an assistant may bring up on its own: questions about missing facts, at most twice in a talk
(`choose.py`), and what is worth bringing up (`propose.py`)."""
