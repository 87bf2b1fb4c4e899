"""Talk with a model, and build its prompts.

`saying` handles a new message (with `topic`), `ending` writes snapshots of a conversation, `snapshot` chooses the
words of both from the sentences that `summary` reads, and `model_rewrite` lets a model improve them later. `prompt/`
builds prompts, `turn` is a round of `mem chat`, and `cli/` has the commands. The records of conversations are the
core's: memcli/session."""
