"""What is indexed of a file, and where long texts are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memcli.index import texts
from memcli.text import tokens
from memcli.vault import entries

words = st.text(st.sampled_from("ab 。.!\n\n#-我们的`"), max_size=400)


def chunks(text: str, most: int, overlap: int) -> list[str]:
    return [text[start:stop] for start, stop in texts.spans(text, most, overlap)]


def by_signs(text: str) -> int:
    return len(text)


@given(words, st.integers(4, 60), st.integers(0, 10))
def test_pieces_are_small_enough_and_leave_nothing_out(text: str, most: int, overlap: int) -> None:
    cuts = texts.spans(text, most, overlap, by_signs)
    end = 0
    for start, stop in cuts:
        assert start <= end < stop
        assert stop - start <= most
        assert end - start <= overlap
        end = stop
    assert end == len(text)


def test_a_document_is_cut_before_headings_and_shares_its_edges() -> None:
    text = "".join(f"## Part {part}\n\n" + f"Sentence of part {part} goes on. " * 50 + "\n\n" for part in range(6))
    pieces = chunks(text, 500, 50)
    assert all(tokens.count(piece) <= 500 for piece in pieces)
    assert sum(piece.startswith("## Part") for piece in pieces) == 6
    text = " ".join(f"Sentence number {n} of one long paragraph." for n in range(200))
    for before, after in zip(chunks(text, 300, 30), chunks(text, 300, 30)[1:], strict=False):
        shared = next(n for n in range(len(after), -1, -1) if before.endswith(after[:n]))
        assert 0 < tokens.count(after[:shared]) <= 30
        assert after.startswith("Sentence number")


def test_a_text_without_any_edge_is_cut_all_the_same() -> None:
    for endless in ("x" * 20_000, "字" * 5_000, "a b " * 5_000):
        pieces = chunks(endless, 300, 0)
        assert "".join(pieces) == endless
        assert all(tokens.count(piece) <= 300 for piece in pieces)


def test_an_entry_is_a_row_with_all_that_is_known_of_it() -> None:
    text = "# Work\n\n## API\n\n- 09:30 **Redis** it is #Work/API [type:: decision] [importance:: 0.7] ^redis\n"
    (row,) = texts.rows(entries.parse_document("agents/coder/logs/2026-11-20.md", text))
    assert (row.line, row.last_line, row.trail, row.kind) == (5, 5, "Work > API", "log")
    assert (row.day, row.tags, row.agent, row.importance) == ("2026-11-20", ("work", "work/api"), "coder", 0.7)
    assert row.text == "**Redis** it is #Work/API"
    assert row.tokens == tokens.count(row.text)


def test_a_long_entry_is_several_rows_of_one_parent_with_lines_of_their_own() -> None:
    text = "- begin\n" + "".join(f"  line {n} of a long story about nothing in particular\n" for n in range(120))
    rows = texts.rows(entries.parse_document("note.md", text))
    assert len(rows) > 1
    assert len({row.parent for row in rows}) == 1
    assert len({row.id for row in rows}) == len(rows)
    assert all(row.tokens <= texts.LONG for row in rows)
    for row in rows[1:]:
        first = row.text.strip().splitlines()[0]
        assert first in text.splitlines()[row.line - 1]


def test_the_same_text_has_the_same_hash_wherever_it_stands_and_ids_of_its_own() -> None:
    one, two = (
        texts.rows(entries.parse_document(path, "- tea\n- tea\n"))[0]
        for path in ("logs/2026-11-20.md", "logs/2026-11-21.md")
    )
    assert one.hash == two.hash
    assert one.id != two.id
    assert len({row.id for row in texts.rows(entries.parse_document("a.md", "- tea\n- tea\n"))}) == 2
