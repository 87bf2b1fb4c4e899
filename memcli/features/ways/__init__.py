"""Keep ways of working: offer those that worked, with their evidence, and warn of ways that failed.

`patterns` reads `patterns.yaml`; `likeness` compares tasks by their words; `evidence` computes
how certain it is that a way works; `offer` combines them. `lessons` learns from failures and `talk_ways` from
conversations. Both make proposals, and `writing` keeps those that somebody agrees to."""
