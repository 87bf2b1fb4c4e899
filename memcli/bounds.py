"""Define how much input is accepted, in one table for every entry point: the command line, MCP, HTTP, hooks and pages.

Longer input is refused with its size, or read up to the limit. Limits on *files* stand where files are read
(`vault/files.py`, `vault/yaml_read.py`, `vault/entries.py`), since nobody sends those.
"""

from __future__ import annotations

# The limits of one value, in characters
VALUE = 10_000  # a question, a name, a filter, a place
TEXT = 1_000_000  # a text to keep or to learn from
ITEMS = 100  # values of one kind, such as tags

# The part of a question that is read
QUESTION = 2000  # characters; a pasted file names its subject earlier
TERMS = 48  # the weightiest words; a longer question repeats itself
WORD = 100  # letters of a word; a longer one is searched by its beginning
MISSPELT = range(5, 25)  # letters; a shorter word is one typo away from too many others, a longer one is not a word
ALTERNATIVES = 400  # alternatives of one pattern; each costs a search as much memory as a page of text
CITATIONS = 1000  # places of an answer that are looked up
DIGITS = 9  # digits of a line's number

# The limits of one message, in bytes
PIPED = 64 * 2**20  # what is piped into a command
HOOK = 8 * 2**20  # what an agent hands to a hook
FRAME = 2**20  # a line of MCP
BODY = 4 * 2**20  # the body of a request
HEAD = 2**16  # the head of a request
HEADERS = 100
BATCH = 100  # messages in a message of MCP
WAITING = 1000  # waiting calls of one client
