"""Name the features of a part of a sentence, on which the weights are fitted.

A feature is a text: one of the marks below, and behind it a word, a sign of the tables, or a number. The weights carry
`VERSION`. When you add, remove or change a mark, increase it and fit the weights again: weights for other features
would be useless.
"""

from __future__ import annotations

VERSION = 1
HEAD = f"# schema: {VERSION}"  # a line of each file of weights

# Features of the part itself. Its words and pairs of words have no mark; ^ and $ are its ends.
EVERY = "="  # alone: every part has it; before the name of a sign: the tables found it in the piece
KIND, GROUP = "~", "~~"  # the kind of a word, and the group of that kind
WORD = "w"  # a whole Chinese word, and each two of them in a row
# Features of the neighbouring parts.
BEFORE, AFTER = "<", ">"  # a word, or the kind of one
# Features of the sentence and its context.
STARTS = "s:"  # its first word, and its first two
SENTENCE_BEFORE, SENTENCE_AFTER = "<<", ">>"  # one of the first words
ASKED = "?"  # one of the last words of the question
ENDS = " ends "  # behind one of these three: the last word
# Features of an edge: whether a memory begins here or continues.
EDGE = "|"  # alone, with the punctuation, with the first words, or with the kind of the first word
WITHIN, AT = "|within a piece", "|at a piece"
BEHIND = "|behind "  # a word at either end of the part before
LONG, BEHIND_LONG = "|long ", "|behind long "  # how many words the part has, and the part before
# A feature of a memory right after another one.
BEHIND_MEMORY = "behind a memory"
