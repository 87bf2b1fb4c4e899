"""Talk with the language model: `cli` reads the lines, `turn` is a round of prompt, answer and learning."""
