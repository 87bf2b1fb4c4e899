"""Talk with a model, and give it prompts.

`saying` does what follows from a message (with `topic` and `summary`), `ending` keeps what remains of a talk (with
`snapshot`), and `model_rewrite` lets a model improve both later. `prompt/` builds prompts, `turn` is a round of
`mem chat`, and `cli/` has the commands. The records of talks are the core's: memcli/session.
"""
