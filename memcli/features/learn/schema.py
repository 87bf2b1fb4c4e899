"""Name the features of a part of a sentence, on which the weights are fitted.

A feature is a text: one of the marks below, and behind it a word, a sign of the tables, or a number. The weights carry
`VERSION`. Whoever adds, drops or changes a mark counts it up and fits the weights anew, since weights of other features
would count nothing.
"""

from __future__ import annotations

VERSION = 1
HEAD = f"# schema: {VERSION}"  # a line of each file of weights

# Of the part itself. Its words, and each two of them in a row, have no mark; ^ and $ are its ends.
EVERY = "="  # alone: every part has it; before the name of a sign: the tables say so of its piece
KIND, GROUP = "~", "~~"  # the kind of a word, and the group of that kind
WORD = "w"  # a whole Chinese word, and each two of them in a row
# Of the parts beside it.
BEFORE, AFTER = "<", ">"  # a word, or the kind of one
# Of the sentence, and of what was said around it.
STARTS = "s:"  # its first word, and its first two
SENTENCE_BEFORE, SENTENCE_AFTER = "<<", ">>"  # one of the first words
ASKED = "?"  # one of the last words of the question
ENDS = " ends "  # behind one of these three: the last word
# Of an edge: these speak for a memory that begins here or goes on.
EDGE = "|"  # alone, with the punctuation, with the first words, or with the kind of the first word
WITHIN, AT = "|within a piece", "|at a piece"
BEHIND = "|behind "  # a word at either end of the part before
LONG, BEHIND_LONG = "|long ", "|behind long "  # how many words the part has, and the part before
# Of a memory right after another one.
BEHIND_MEMORY = "behind a memory"
