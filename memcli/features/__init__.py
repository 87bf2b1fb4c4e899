"""The features that come with `mem`, a folder each. Nothing outside them imports one: each says in its `feature.py`
what it brings, through the door `memcli/extend.py`, and a folder that is deleted is simply not there."""
