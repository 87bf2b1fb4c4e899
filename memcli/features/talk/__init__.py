"""Talk with a model, and build its prompts.

`saying` handles a new message (with `topic` and `summary`), `ending` writes snapshots of a talk (with `snapshot`), and
`model_rewrite` lets a model improve both later. `prompt/` builds prompts, `turn` is a round of `mem chat`, and `cli/`
has the commands. The records of talks are the core's: memcli/session.
"""
