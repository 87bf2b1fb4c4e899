"""Find the tags that words of a question stand for, as `tags.yaml` says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memcli.text import words
from memcli.text.words import Term

HINTS = (0.6, 0.8)  # how surely one word, or more, means a tag


def find_hinted_tags(
    text: str, tag_words: Mapping[str, Sequence[str]], asked: Sequence[str], terms: Iterable[Term]
) -> dict[str, float]:
    """Return the tags that words of the question stand for, each with its certainty; two words are surer than one."""
    question_words = set(words.words(text))
    stems = {words.stem(word) for word in question_words}
    low, alone = text.lower(), {term.text for term in terms if len(term.text) == 1}

    def meant(keyword: str) -> bool:
        if words.WORD.fullmatch(keyword):
            return keyword in question_words or words.stem(keyword) in stems
        return keyword in (low if len(keyword) > 1 else alone)  # 猫 is also a part of 熊猫

    hinted = {}
    for tag, keywords in tag_words.items():
        found = sum(map(meant, {keyword.lower().strip() for keyword in (tag, *keywords)}))
        if found and tag not in asked:
            hinted[tag] = HINTS[min(found, len(HINTS)) - 1]
    return hinted
