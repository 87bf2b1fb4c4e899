"""List the signs that change what a text says, so that texts which differ in one of them are not the same.

-5 and 5, 1.5 and 1-5, C++ and C#, A+ and A-, € and $, < and >, 👍 and 👎, a question and a statement.
"""

from __future__ import annotations

# A pattern as text, a part of larger ones: those are compiled when two texts are compared.
TELLING_SIGN = (
    r"(?<![A-Za-z0-9])[-+](?=\d)|(?<=\d)[.,:/-](?=\d)|(?<=[A-Za-z])[+#]+(?![A-Za-z0-9])|(?<=\b[A-Za-z])-(?![\w-])"
    r"|[<>](?=[\s=\d])|!(?==)|[$%=?\xa2-\xa5\xb0-\xb3\u20a0-\u20cf\u2190-\u2bff\U0001f000-\U0001faff]"
)
