"""Keep ways of working: offer those that worked, with their evidence, and warn of ways that failed.

`patterns` reads `patterns.yaml`; `likeness` compares tasks by their words (`meaning` with a model); `evidence`
computes how sure it is that a way works; `offer` combines them. `lessons` learns from failures and `talk_ways` from
talks: both propose, and `writing` keeps what somebody agrees to.
"""
