"""Run git in a vault whose owner agreed to it, by `mem init` or `mem trust`. In any other vault git never starts.

`fingerprint` lists what git could be made to run in a repository: the consent holds until that changes. `program`
starts git, `commit` and `conflicts` are what `mem` does with it, `repository` finds what is not committed, and `locks`
removes what a killed git left behind.
"""
