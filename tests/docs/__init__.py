"""What keeps the docs true: reference pages made from the app, and transcripts that are run. `python -m tests.docs` mends both."""
