"""Nothing that a memory says becomes an element, an attribute or a link of the page that shows it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.page import editor
from memcli.page.html import Html, tag, text
from tests.features.page import hostile
from tests.features.page.visitor import Page, Visitor, there

VIEWS = there(
    "/", "/?q=tea", "/?q={}", "/?q=tea&beside={}&day={}&preset=default", "/review", "/days", f"/days/{hostile.DAY}", "/list?words=tea",
    "/list?words={}&tag={}", "/file?path=MEMORY.md", f"/file?path=logs/{hostile.DAY}.md", "/file?path={}", "/journal", "/journal?by={}",
    "/memory?id=^evil", "/memory?id=^evil&edit=1", "/memory?id={}&at={}", "/documents?q={}", "/documents/{}", "/days/{}", "/days?month={}",
    "/health", "/today", "/today?anyway=1", "/stats", "/stats?since={}", "/{}",
)  # fmt: skip
# Attributes that the page itself uses; one of a memory's making would not be among them.
ELEMENTS = set(
    "html head meta title link script body a header nav ul ol li div main h1 h2 h3 form input label select option button summary details "
    "section article p span b small kbd dl dt dd dialog footer table caption thead tbody tr th td svg rect text meter pre code blockquote textarea "
    "time".split()
)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    folder = hostile.laid(tmp_path_factory.mktemp("hostile"))
    return Visitor(folder, editor="code").enter()


def is_clean(page: Page) -> None:
    assert {name for name, _ in page.elements} <= ELEMENTS
    for name, attributes in page.elements:
        assert not [each for each in attributes if each.startswith("on") or each in ("style", "srcdoc", "http-equiv")]
        assert all(not each.startswith("hx-") or name in ("body", "form") for each in attributes)
        for where in ("href", "src", "action"):
            value = attributes.get(where, "/")
            assert value.startswith(("/", "#", "?", "vscode://file/")) and not value.startswith("//"), (name, value)
    assert all(script["src"].startswith("/static/") for script in page.all("script"))
    assert not page.all("iframe") and not page.all("style") and not page.all("base")


@pytest.mark.parametrize("path", VIEWS)
def test_a_view_shows_it_as_text(visitor: Visitor, path: str) -> None:
    answer = visitor.ask("GET", path.replace("{}", quote(hostile.EVIL, safe="")))
    assert answer.status_code < 500
    is_clean(Page(answer.text))


def test_every_file_of_it_is_shown_as_text(visitor: Visitor) -> None:
    for path in visitor.session.open({}).files():
        answer = visitor.ask("GET", "/file", params={"path": path})
        assert answer.status_code == 200
        is_clean(Page(answer.text))


@pytest.mark.parametrize("address", ["/review", "/undo", "/memory/edit", "/memory/done", "/memory/forget", "/enter"])
def test_what_an_action_says_of_it_is_text(visitor: Visitor, address: str) -> None:
    fields = dict.fromkeys(("id", "at", "answer", "text", "back", "key"), hostile.EVIL)
    is_clean(visitor.press(address, **fields))


@given(st.text(max_size=60))
def test_any_text_comes_out_as_text(said: str) -> None:
    page = Page(tag("p", said, title=said))
    assert [name for name, _ in page.elements] == ["p"]
    assert list(page.elements[0][1]) == ["title"]


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "//evil.example", "https://evil.example", "/\\evil.example", "data:x", "a", ""]
)
def test_a_link_that_leads_elsewhere_is_a_mistake_of_the_page(link: str) -> None:
    with pytest.raises(ValueError):
        tag("a", "tea", href=link)


@pytest.mark.parametrize("attribute", ["onclick", "style", "onfocus_"])
def test_scripts_and_styles_stand_in_no_attribute(attribute: str) -> None:
    with pytest.raises(ValueError):
        tag("a", "tea", **{attribute: "x"})


def test_only_what_is_made_by_the_page_is_html() -> None:
    assert text("<b>") == "&lt;b&gt;"
    assert text(Html("<b>")) == "<b>"
    assert tag("p", ["<b>", tag("i", "a"), None, 3]) == "<p>&lt;b&gt;<i>a</i>3</p>"


@pytest.mark.parametrize(
    ("command", "name"),
    [("code --wait", "code"), ("/usr/bin/vim", ""), ("cursor", "cursor"), ("", ""), ("VSCode", "code")],
)
def test_an_editor_is_known_by_its_command(command: str, name: str) -> None:
    assert editor.known(command) == name


def test_a_place_in_the_editor_is_quoted() -> None:
    assert editor.link("code", Path("/a b"), 'c"<#?.md', 3) == "vscode://file/a%20b/c%22%3C%23%3F.md:3"
    assert editor.link("", Path("/a"), "b.md", 3) == ""
