"""Search documents, notes and other sources for a question, and answer with the evidence cited.

The steps are `understand` (what is asked), `plan` (which sources, with what question), `gather` (all sources at once,
each with its limit), `rank` (the best ten; a model may grade all candidates) and `answer` (with checked citations).
`pipeline` runs them all; `later` does so in the background. A source is one small module in `sources/`, or another
feature brings it. `pipeline.evidence` serves prompts: it asks no model and searches documents alone. `keep` proposes
what is worth remembering.
"""
