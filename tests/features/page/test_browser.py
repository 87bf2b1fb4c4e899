"""The page in a real browser: every path by keyboard alone, at two widths, by axe's rules, and the hostile vault."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.features.page import browser, hostile
from tests.features.page.visitor import there

pytest.importorskip("playwright", reason="pip install playwright drives the browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not browser.chromium(), reason="there is no Chromium"),
]

SAMPLE = Path(__file__).parents[3] / "sample_vault"
SIZES = {"narrow": (360, 740), "wide": (1440, 900)}
VIEWS = there(
    "/", "/?q=what+did+we+decide+about+the+cache", "/?q=last+thursday&beside=weights&weights=time+0.9", "/review", "/days", "/days/2026-11-20",
    "/list?words=redis", "/file?path=MEMORY.md", "/journal", "/documents", "/health", "/today", "/stats",
)  # fmt: skip
HOSTILE = there(
    "/", "/?q=tea", "/review", "/days", f"/days/{hostile.DAY}", "/list?words=tea", "/file?path=MEMORY.md", f"/file?path=logs/{hostile.DAY}.md",
    "/memory?id=^evil", "/memory?id=^evil&edit=1", "/journal", "/documents", "/health", "/today?anyway=1", "/stats",
)  # fmt: skip
# Of WCAG 2.0 to 2.2, A and AA, and what axe calls good practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser.opened() as found:
        yield found


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "sample_vault"
    shutil.copytree(SAMPLE, place, ignore=shutil.ignore_patterns(".mem"))
    return place


class Person:
    """Somebody at the keyboard."""

    def __init__(self, chrome: Any, link: str, size: str, scheme: str = "light") -> None:
        width, height = SIZES[size]
        context = chrome.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page, self.width = context.new_page(), width
        self.page.set_default_timeout(20_000)
        self.base = link.split("/?")[0]
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(link)

    def heard(self, said: Any) -> None:
        """Note an error of the browser, but not that a view was given up for the next one."""
        if said.type == "error" and not re.match("htmx:(sendAbort|afterRequest)", said.text):
            self.complaints.append(said.text)

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def types(self, text: str) -> None:
        self.page.keyboard.type(text)

    def sees(self, text: str, where: str = "body") -> None:
        self.page.locator(where).filter(has_text=text).first.wait_for()

    def heading(self, text: str) -> None:
        """A view has come, and the reader is at its beginning."""
        self.sees(text, "h1")
        self.page.wait_for_selector("main :focus")

    @property
    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.outerHTML"))

    def tab_to(self, selector: str, most: int = 200) -> None:
        """By the Tab key, until what is meant has the focus; and the focus can be seen."""
        for _ in range(most):
            self.press("Tab")
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none"
                return
        raise AssertionError(f"{selector} can't be reached by Tab")


@pytest.mark.parametrize("size", SIZES)
def test_every_path_can_be_gone_by_keyboard_alone(chrome: Any, vault: Path, size: str) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, size)
        at.sees("Ask your memory", "h1")
        at.press("/")  # ask
        at.types("what did we decide about the cache")
        at.press("Enter")
        at.heading("what did we decide about the cache")
        at.sees("two-level cache", ".result")
        at.press("j", "j", "Enter")  # the second memory
        at.heading("Memory")
        at.press("g", "r")  # review
        at.heading("Review")
        at.sees("5 to decide")
        at.press("1")
        at.sees("holds", "#told")
        at.sees("4 to decide")
        at.press("u")
        at.sees("undid", "#told")
        at.sees("5 to decide")
        at.press("g", "d")  # days
        at.heading("Days")
        at.tab_to(".month td > a")
        at.press("Enter")
        at.heading("2026-11-01")
        at.press("j", "Enter")
        at.heading("Memory")
        at.press("e")
        at.page.wait_for_selector("textarea:focus")
        at.press("Control+End")
        at.types(" It rained.")
        at.tab_to("button[type=submit]")
        at.press("Enter")
        at.sees("changed", "#told")
        at.sees("It rained.", "blockquote")
        at.press("f")
        at.sees("archived in", "#told")
        at.press("u")
        at.sees("undid", "#told")
        for letter, title in (("j", "Journal"), ("o", "Documents"), ("h", "Health"), ("t", "Today"), ("s", "Stats")):
            at.press("g", letter)
            at.heading(title)
        assert not at.complaints


@pytest.mark.parametrize("size", SIZES)
def test_a_task_is_done_and_its_line_opens_by_keyboard(chrome: Any, vault: Path, size: str) -> None:
    with browser.served(vault, EDITOR="code") as link:
        at = Person(chrome, link, size)
        at.go("/list?words=续租价格")
        at.press("j", "Enter")
        at.heading("Memory")
        assert at.page.locator("main a.editor").first.get_attribute("href").startswith("vscode://file/")
        at.press("x")
        at.sees("marked as done", "#told")
        assert "[x] 让方阿姨" in (vault / "logs/2026-11-20.md").read_text(encoding="utf-8")
        at.page.locator("main a.place").first.focus()
        at.press("Enter")
        at.heading("logs/2026-11-20.md")


@pytest.mark.parametrize("size", SIZES)
def test_what_is_brought_up_is_answered_by_one_key(chrome: Any, vault: Path, size: str) -> None:
    with browser.served(vault, MEM_NOW="2026-11-21T14:30") as link:
        at = Person(chrome, link, size)
        at.press("g", "t")
        at.heading("Today")
        first = at.page.locator("main .memory a.words").first.inner_text()
        at.press("d")  # of several nobody has said which: the first is gone to, and no more
        at.page.wait_for_selector("main .memory a.words:focus")
        assert at.page.locator("main .memory a.words").first.inner_text() == first
        at.press("d")
        at.sees("never comes again", "#told")
        assert first not in at.page.locator("main").inner_text()
        at.press("j", "a")
        at.sees("worth it", "#told")
        written = (vault / "journal/nudges.jsonl").read_text(encoding="utf-8")
        assert written.count('"declined"') == written.count('"accepted"') == 1
        assert not at.complaints


def test_a_memory_in_a_list_is_edited_by_one_key(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, "wide")
        for path in ("/days/2026-11-20", "/file?path=MEMORY.md"):
            at.go(path)
            at.press("j", "e")
            at.page.wait_for_selector("textarea:focus")


def test_the_keys_are_listed_and_can_be_switched_off(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, "wide")
        at.press("?")
        at.page.wait_for_selector("dialog[open]")
        at.tab_to("#keys-on", 10)
        at.press("Space", "Escape")
        at.page.wait_for_selector("dialog[open]", state="hidden")
        at.press("g", "d")
        at.page.wait_for_timeout(300)
        assert at.page.locator("h1").inner_text() == "Ask your memory"


def test_a_key_pressed_as_soon_as_a_view_is_there_stays_in_the_page(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, "wide")
        at.page.evaluate("""() => { window.stayed = true; new MutationObserver((changes, watch) => {
          if (document.querySelector("main h1").textContent !== "Review") return;
          watch.disconnect(); document.querySelector('[data-go="d"]').click();
        }).observe(document.body, {childList: true}); }""")
        at.press("g", "r")
        at.heading("Days")
        assert at.page.evaluate("window.stayed") is True


def test_the_first_tab_leads_past_the_links(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, "wide")
        at.go("/days")
        at.press("Tab")
        assert 'class="skip"' in at.focused
        at.press("Enter")
        at.page.wait_for_url("**#main")


def test_it_works_without_scripts(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        page = chrome.new_context(java_script_enabled=False).new_page()
        page.goto(link)
        page.wait_for_selector("#f-q")
        page.fill("#f-q", "what did we decide about the cache")
        page.keyboard.press("Enter")
        page.wait_for_selector(".result")
        page.goto(link.split("/?")[0] + "/review")
        page.wait_for_selector("button:has-text('The first holds')")
        page.click("button:has-text('The first holds')")
        page.wait_for_selector("#told .done")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The sample vault, only looked at; the link opens once, so what it leads to is kept as a cookie."""
    place = tmp_path_factory.mktemp("shown") / "sample_vault"
    shutil.copytree(SAMPLE, place, ignore=shutil.ignore_patterns(".mem"))
    with browser.served(place, MEM_NOW="2026-11-21T14:30", HOME=str(place.parent), LC_ALL="C.UTF-8") as link:
        yield link


