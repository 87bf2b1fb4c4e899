"""Looking back: a week or a project in ten lines, each with the memories it rests on.

`looking` is the door; `lines` makes the lines by rules (with `topics`: what comes up again and again), `model` has a
language model say them.
"""
