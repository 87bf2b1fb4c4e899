"""Documents are cut where a reader would cut them, never over the limit, and nothing of them is lost."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.features.knowledge import cut
from memcli.features.knowledge.documents import KnowledgeDocument
from memcli.text import tokens
from memcli.text.stitch import stitch_pieces

LINE = st.one_of(
    st.sampled_from(
        ["# One", "## Two", "### Three", "", "- item", "```", "| a | b |", "水温八十度。泡两分钟！", "---"]
    ),
    st.text("abc 茶.\n", max_size=80),
    st.integers(1, 90),
)


def worded(lines: list[str | int]) -> str:
    """Numbers become so many sentences, none of which stands twice: else nobody could say which one a piece begins with."""
    return "\n".join(
        line if isinstance(line, str) else " ".join(f"In line {at} it is said {n} times." for n in range(line))
        for at, line in enumerate(lines)
    )


LINES = st.lists(LINE, max_size=25).map(worded)


def document(text: str, line: int = 1) -> KnowledgeDocument:
    return KnowledgeDocument("tea.md", "Tea", text, "markdown", line=line)


def prose(words: int, of: str = "word") -> str:
    return " ".join(f"{of} {n} is said here." for n in range(words // 5))


@given(LINES, st.sampled_from([0, 2000, 300, 40]))
def test_no_piece_is_over_the_limit_and_no_word_is_lost(text: str, limit: int) -> None:
    pieces = cut.cut_pieces(document(text), limit)
    assert [piece.number for piece in pieces] == list(range(len(pieces)))
    assert all(tokens.count(piece.text) <= (limit or cut.MOST) and piece.text.strip() for piece in pieces)
    assert all(piece.text in text for piece in pieces)
    kept = Counter(re.findall(r"\S+", " ".join(piece.text for piece in pieces)))
    assert not Counter(re.findall(r"\S+", text)) - kept


@given(LINES)
def test_the_same_text_is_cut_the_same_way(text: str) -> None:
    assert cut.cut_pieces(document(text)) == cut.cut_pieces(document(text))


def test_a_section_is_a_piece_with_the_headings_above_it() -> None:
    text = f"# Tea\n\n{prose(60)}\n\n## Green\n\n{prose(60)}\n\n### Sencha\n\n{prose(60)}\n\n## Black\n\n{prose(60)}\n"
    pieces = cut.cut_pieces(document(text))
    assert [piece.trail for piece in pieces] == ["Tea", "Tea > Green", "Tea > Green > Sencha", "Tea > Black"]
    assert [piece.line for piece in pieces] == [1, 5, 9, 13]
    assert pieces[2].text.startswith("### Sencha\n\nword 0")


def test_lines_are_those_of_the_file_that_front_matter_stands_in() -> None:
    assert cut.cut_pieces(document("\n\nTea.\n", line=6))[0].line == 8


def test_tiny_sections_go_together_under_their_parent() -> None:
    text = "# Words\n\n## Gaiwan\n\nA bowl with a lid.\n\n## Chahai\n\nA jug.\n\n# Else\n\nOther.\n"
    pieces = cut.cut_pieces(document(text))
    assert [piece.trail for piece in pieces] == ["Words", "Else"]
    assert "## Gaiwan" in pieces[0].text and "## Chahai" in pieces[0].text


def test_a_heading_with_nothing_under_it_leads_its_first_section() -> None:
    pieces = cut.cut_pieces(document(f"# Tea\n\n## Green\n\n{prose(120)}\n\n## Black\n\n{prose(120)}"))
    assert [piece.trail for piece in pieces] == ["Tea > Green", "Tea > Black"]
    assert pieces[0].text.startswith("# Tea\n")


def test_a_long_section_is_cut_in_pieces_that_share_a_little() -> None:
    text = "## Long\n\n" + "\n\n".join(prose(40, f"p{n}") for n in range(40))
    pieces = cut.cut_pieces(document(text))
    assert len(pieces) > 3
    assert all(100 < piece.tokens <= cut.STILL_GOOD for piece in pieces[:-1])
    assert stitch_pieces([piece.text for piece in pieces]) == text


def test_code_and_tables_stay_whole_while_they_fit() -> None:
    code = "```py\n" + "".join(f"value_{n} = compute({n})\n" for n in range(100)) + "```"
    table = "\n".join(["| tea | minutes |", "|---|---|", *(f"| tea number {n} | {n} |" for n in range(90))])
    text = f"## Both\n\n{prose(300)}\n\n{code}\n\n{prose(300)}\n\n{table}\n\n{prose(300)}"
    pieces = [piece.text for piece in cut.cut_pieces(document(text))]
    assert any(code in piece for piece in pieces) and any(table in piece for piece in pieces)
    assert all(tokens.count(piece) <= 300 for piece in (each.text for each in cut.cut_pieces(document(text), 300)))


def test_settings_of_a_role_are_cut_smaller() -> None:
    text = f"# World\n\n{prose(450, 'law')}"
    code = f"# World\n\n```\n{prose(450, 'law')}\n```"
    assert len(cut.cut_pieces(document(code))) == 1
    for each in (text, code):
        pieces = cut.cut_pieces(document(each), 300)
        assert len(pieces) > 1 and all(tokens.count(piece.text) <= 300 for piece in pieces)


def test_chinese_is_cut_at_sentences() -> None:
    text = "## 茶\n\n" + "".join(f"第{n}泡要多等五秒，水不能太烫。" for n in range(120))
    pieces = cut.cut_pieces(document(text))
    assert len(pieces) > 2 and all(piece.text.endswith("。") for piece in pieces)
    assert stitch_pieces([piece.text for piece in pieces]) == text


def test_stitching_repeats_nothing_and_swallows_nothing() -> None:
    assert stitch_pieces([]) == ""
    assert stitch_pieces(["One. Two is here.", "Two is here. Three."]) == "One. Two is here. Three."
    assert stitch_pieces(["ends with a", "a begins"]) == "ends with a\n\na begins"
    assert stitch_pieces(["天黑了。他笑了。", "他笑了。灯灭了。"]) == "天黑了。他笑了。灯灭了。"
    for said in (
        "The gate opens at low tide and the guards wear grey wool. ",
        "| gate | open at low tide | guards in grey wool |\n",
        "潮水一退，盐门就开。",
    ):
        text = (said * 90).rstrip()
        shown = stitch_pieces([piece.text for piece in cut.cut_pieces(document(text))])
        assert "".join(shown.split()) == "".join(text.split())


def test_a_key_or_a_line_without_end_is_cut_all_the_same() -> None:
    pieces = cut.cut_pieces(document("龘" * 3000 + " " + "x9" * 9000))
    assert len(pieces) > 5 and all(tokens.count(piece.text) <= cut.MOST for piece in pieces)


def test_what_sets_a_scene_comes_in_pieces_of_at_most_300_tokens() -> None:
    table = "```\n" + "\n".join(f"town {n}: the people of it have {n} gates" for n in range(60)) + "\n```"
    plain, world = (KnowledgeDocument("w.md", "World", table, "markdown", type=kind) for kind in ("", "World"))
    assert max(tokens.count(piece.text) for piece in cut.cut_pieces(plain)) > 300
    assert max(tokens.count(piece.text) for piece in cut.cut_pieces(world)) <= 300


def long(words: list[str], number: int) -> str:
    """A sentence longer than what two pieces share, in which nothing comes twice."""
    return "".join(f"{word}{number * 31 + at}" for at, word in enumerate(words * 9))


ENGLISH, CHINESE = [" mill", " reeve", " weir", " eel"], ["磨坊", "河水", "老人", "木船"]


@pytest.mark.parametrize("limit", [0, 60, 300, 700, 2000])
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"In{long(ENGLISH, n)}. " for n in range(60)),
        "".join(f"有{long(CHINESE, n)}。" for n in range(60)),
        "\n\n".join(f"In{long(ENGLISH, n)}. So{long(ENGLISH, n + 99)}." for n in range(60)),
        "\n".join(f"- in{long(ENGLISH, n)}" for n in range(60)),
    ],
    ids=["one paragraph", "Chinese", "paragraphs", "a list"],
)  # fmt: skip
def test_stitched_pieces_are_the_text_again_to_the_letter(text: str, limit: int) -> None:
    pieces = [piece.text for piece in cut.cut_pieces(document(text), limit)]
    assert len(pieces) > 2
    assert stitch_pieces(pieces) == text.rstrip()


def test_a_limit_of_the_users_is_filled_and_a_tenth_of_it_shared() -> None:
    text = " ".join(f"The gauge at weir {n} stood high on that day." for n in range(1200))
    for limit, shared in ((2000, 200), (600, 60), (300, 30)):
        pieces = [piece.text for piece in cut.cut_pieces(document(text), limit)]
        assert all(limit * 2 // 3 < tokens.count(piece) <= limit for piece in pieces[:-1])
        for before, after in pairwise(pieces):
            same = next(after[:size] for size in range(len(after), 0, -1) if before.endswith(after[:size]))
            assert shared * 0.7 < tokens.count(same) <= shared * 1.1


@pytest.mark.parametrize(("lines", "whole"), [(380, True), (402, False)])
def test_a_piece_of_a_document_has_2000_tokens_at_most(lines: int, whole: bool) -> None:
    code = "```\n" + "x = 1\n" * lines + "```\n"
    size = tokens.count(code)
    assert (size <= 2000) is whole and abs(size - 2000) < 120
    made = cut.cut_pieces(KnowledgeDocument("a.md", "a", "# Code\n\n" + code, "markdown"))
    assert any(each.text.count("x = 1") == lines for each in made) is whole
