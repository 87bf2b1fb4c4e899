"""The page without a browser: who gets in, what each view shows, and that every write goes through the gates."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

import pytest

from memcli.features.page import app
from memcli.recall import Request, recall
from tests.conftest import git, opened
from tests.features.page.visitor import Visitor, there

SAMPLE = Path(__file__).parents[3] / "sample_vault"
VIEWS = there(
    "/", "/?q=what+did+we+decide+about+the+cache", "/?q=last+thursday&beside=weights&weights=time+0.9&preset=layered", "/review",
    "/days", "/days?month=2026-10", "/days/2026-11-20", "/list?words=redis", "/list?tag=缓存", "/file?path=MEMORY.md",
    "/journal", "/documents", "/health", "/today", "/today?anyway=1", "/stats", "/stats?since=2026-11-01",
)  # fmt: skip


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    place = tmp_path / "sample"
    shutil.copytree(SAMPLE, place, ignore=shutil.ignore_patterns(".mem"))
    return place


@pytest.fixture
def visitor(folder: Path) -> Visitor:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-20.md").write_text(
        "- 09:00 Redis replaces the local cache #cache ^redis\n- [ ] ask Lulu about the harbour\n- tea, not coffee\n",
        encoding="utf-8",
    )
    return Visitor(folder).enter()


def entry(visitor: Visitor, words: str) -> dict[str, str]:
    """A memory as the forms of the page name it."""
    found = next(each for each in visitor.session.open({}).entries() if words in each.raw)
    return {"id": found.hash, "at": found.place}


def test_an_address_with_nothing_is_not_found(visitor: Visitor) -> None:
    answer = visitor.ask("GET", "/nothing-there")
    assert answer.status_code == 404 and "there is nothing at this address" in answer.text


def test_a_view_or_an_action_that_crashes_is_told_on_a_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package from outside may bring both."""

    def crash(visit: object) -> None:
        raise KeyError("boom")

    monkeypatch.setitem(app.VIEWS, "/days", crash)
    monkeypatch.setitem(app.ACTIONS, "/undo", crash)
    visitor = Visitor(folder).enter()
    answer = visitor.ask("GET", "/days")
    assert answer.status_code == 500 and "unexpected: KeyError" in answer.text
    assert visitor.send("/undo", token=visitor.see("/").token).status_code == 303
    assert "unexpected: KeyError" in visitor.ask("GET", "/").text


# -- who gets in -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*VIEWS, "/nothing-there"])
def test_without_a_key_nothing_of_the_vault_is_seen(sample: Path, path: str) -> None:
    answer = Visitor(sample).ask("GET", path)
    assert answer.status_code == 401
    for word in ("Redis", "redis", "缓存", "sample", "2026-1"):
        assert word not in answer.text


def test_a_key_opens_once_and_leaves_the_address(visitor: Visitor) -> None:
    other = Visitor(Path(visitor.session.open({}).root))
    assert other.ask("GET", "/?key=wrong").status_code == 401
    answer = other.ask("GET", "/?key=the-key")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    other.cookies.clear()
    assert other.ask("GET", "/?key=the-key").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:8001", "evil.example:8000", ""])
def test_another_name_for_this_machine_gets_nothing(visitor: Visitor, host: str) -> None:
    answer = visitor.ask("GET", "/", headers={"host": host})
    assert answer.status_code == 403 and "Redis" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://[x", "http://127.0.0.1:8001"])
def test_a_form_from_elsewhere_does_nothing(visitor: Visitor, origin: str) -> None:
    token = visitor.see("/").token
    answer = visitor.send("/memory/forget", origin, token=token, **entry(visitor, "tea"))
    assert answer.status_code == 403
    assert entry(visitor, "tea")


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_form_without_the_token_does_nothing(visitor: Visitor, token: str) -> None:
    answer = visitor.send("/memory/forget", token=token, **entry(visitor, "tea"))
    assert answer.status_code == 403
    assert entry(visitor, "tea")


def test_looking_changes_nothing(visitor: Visitor) -> None:
    for path in ("/memory/forget", "/undo", "/memory/done"):
        assert visitor.ask("GET", path).status_code >= 400
    assert entry(visitor, "tea")