@pytest.fixture(scope="module")
def cookies(chrome: Any, shown: str) -> list[dict[str, Any]]:
    page = chrome.new_context().new_page()
    page.goto(shown)
    return list(page.context.cookies())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_and_nothing_sticks_out(
    chrome: Any, shown: str, cookies: list[Any], size: str, scheme: str
) -> None:
    source, (width, height) = browser.axe(), SIZES[size]
    context = chrome.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.add_cookies(cookies)
    page = context.new_page()
    for path in VIEWS:
        page.goto(shown.split("/?")[0] + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        if source:
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            page.evaluate(source)
            found = page.evaluate("rules => axe.run({runOnly: rules})", RULES)
            wrong = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]]
            assert not wrong, path


def test_axe_is_there_in_ci() -> None:
    if os.environ.get("AXE_CORE"):
        assert "axe" in browser.axe()


@pytest.mark.parametrize("size", SIZES)
def test_a_hostile_vault_runs_no_script_and_sends_nothing_out(chrome: Any, tmp_path: Path, size: str) -> None:
    with browser.served(hostile.laid(tmp_path / "vault")) as link:
        at = Person(chrome, link, size)
        at.page.on("dialog", lambda dialog: at.complaints.append("a dialog"))
        at.page.on("framenavigated", lambda frame: at.asked.append(frame.url))
        for path in HOSTILE:
            at.go(path)
            at.page.wait_for_load_state("networkidle")
            assert at.page.evaluate("window.ran") is None, path
            assert at.page.locator("main iframe, main img, main script, main style, main base").count() == 0
        at.press("g", "d")  # and by exchange of parts of the page
        at.heading("Days" if at.page.locator("html[lang=en]").count() else "日历")
        assert at.page.evaluate("window.ran") is None
        assert not [url for url in at.asked if not url.startswith((at.base, "about:"))]
        assert not [said for said in at.complaints if "Content Security Policy" in said or "ran" in said]


def test_the_key_is_gone_from_the_address_and_opens_nothing_again(chrome: Any, vault: Path) -> None:
    with browser.served(vault) as link:
        at = Person(chrome, link, "wide")
        assert "key" not in at.page.url
        assert at.page.evaluate("document.cookie") == ""
        other = chrome.new_context().new_page()
        other.goto(link)
        assert "needs a key" in other.inner_text("h1")
        assert "Redis" not in other.content()
