"""What worked: ways of splitting a task, offered with their evidence; ways of failing, warned of beforehand.

`patterns` reads `patterns.yaml`, `likeness` tells the same task by its words (`meaning`, where there is a model),
`evidence` how sure it is that a way works, `offer` puts them together. `lessons` is what failures teach, `heard` what
talks tell: both are proposed, and kept by `writing` once somebody agrees.
"""
