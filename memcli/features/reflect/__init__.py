"""Look back on a week or a project in ten lines, each with the memories it rests on.

Callers use `lookback`, which makes the lines by rules (with `topics`: what comes up again and again); `model` lets a
language model write them.
"""
