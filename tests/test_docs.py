"""The docs say what is true: transcripts are run, references are made from the app, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memcli import bounds
from memcli.cli.commands import COMMANDS
from memcli.cli.man import man_page
from memcli.recall import current, direct, engine, hinted_tags, likelihood, query, relevance, score, select
from memcli.recall.paths import semantic, tag, text, time
from memcli.text import lexicon, novelty, words
from memcli.vault import settings
from tests.docs import prose, reference, transcripts
from tests.docs.reference import ROOT
from tests.features import MISSING, is_deleted
from tests.rows import check_rows
from tests.warm import Warm

CLASS = re.compile(r"(?m)^class (\w+)")
ABOVE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSES.md", "tests/bench/README.md")
MEND = "`python -m tests.docs` writes it anew"


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def check_up_to_date(page: str, made: str) -> None:
    """A page is as it is made now. Where a feature was deleted, it has more, and other options are in many commands."""
    if not MISSING:
        assert page == made, MEND
    kept = {*page.splitlines()}
    assert [line for line in made.splitlines() if line not in kept and "`mem " not in line] == []


def section(page: str, title: str) -> str:
    """What stands under a heading of the second level."""
    _, heading, rest = page.partition(f"\n## {title}\n")
    assert heading, f"the page has no section `## {title}`"
    return rest.partition("\n## ")[0]


@pytest.mark.parametrize("name", [name for name in transcripts.PAGES if transcripts.commands(text_of(name))])
def test_what_a_page_shows_is_what_happens(name: str, tmp_path: Path, warm: Warm | None) -> None:
    cold = warm is None or name == "README.md"  # as a stranger runs it
    for ran in transcripts.run(text_of(name), tmp_path, "" if cold else warm.address):
        where = f"{name}:{ran.command.line}: `{ran.command.words}` (exit {ran.code})"
        assert ran.as_shown, f"{where} printed\n" + "\n".join(ran.out) + f"\n\n{MEND}"


@check_rows(
    ("shown", "out", "same"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one\ntwo", "one\n2", False),
        ("one\n…\nfour", "one\ntwo\nthree\nfour", True),
        ("one\n…\nfour", "one\ntwo\nthree", False),
        ("commit … done", "commit 3f2a9c1 done", True),
        ("commit … done", "commit 3f2a9c1\ndone", False),
        ("a.b", "axb", False),
        ("wide    column", "wide  column", True),
        ("two words", "twowords", False),
    ],
)
def test_an_ellipsis_stands_for_anything_and_nothing_else_does(shown: str, out: str, same: bool) -> None:
    assert transcripts.matches(shown, out) is same


def test_blocks_marked_not_run_are_left_alone() -> None:
    page = "```console\n$ one\nits output\n```\n<!-- not run -->\n```console\n$ two\n```\n```text\n$ three\n```\n"
    assert [(each.words, each.shown) for each in transcripts.commands(page)] == [("one", ("its output",))]


def test_a_mended_page_leaves_out_what_it_left_out() -> None:
    page = "```console\n$ seq 4\n1\n…\n5\n$ echo took 9 ms, twice\ntook … ms, once\ntook … ms, twice\n```\n"
    first, second = transcripts.commands(page)
    ran = [transcripts.Ran(first, 0, ("1", "2", "3", "4")), transcripts.Ran(second, 0, ("took 9 ms, twice",))]
    assert transcripts.mended(page, ran) == (
        "```console\n$ seq 4\n1\n…\n4\n$ echo took 9 ms, twice\ntook … ms, twice\n```\n"
    )


def test_the_command_reference_is_up_to_date() -> None:
    check_up_to_date(text_of("docs/cli.md"), reference.cli())


def test_the_man_page_is_up_to_date() -> None:
    check_up_to_date(text_of("docs/mem.1"), man_page())


def test_the_command_reference_names_every_command_and_option() -> None:
    page = text_of("docs/cli.md")
    for name, params in reference.params():
        for word in params:
            if word == "--json" and f"`{name}`" not in page.partition("in every command but")[2].partition("\n\n")[0]:
                continue
            assert re.search(rf"[`\[|\s]{re.escape(word)}(?![\w-])", told_of(name, page)), f"{name} {word}"


def told_of(name: str, page: str) -> str:
    """What the command reference says of a command, with what its group says of all of its commands."""
    if f"\n## {name}\n" in page:
        return section(page, name)
    group, _, word = name.rpartition(" ")
    assert f"\n## {group}\n" in page, f"nox -s docs writes {name} into docs/cli.md"
    common, *own = section(page, group).split("\n**`")
    found = [f"`{told}" for told in own if told.startswith((f"{name} ", f"{name}`"))]
    if not found:
        (first,) = [
            first for first, words in re.findall("The same as in `(.+?)`: (.+)", own[-1]) if f"`{word}`" in words
        ]
        return told_of(f"{first} {word}", page)
    return common + found[0]


def test_every_command_is_shown_by_example() -> None:
    page = text_of("docs/commands.md")
    for name in COMMANDS:
        place = name if f"\n## {name}\n" in page else "The others"
        shown = section(page, place)
        assert re.search(rf"`mem\s+{name}\b|\$ (.* \| )?mem {name}\b", shown), (
            f"docs/commands.md: {name} has no example in the section {place!r}"
        )


def test_the_index_lists_every_page_in_one_group() -> None:
    listed = re.findall(r"(?m)^- \[([\w.-]+\.md)\]", text_of("docs/README.md"))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md", "README.zh.md"}
    assert not pages - set(listed), f"docs/README.md should list {pages - set(listed)}"
    assert len(listed) == len(set(listed))
    assert re.findall(r"(?m)^## (.+)$", text_of("docs/README.md")) == [
        "Tutorials",
        "How-to",
        "Reference",
        "Explanation",
    ]


def test_the_site_has_every_page() -> None:
    listed = re.findall(r"(?m)^ +- ([\w.-]+\.md)$", text_of("mkdocs.yml"))
    above = {"changelog.md", "contributing.md", "reporting.md"}  # .ci/site_hook.py brings them
    assert sorted(listed) == sorted({page.name for page in (ROOT / "docs").glob("*.md")} | above), "nav of mkdocs.yml"


TYPES_OF_FEATURES = {
    "agents": {"Space"},
    "knowledge": {"KnowledgeDocument", "DocumentPiece"},
    "nudge": {"TimelyNudge"},
    "talk": {"Role", "Layer", "BuiltPrompt"},
    "ways": {"Way"},
}


def test_each_word_of_the_glossary_has_its_type_in_the_code() -> None:
    rows = re.findall(r"(?m)^\| ([^|]+) \| [^|]+ \| ([^|]+\.) \| `(\w+)` \|$", text_of("docs/glossary.md"))
    types = {name for file in (ROOT / "memcli").rglob("*.py") for name in CLASS.findall(file.read_text("utf-8"))}
    assert len(rows) >= 30
    gone = {name for feature in MISSING for name in TYPES_OF_FEATURES.get(feature, ())}
    assert {name for _, _, name in rows} - types == gone
    assert len({word for word, _, _ in rows}) == len({name for _, _, name in rows}) == len(rows)


@pytest.mark.parametrize("name", transcripts.PAGES)
def test_parts_made_from_the_code_are_up_to_date(name: str) -> None:
    page = text_of(name)
    check_up_to_date(page, reference.filled(page))


def test_every_setting_is_documented() -> None:
    page = text_of("docs/config.md")
    for name, key in settings.keys().items():
        assert f"- `{name}: " in page
        assert key.variable == f"MEM_{name.replace('.', '_').upper()}", "the page says how the variable is named"


@check_rows(
    "said",
    [
        f"At most {bounds.QUESTION} characters are read, and at most {bounds.TERMS} terms",
        f"with a weight of {lexicon.SYNONYM:g}",
        f"one term of weight {query.PHRASE:g}",
        f"a single character beside whole pairs {words.SINGLE:g}",
        f"from {text.COMMONPLACE:g} to 1, by its rank",
        f"the last {settings.RecallSettings().recent_days} days; at most {time.MOST_FILES} files",
        f"at most {tag.MOST_FILES} files",
        f"the {text.MOST_FILES} files with the best lines",
        f"e^(−{score.SHARPNESS:g} · d)",
        f"`1 / (1 + {settings.RecallSettings().decay:g} · days)`",
        f"{time.LONG:g} in a longer span",
        f"`exp(-{settings.RecallSettings().use_decay:g} · days)`",
        f"plus {text.HEADING:g} for a match in a heading above it and {text.NAMED:g}",
        f"count {time.AFTERMATH:g} or less",
        f"a weight of {hinted_tags.HINTS[0]:g}, two words with {hinted_tags.HINTS[1]:g}",
        f"every weight counts {score.BESIDE_MEANING:g}",
        f"at least {relevance.LEAST:g} times as likely as the best (`relevance.py`)",
        f"(at least {current.LEAST_ALIKE:g} of the way from the usual likeness to 1)",
        f"multiplied by `1 − {semantic.CROWDED:g} · c`",
        f"keeps {score.SUPERSEDED:g} of its score",
        f"always given, within {direct.WHO:g} of the budget",
        f"with the preferences they share {direct.NEAR:g} of the budget",
        f"they come at the end, with {direct.FAR:g} of the budget",
        f"The two latest snapshots of the last {direct.FRESH_DAYS} days that have not expired get {direct.FRESH_SHARE:g}",
        f"at least {likelihood.LEAST:g} times as likely as the best",
        f"times e^{likelihood.DEARER:g} for each thousand tokens (after several turns of a conversation "
        f"e^{likelihood.DEARER_AFTER_TALK:g}, in notes that are a conversation e^{likelihood.DEARER_IN_TALK:g}), "
        f"up to {likelihood.DEAREST:g}",
        f"above {likelihood.MANY} memories the exponent grows by {likelihood.DEARER_AMONG_MANY:g} times",
        f"Below {likelihood.SURE:g} nothing matches",
        f"the best to {select.BEST} tokens",
        f"any other to {select.BRIEF} tokens, plus up to {select.MORE}",
        f"A memory of up to {select.SHORT} tokens is whole",
        f"k₁ = {text.K1:g} and b = {text.B:g}",
        f"The best {select.POOL * engine.USUAL_NUMBER} are ordered",
        f"`{settings.RecallSettings().mmr:g} · score/best",
        f"From a likeness of {novelty.SAME:g} on",
    ],
)
def test_the_page_on_recall_has_the_numbers_of_the_code(said: str) -> None:
    page = " ".join(text_of("docs/recall.md").split())
    missing = " ".join(said.split()) not in page
    assert not missing, f"docs/recall.md should say: {said}"


@check_rows("name", [*transcripts.PAGES, *ABOVE])
def test_links_lead_somewhere(name: str) -> None:
    words = re.sub(r"(?ms)^(`{3,}).*?^\1", "", text_of(name))
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", words):
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        assert page.exists(), f"{name}: {target}"
        if anchor:
            assert anchor in anchors(page.read_text(encoding="utf-8")), f"{name}: {target}"


def test_long_prose_is_broken_and_what_a_program_printed_is_not() -> None:
    words, chinese = "word " * 40, "一句话，" * 50
    page = f"# A\n\n- {words}\n- short\n\n```text\n{words}\n```\n\n1. {chinese}\n"
    done = prose.wrapped(page)
    assert prose.wide(page) and not prose.wide(done)
    assert f"```text\n{words}\n```" in done and "\n  word" in done and "\n   一句话" in done and "\n- short\n" in done
    assert prose.wrapped(done) == done


WIDE: set[str] = set()


@check_rows("name", sorted({*transcripts.PAGES, *ABOVE} - WIDE))
def test_no_line_is_longer_than_120_characters(name: str) -> None:
    assert prose.wide(text_of(name)) == [], f"{MEND}, but a row of a table"


def anchors(page: str) -> set[str]:
    """The names that headings get in a browser."""
    words = re.sub(r"(?ms)^(`{3,}).*?^\1", "", page)
    titles = re.findall(r"(?m)^#+ (.+)$", words)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_readme_leads_with_what_it_is_and_has_the_two_commands_of_which_ci_runs_the_second() -> None:
    first = re.search(r"```sh\n(.*?)```", text_of("README.md"), re.S)
    assert first
    try_it, test_it = [line for line in first[1].splitlines() if line and not line.startswith("#")]
    assert "mem --vault sample_vault recall" in try_it
    assert f"\n{test_it}\n" in text_of(".ci/run")
    assert text_of("README.md").index("![") < 700 < text_of("README.md").index(first[0]) < 2500


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/recall.md", "docs/gates.md", "docs/security.md"])
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    there = {path.name for folder in ("memcli", "tests") for path in (ROOT / folder).rglob("*.*")}
    named = re.findall(r"`((?:[\w*]+/)*)(\w+\.(?:py|txt))`", text_of(page))
    assert sorted({name for folder, name in named if not is_deleted(folder)} - there) == []


def test_the_architecture_page_lists_every_package_and_none_that_is_gone() -> None:
    packages = {
        folder.name for folder in (ROOT / "memcli").iterdir() if any(folder.rglob("*.py")) or folder.name == "language"
    }
    table = section(text_of("docs/architecture.md"), "The packages")
    assert set(re.findall(r"(?m)^\|[^|]*\| `(\w+)/`", table)) == packages


def test_every_promise_is_shown() -> None:
    page = text_of("docs/promises.md")
    rows = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", page, re.M)
    shown = {tag for command in transcripts.commands(page) for tag in re.findall(r"# ([A-Z]\d+)$", command.words)}
    assert len(rows) == len(set(rows)) == 73
    assert shown == set(rows) - {"E2"}, "E2 is a folder"
