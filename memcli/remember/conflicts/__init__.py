"""Tell whether a memory contradicts, repeats or replaces what is known.

`compare` compares memories by their words (with `same_words`), `same_sense` by their vectors. `known_value` compares a
new memory with the profile and the labels, `moved_day` with the appointment that it moves. What nobody could be asked
about waits in `change_queue` for `mem review`.
"""
