"""Find memories that contradict, repeat or replace known ones.

`compare` compares memories by their words (with `same_words`), `same_sense` by their vectors, and `moved_day` a new
memory with the appointment that it moves. When nobody can be asked, questions wait in `change_queue` for `mem review`.
"""
