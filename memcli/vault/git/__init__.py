"""Git in a vault: how it is run, and what of a repository is believed before its owner has agreed to it.

`program` starts git. `dot_git` alone opens files of a `.git`; `config` and `remotes` know what is harmless there,
`asks` names what is not. Until that is agreed to git works in a `sandbox`, on the files that `work_tree` lists:
`commit` makes commits by itself, `exchange` is a round of `mem sync`. `trusted` is both with git as the vault wants it.
"""
