"""Strategies: texts as people, editors and accidents write them."""

from __future__ import annotations

from hypothesis import strategies as st

# Any text a file can hold: no lone surrogates (they can't be UTF-8), everything else, the awkward signs often.
anything = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("\n\r\t \ufeff\0-*+#>|`~_=[](){}:^/\\\u2028\u200d0123456789.中記ض🎉"),
    ),
    max_size=200,
)

words = st.sampled_from(
    [
        "Redis replaces the cache", "妈妈生日 12月3日", "#work/api", "#标签 here", "^cache-redis", "[type:: decision]",
        "(due:: 2026-12-01)", "[[Project X#Plan|plan]]", "`#not-a-tag`", "https://x.org/a#b", "14:30 lunch", "2026-11-20 met Lin",
        "**bold**", "a | b", "1) one", "# not a heading", "---", "===", "<!-- half", "-->", "😀 नमस्ते", "مرحبا #وسم", "\\#x", "&#39;",
        "[ ] todo", "[x] done", "*", "-", "|", ">", "> quoted", "    deep", "x\ty", "e\u0301", "::", "[a::", "key:: value",
    ]
)  # fmt: skip
line = st.lists(words, min_size=0, max_size=3).map(" ".join)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n"])


@st.composite
def bullets(draw: st.DrawFn) -> list[str]:
    marker = draw(st.sampled_from(["- ", "* ", "+ ", "1. ", "2) ", "- [ ] ", "- [x] ", "-\t", " - "]))
    rows = [marker + draw(line)]
    for _ in range(draw(st.integers(0, 3))):
        rows.append(draw(st.sampled_from(["  ", "\t", "    ", "  - ", "    * ", "", "   "])) + draw(line))
    return rows


@st.composite
def fences(draw: st.DrawFn) -> list[str]:
    indent = draw(st.sampled_from(["", "", "  ", "- ", "   "]))
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    inner = draw(st.lists(st.one_of(line, st.sampled_from(["# a comment", "- a diff", "~~~", "`` `"])), max_size=3))
    closed = [mark] if draw(st.booleans()) else []
    return [
        indent + mark + draw(st.sampled_from(["", "python", " sh x"])),
        *inner,
        *("  " * bool(indent) + c for c in closed),
    ]


tables = st.lists(line.map(lambda text: f"| {text} | b |"), min_size=1, max_size=4)
headings = st.one_of(
    st.tuples(st.integers(1, 6), line).map(lambda t: ["#" * t[0] + " " + t[1]]),
    line.map(lambda text: [text or "x", "---"]),
    line.map(lambda text: [text or "x", "==="]),
)
fronts = st.sampled_from(
    [
        ["---", "tags: [a, b]", "---"],
        ["---", "date: 2026-11-02", "..."],
        ["---", "a: [", "---"],
        ["---", "no end"],
        ["---", "---"],
    ]
)
pieces = st.one_of(bullets(), fences(), tables, headings, st.lists(line, min_size=1, max_size=3), st.just([""]), st.just(["", ""]), st.just(["<!-- note -->"]))  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A file made of the things Markdown files are made of, with any line end and with or without an end."""
    rows = list(draw(st.one_of(st.just([]), fronts)))
    for piece in draw(st.lists(pieces, max_size=8)):
        rows += piece
        if draw(st.booleans()):
            rows.append("")
    feed = draw(ends)
    text = feed.join(rows) + draw(st.sampled_from(["", feed, feed * 2]))
    return draw(st.sampled_from(["", "", "", "\ufeff"])) + text


files = st.one_of(documents(), anything)
