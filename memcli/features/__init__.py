"""Hold the features that come with `mem`, one per folder. Nothing outside imports a feature: its `feature.py`
registers what it adds, through `memcli/extend.py`. A deleted folder is simply absent."""
