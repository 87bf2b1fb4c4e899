"""Talk with a model, and build its prompts.

`saying` handles a new message (with `topic` and `summary`), `ending` writes snapshots of a conversation (with
`snapshot`), and `model_rewrite` lets a model improve both later. `prompt/` builds prompts, `turn` is a round of `mem
chat`, and `cli/` has the commands. The records of conversations are the core's: memcli/session."""