@pytest.mark.parametrize("path", ["/", "/days", "/static/page.js", "/nothing-there"])
def test_every_answer_carries_the_policy(visitor: Visitor, path: str) -> None:
    policy = visitor.ask("GET", path).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy


def test_nothing_of_the_page_is_kept_by_the_browser(visitor: Visitor) -> None:
    assert visitor.ask("GET", "/days").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/static/../gate.py", "/static/%2e%2e/gate.py", "/static/..%2fgate.py", "/static/"])
def test_what_is_static_ends_at_its_folder(visitor: Visitor, path: str) -> None:
    answer = visitor.ask("GET", path)
    assert answer.status_code >= 400 and "compare_digest" not in answer.text


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", ".git/config", "MEMORY.md/../../secret.md", "", "\0"])
def test_only_files_of_the_vault_are_shown(visitor: Visitor, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("- a secret\n", encoding="utf-8")
    answer = visitor.ask("GET", "/file", params={"path": path})
    assert answer.status_code >= 400 and "a secret" not in answer.text


def test_the_owner_opens_a_file_of_an_agent_and_its_memories(folder: Path) -> None:
    (folder / "agents/scout").mkdir(parents=True)
    (folder / "agents/scout/MEMORY.md").write_text("- the scout likes the harbour\n", encoding="utf-8")
    owner = Visitor(folder).enter()
    file = owner.see("/file?path=agents/scout/MEMORY.md")
    assert "likes the harbour" in owner.see(next(link for link in file.links if link.startswith("/memory"))).words


# -- what is shown -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", VIEWS)
def test_every_view_shows_the_sample_vault(sample: Path, path: str) -> None:
    page = Visitor(sample).enter().see(path)
    assert len(page.all("main")) == len(page.all("h1")) == 1
    labelled = {each.get("for") for each in page.all("label")}
    fields = [*page.all("input"), *page.all("select"), *page.all("textarea")]
    assert all(each.get("type") == "hidden" or each.get("id") in labelled for each in fields)
    names = [each["id"] for _, each in page.elements if "id" in each]
    assert len(names) == len(set(names))


def test_every_link_leads_to_a_page_that_is_there(sample: Path) -> None:
    visitor = Visitor(sample).enter()
    seen: set[str] = set()
    for path in there("/", "/days", "/days/2026-11-20", "/review", "/?q=cache", "/today", "/stats"):
        for link in visitor.see(path).links:
            kind = link.split("#")[0].split("=")[0]
            if link.startswith("/") and kind not in seen:
                seen.add(kind)
                visitor.see(link.split("#")[0])
    assert {"/memory?id", "/file?path", "/list?tag"} <= seen


def test_ask_shows_the_very_block_a_model_gets(sample: Path) -> None:
    question = "what did we decide about the cache"
    block = recall(opened(sample), Request(question))
    shown = Visitor(sample).enter().see(f"/?q={question}")
    assert shown.block == block.text
    assert f"{block.tokens} of 1000 tokens" in shown.words
    assert all(f"{chosen.scored.score:.3f}" in shown.words for chosen in block.chosen)


def test_ask_says_how_dates_were_read_and_what_was_left_out(visitor: Visitor) -> None:
    page = visitor.see("/?q=redis+cache+yesterday&budget=60")
    assert "yesterday: 2026-11-20" in page.words
    assert "The block ends here" in page.words


def test_ask_knows_what_was_known_on_another_day(repository: Path) -> None:
    notes = repository / "notes.md"
    for day, text in (("2026-10-01", "- the cache is local\n"), ("2026-11-01", "- the cache is in Redis\n")):
        notes.write_text(text, encoding="utf-8")
        git(repository, "add", "--all")
        git(repository, "-c", f"user.name={day}", "commit", "-qm", day, "--date", f"{day}T12:00:00")
        set_committed(repository, f"{day}T12:00:00")
    visitor = Visitor(repository, datetime(2026, 11, 21, 14, 30)).enter()
    page = visitor.see("/?q=where+is+the+cache&beside=day&day=2026-10-15")
    assert "the cache is in Redis" in page.words and "the cache is local" in page.words
    assert page.words.count("only here") == 2
    before_all = visitor.see("/?q=cache&beside=day&day=2020-01-01", 400)
    assert "begins after 2020-01-01" in before_all.words and "the cache is in Redis" in before_all.words


def set_committed(repository: Path, when: str) -> None:
    """Git takes the day of a commit from the environment alone."""
    import os
    import subprocess

    words = ["git", "commit", "-q", "--amend", "--no-edit", "--date", when]
    subprocess.run(words, cwd=repository, check=True, env={**os.environ, "GIT_COMMITTER_DATE": when})


def test_a_memory_says_what_it_replaced_and_what_cites_it(folder: Path) -> None:
    (folder / "notes.md").write_text(
        "- the cache is local [superseded:: redis]\n- the cache is in Redis ^redis\n- see ^redis before the review\n",
        encoding="utf-8",
    )
    visitor = Visitor(folder, editor="code").enter()
    page = visitor.see(f"/memory?id={entry(visitor, 'in Redis')['id']}")
    assert page.words.index("What it replaced") < page.words.index("the cache is local")
    assert page.words.index("What cites it") < page.words.index("before the review")
    assert f"vscode://file{folder.as_posix()}/notes.md:2" in page.links


def test_the_page_speaks_chinese_in_a_chinese_vault(sample: Path) -> None:
    (sample / "state.yaml").write_text("language: zh\n", encoding="utf-8")
    page = Visitor(sample).enter().see("/days")
    assert {"lang": "zh-CN"} in page.all("html")
    assert "日历" in page.words and "Days" not in page.words


# -- what is done ------------------------------------------------------------------------------------------------------


def test_a_memory_is_edited_forgotten_and_brought_back(visitor: Visitor) -> None:
    named = entry(visitor, "tea, not coffee")
    page = visitor.press("/memory/edit", text="- tea, never coffee", **named)
    assert "changed" in page.words and "tea, never coffee" in page.words
    page = visitor.press("/memory/forget", **entry(visitor, "tea, never"))
    assert "archived in" in page.words
    page = visitor.press("/undo", back="/journal")
    assert "undid `forget`" in page.words
    assert entry(visitor, "tea, never coffee")


def test_a_task_is_marked_as_done(visitor: Visitor) -> None:
    visitor.press("/memory/done", **entry(visitor, "harbour"))
    text = (visitor.session.open({}).root / "logs/2026-11-20.md").read_text(encoding="utf-8")
    assert "- [x] ask Lulu about the harbour [done:: 2026-11-21]" in text


def test_what_the_gate_refuses_is_not_written_and_stays_in_the_field(visitor: Visitor) -> None:
    secret = "- the key is sk-ant-api03-" + "aB3" * 31 + "AA"
    page = visitor.press("/memory/edit", text=secret, **entry(visitor, "tea"))
    assert secret in page.words and "not kept" in page.words
    assert entry(visitor, "tea, not coffee")


def test_a_question_of_the_review_is_answered_and_taken_back(sample: Path) -> None:
    visitor = Visitor(sample).enter()
    before = visitor.see("/review")
    number = int(before.words.split(" to decide")[0].split()[-1])
    page = visitor.press("/review", id=before.value("id"), answer="1")
    assert "holds" in page.words and f"{number - 1} to decide" in page.words
    visitor.press("/undo")
    assert f"{number} to decide" in visitor.see("/review").words


def test_who_was_skipped_comes_again_another_time(sample: Path) -> None:
    visitor = Visitor(sample).enter()
    first = visitor.see("/review").value("id")
    page = visitor.press("/review", id=first, answer="skip")
    assert page.value("id") != first


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_undo_leads_back_to_the_page_and_nowhere_else(visitor: Visitor, back: str) -> None:
    visitor.press("/memory/done", **entry(visitor, "harbour"))
    token = visitor.see("/").token
    assert visitor.send("/undo", token=token, back=back).headers["location"] == "/"
    assert visitor.send("/undo", token=token, back=back).headers["location"] == "/"


def test_a_form_that_is_too_long_is_turned_away(visitor: Visitor) -> None:
    token = visitor.see("/").token
    answer = visitor.send("/memory/edit", token=token, text="x" * 2**21, **entry(visitor, "tea"))
    assert answer.status_code == 403
