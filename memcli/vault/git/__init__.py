"""Git in a vault whose owner gave their word for it, by `mem init` or `mem trust`. In any other vault git never starts.

`fingerprint` tells what git could be made to run in a repository: the word holds until that changes. `program` starts
git, `commit` and `exchange` are what `mem` does with it, `repository` answers about the past, and `locks` takes away
what a killed git left behind.
"""
