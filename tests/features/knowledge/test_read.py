"""Folders, files and addresses become documents; what can't be read is named and stops nothing."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from memcli.features.knowledge import jsonl, pdf, read, web
from memcli.features.knowledge.documents import FilePart, KnowledgeDocument, Unreadable, UserMetadata
from tests.features.knowledge.pdfs import pdf as made


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def documents(path: Path | FilePart, given: UserMetadata = read.NOTHING) -> Iterator[KnowledgeDocument | Unreadable]:
    for part in [path] if isinstance(path, FilePart) else read.list_parts(path):
        yield from [part] if isinstance(part, Unreadable) else read.read_documents(part, given)


def one(found: Iterator[KnowledgeDocument | Unreadable] | KnowledgeDocument | Unreadable) -> KnowledgeDocument:
    listed = [found] if isinstance(found, KnowledgeDocument | Unreadable) else list(found)
    assert len(listed) == 1 and isinstance(listed[0], KnowledgeDocument), listed
    return listed[0]


def why(found: Iterator[KnowledgeDocument | Unreadable] | KnowledgeDocument | Unreadable) -> str:
    listed = [found] if isinstance(found, KnowledgeDocument | Unreadable) else list(found)
    assert len(listed) == 1 and isinstance(listed[0], Unreadable), listed
    return listed[0].why


def test_markdown_brings_along_what_its_front_matter_says(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Of tea\ntags: [Green, '#tea/china']\ndate: 2025-03-04\ntype: guide\nproject: shop\nauthor: Lin\n---\n\n"
        "# Tea\n\nWater of eighty degrees.\n"
    )
    found = one(documents(write(tmp_path, "tea.md", text)))
    assert (found.title, found.tags, found.date, found.type, found.project) == (
        "Of tea", ("green", "tea/china"), "2025-03-04", "guide", "shop",
    )  # fmt: skip
    assert (found.meta, found.lang, found.kind, found.line) == ({"author": "Lin"}, "en", "markdown", 9)
    assert found.text == "\n# Tea\n\nWater of eighty degrees."
    assert found.origin == str(tmp_path / "tea.md")


def test_without_front_matter_the_heading_is_the_title_and_the_name_tells_the_day(tmp_path: Path) -> None:
    assert one(documents(write(tmp_path, "x.md", "Intro.\n\n# Of tea #\n\nWords"))).title == "Of tea"
    assert one(documents(write(tmp_path, "y.md", "```\n# no title\n```\n"))).title == "y"
    assert one(documents(write(tmp_path, "2025-03-04 tea.txt", "# no title"))).title == "2025-03-04 tea"
    assert one(documents(tmp_path / "2025-03-04 tea.txt")).date == "2025-03-04"


def test_broken_front_matter_costs_itself_and_says_so(tmp_path: Path) -> None:
    found = one(documents(write(tmp_path, "tea.md", "---\ntitle: a: b\n---\nGreen tea.\n")))
    assert found.text == "Green tea." and "tea.md:2: broken YAML" in found.meta["problem"]


def test_front_matter_that_unfolds_without_end_is_not_unfolded(tmp_path: Path) -> None:
    names = "bcdefghij"
    folds = "".join(f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 9)}]\n" for name in names)
    found = one(documents(write(tmp_path, "x.md", f"---\na: &a [x, y]\n{folds}z: {{k: v}}\nr: &r [*r]\n---\nTea.\n")))
    assert found.text == "Tea." and "aliases that stand for more" in found.meta.pop("problem") and not found.meta


def test_what_the_user_says_outranks_what_the_document_says(tmp_path: Path) -> None:
    path = write(tmp_path, "tea.md", "---\ntitle: Old\ntags: [a]\ntype: note\nauthor: Lin\n---\nGreen tea.")
    found = one(documents(path, UserMetadata("New", ("B", "a"), "guide", "shop", {"author": "Mei", "shelf": "3"})))
    assert (found.title, found.tags, found.type, found.project) == ("New", ("a", "b"), "guide", "shop")
    assert found.meta == {"author": "Mei", "shelf": "3"}


def test_a_folder_is_read_whole_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    for name in ("b/z.md", "a.txt", ".hidden.md", ".git/x.md", "b/node_modules/y.md", "photo.png", "run.exe"):
        write(tmp_path, name, f"Text of {name}.")
    write(tmp_path, "b/bad.md", b"\0\1\2")
    (tmp_path / "b" / "round").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    os.mkfifo(tmp_path / "pipe.md")
    told: list[str] = []
    found = [each for part in read.list_parts(tmp_path, tell=told.append) for each in (
        [part] if isinstance(part, Unreadable) else documents(part)
    )]  # fmt: skip
    names = [Path(each.origin).relative_to(tmp_path).as_posix() for each in found]
    assert names == ["a.txt", "gone.md", "pipe.md", "b/bad.md", "b/z.md"]
    assert [type(each) for each in found] == [KnowledgeDocument, Unreadable, Unreadable, Unreadable, KnowledgeDocument]
    assert told == [f"{tmp_path}: 2 files of other kinds left out (1 .png, 1 .exe)"]


def test_what_lies_in_the_vault_is_called_by_its_path_in_there(tmp_path: Path) -> None:
    write(tmp_path, "knowledge/tea.md", "Green tea.")
    part = next(read.list_parts(tmp_path / "knowledge", root=tmp_path))
    assert isinstance(part, FilePart) and part.origin == "knowledge/tea.md"
    assert one(documents(part)).origin == "knowledge/tea.md"


def test_parts_and_documents_travel_to_other_processes(tmp_path: Path) -> None:
    part = next(read.list_parts(write(tmp_path, "tea.md", "Green tea.")))
    assert pickle.loads(pickle.dumps(part)) == part
    found = one(documents(part))
    assert pickle.loads(pickle.dumps(found)) == found
    assert pickle.loads(pickle.dumps(found)).hash == found.hash


def test_the_hash_changes_with_all_that_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "tea.md", "Green tea.")
    first = one(documents(path))
    assert one(documents(path)).hash == first.hash
    assert one(documents(path, UserMetadata(tags=("b",)))).hash != first.hash
    write(tmp_path, "tea.md", "Black tea.")
    assert one(documents(path)).hash != first.hash and one(documents(path)).id == first.id


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings_of_chinese(tmp_path: Path, name: str) -> None:
    text = "绿茶的水温是八十度，泡两分钟；乌龙可以泡七次。"
    found = one(documents(write(tmp_path, "茶.txt", text.encode(name))))
    assert (found.text, found.title, found.lang) == (text, "茶", "zh")


def test_western_text_is_no_chinese_and_the_unknown_is_refused(tmp_path: Path) -> None:
    text = "Le thé vert a été préparé à quatre-vingts degrés"
    assert one(documents(write(tmp_path, "a.txt", text.encode("cp1252")))).text == text
    assert "save it as UTF-8" in why(documents(write(tmp_path, "b.txt", "зелёный чай вкусный".encode("cp1251"))))
    assert why(documents(write(tmp_path, "c.txt", b"PK\3\4\0\0"))) == "is binary"


def test_languages_are_told_apart() -> None:
    english = "The tea is brewed with water that is not too hot, and it is left to stand for two minutes."
    german = "Der Tee wird mit Wasser aufgegossen, das nicht kochen darf, und zieht dann noch zwei Minuten lang in der Kanne."
    assert read.language(english) == "en" and read.language("green tea") == "en"
    assert read.language(german) == "other" and read.language("зелёный чай") == "other"
    assert (
        read.language("用 Redis 做 cache，过期时间 90 秒") == "zh"
        and read.language("お茶をいれてください、緑茶です") == "other"
    )
    assert read.language("12 + 3") == ""


def test_text_can_move_no_cursor(tmp_path: Path) -> None:
    found = one(documents(write(tmp_path, "x.md", "# A\x1b[2Jb\r\n\r\nteapot\u202e\n")))
    assert (found.title, found.text) == ("Ab", "# Ab\n\nteapot")


def lines_of(path: Path) -> list[KnowledgeDocument | Unreadable]:
    return [each for part in read.list_parts(path) if isinstance(part, FilePart) for each in documents(part)]


def test_json_lines_are_documents_whatever_their_fields_are_called(tmp_path: Path) -> None:
    records = [
        {"title": "Green", "text": "Eighty degrees.", "url": "https://tea.example/1", "tags": ["A", "b"], "date": "2025-03-04T10:00"},
        {"id": 7, "headline": "Black", "body": "Ninety-five degrees.", "keywords": "x, y", "pages": 3, "nested": {"a": 1}},
        {"content": "绿茶"},
    ]  # fmt: skip
    path = write(tmp_path, "tea.jsonl", "\n".join(json.dumps(each) for each in records))
    green, black, bare = lines_of(path)
    assert (
        isinstance(green, KnowledgeDocument)
        and isinstance(black, KnowledgeDocument)
        and isinstance(bare, KnowledgeDocument)
    )
    assert (green.origin, green.title, green.tags, green.date) == (
        "https://tea.example/1",
        "Green",
        ("a", "b"),
        "2025-03-04",
    )
    assert (black.origin, black.title, black.tags, black.meta) == (f"{path}#7", "Black", ("x", "y"), {"pages": 3})
    assert bare.title == "绿茶" and bare.origin.startswith(f"{path}#")


def test_a_dump_of_arxiv_needs_no_telling(tmp_path: Path) -> None:
    record = {
        "id": "0704.0001", "submitter": "A. Person", "authors": "C. Bal\\'azs, E. L. Berger and\n  P. M. Nadolsky",
        "title": "Diphoton\n  production", "comments": "37 pages", "doi": "10.1103/X", "categories": "hep-ph math.CO",
        "abstract": "  A fully differential\ncalculation.\n", "versions": [{"version": "v1"}], "update_date": "2008-11-26",
        "authors_parsed": [["Bal", "C.", ""]],
    }  # fmt: skip
    found = one(iter(lines_of(write(tmp_path, "dump.json", json.dumps(record)))))
    assert (found.origin, found.title, found.tags) == (
        "https://arxiv.org/abs/0704.0001", "Diphoton production", ("hep-ph", "math.co"),
    )  # fmt: skip
    assert found.text == "C. Bal\\'azs, E. L. Berger, P. M. Nadolsky\n\nA fully differential calculation."
    assert found.date == "2008-11-26" and found.meta["doi"] == "10.1103/X"


def test_broken_lines_are_counted_and_the_others_read(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", '{"text": "one"}\n' + "{broken\n" * 5 + '[1]\n\n{"id": 4}\n{"text": "two"}')
    found = lines_of(path)
    assert [each.text for each in found if isinstance(each, KnowledgeDocument)] == ["one", "two"]
    said = [each.why for each in found if isinstance(each, Unreadable)]
    assert said[:1] == ["not a JSON object: {broken"]
    assert said[3:] == ["and 3 more lines that are not JSON objects", "1 line without a text"]


def test_a_long_file_is_read_in_runs_that_lose_and_double_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(
        tmp_path, "x.jsonl", "".join(json.dumps({"text": f"text {n} " + "茶" * (n % 50)}) + "\n" for n in range(200))
    )
    monkeypatch.setattr(jsonl, "RUN", 97)
    assert len(list(read.list_parts(path))) > 50
    found = lines_of(path)
    assert [each.text.split()[1] for each in found if isinstance(each, KnowledgeDocument)] == [
        str(n) for n in range(200)
    ]


def test_a_line_without_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST", 1000)
    path = write(tmp_path, "x.jsonl", json.dumps({"text": "a" * 5000}) + '\n{"text": "two"}\n')
    long, two = lines_of(path)
    assert isinstance(long, Unreadable) and isinstance(two, KnowledgeDocument) and two.text == "two"


def test_html_keeps_its_headings_and_loses_its_menus(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    page = (
        "<!doctype html><html><head><meta charset='gb18030'><title>绿茶 | 茶站</title></head><body>"
        "<nav><a href='/'>首页</a> <a href='/x'>购物车</a></nav><main><h1>绿茶</h1><p>水温八十度，泡两分钟。</p>"
        "<h2>乌龙</h2><p>可以泡七次，每次久一点。</p><table><tr><th>茶</th><th>分钟</th></tr><tr><td>绿茶</td><td>2</td></tr></table>"
        "</main><script>alert(1)</script></body></html>"
    )
    found = one(documents(write(tmp_path, "tea.html", page.encode("gb18030"))))
    assert "# 绿茶\n\n水温八十度，泡两分钟。\n\n## 乌龙" in found.text and "| 绿茶 | 2 |" in found.text
    assert "购物车" not in found.text and "alert" not in found.text
    assert found.title == "绿茶" and found.lang == "zh"


def test_a_pdf_is_its_pages_without_running_heads(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    pages = [
        f"The tea almanac {n}\nWater for chapter {n} must not boil at all, it is\nsaid by every-\none.\n{n}"
        for n in range(1, 6)
    ]
    found = one(documents(write(tmp_path, "tea.pdf", made(pages, "Tea almanac"))))
    assert found.title == "Tea almanac" and found.kind == "pdf"
    assert "## p. 3\n\nWater for chapter 3 must not boil at all, it is\nsaid by everyone." in found.text
    assert "almanac" not in found.text


def test_pdfs_that_give_no_text_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdfium2")
    assert "scanned" in why(documents(write(tmp_path, "a.pdf", made(["", ""]))))
    assert "password" in why(documents(write(tmp_path, "b.pdf", made(["x"], locked=True))))
    assert "damaged" in why(documents(write(tmp_path, "c.pdf", b"%PDF-1.7\nbroken")))
    monkeypatch.setattr(pdf, "SECONDS", 0.001)
    assert "given up" in why(documents(write(tmp_path, "d.pdf", made(["x"]))))


def test_no_code_lying_beside_the_documents_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdfium2")
    write(tmp_path, "memcli/__init__.py", f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)  # a vault from a stranger, in which the user stands
    assert "must not boil" in one(documents(write(tmp_path, "tea.pdf", made(["Water must not boil"])))).text
    assert not (tmp_path / "ran").exists()


class Site(BaseHTTPRequestHandler):
    """Pages by path: what is sent, and what it claims to be."""

    def do_GET(self) -> None:
        where = self.path.rpartition("/")[2]
        sent = {
            "tea.md": (200, "text/markdown; charset=utf-8", "# Tea\n\n绿茶".encode()),
            "raw": (200, "application/octet-stream", b"# Raw\n\nText."),
            "zip": (200, "application/zip", b"PK"),
            "endless": (200, "text/plain", b"x" * 5000),
            "packed": (200, "text/plain", gzip.compress(gzip.compress(b"x" * 10**7))),
            "gone": (404, "text/plain", b""),
            "moved": (302, "tea.md", b""),
            "round": (302, "round", b""),
            "inside": (302, f"http://127.0.0.1:{self.server.server_port}/tea.md", b""),
            "file": (302, "file:///etc/passwd", b""),
        }[where]
        self.send_response(sent[0])
        self.send_header("Location" if sent[0] == 302 else "Content-Type", sent[1])
        if where == "packed":
            self.send_header("Content-Encoding", "gzip, gzip")
        self.send_header("Content-Length", str(len(sent[2])))
        self.end_headers()
        self.wfile.write(sent[2])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_address_is_a_document(site: str) -> None:
    found = one(read.fetch_document(f"{site}/tea.md", UserMetadata(tags=("web",))))
    assert (found.origin, found.title, found.text, found.tags) == (f"{site}/tea.md", "Tea", "# Tea\n\n绿茶", ("web",))
    assert one(read.fetch_document(f"{site}/moved")).title == "Tea"
    assert one(read.fetch_document(f"{site}/raw")).title == "Raw"


def test_an_address_has_limits(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "LARGEST", 1000)
    assert "has more than" in why(read.fetch_document(f"{site}/endless"))
    assert "is packed as gzip, gzip" in why(
        read.fetch_document(f"{site}/packed")
    )  # else it unfolds before anybody counts
    assert why(read.fetch_document(f"{site}/gone")) == "the server answered 404"
    assert "application/zip" in why(read.fetch_document(f"{site}/zip"))
    assert "more than 5 times" in why(read.fetch_document(f"{site}/round"))
    assert "not an address of the web" in why(read.fetch_document(f"{site}/file"))
    assert "not an address of the web" in why(read.fetch_document("ftp://example.org/x"))
    assert "password" in why(read.fetch_document("https://lin:secret@example.org/x"))
    assert "could not be reached" in why(read.fetch_document("http://127.0.0.1:9/x"))


def test_a_page_can_not_send_us_into_our_own_network(site: str) -> None:
    assert "not an address of the public web" in why(read.fetch_document(f"{site}/inside"))


@pytest.mark.parametrize(
    ("value", "titles"),
    [
        ({"title": "Tea", "text": "Leaves."}, ["Tea"]),
        ([{"title": "Tea", "text": "Leaves."}, {"title": "Rye", "content": "Grain."}, 5], ["Tea", "Rye"]),
        ({"version": 1, "entries": {"Tea": {"content": "Leaves."}, "1": {"title": "Rye", "content": "Grain."}}}, ["Tea", "Rye"]),
        ({"entries": [{"keys": ["Orvane", "铁桥"], "content": "A town."}]}, ["Orvane, 铁桥"]),
        ([{"词条": "苍鹭", "别名": "老等", "内容": "水鸟。"}], ["苍鹭 (老等)"]),
        ({"Tea": "Leaves of a bush.", "Rye": "A kind of grain.", "v": "1"}, ["Tea", "Rye"]),
    ],
)  # fmt: skip
def test_a_json_document_is_an_article_a_list_of_them_or_an_encyclopaedia(
    tmp_path: Path, value: object, titles: list[str]
) -> None:
    write(tmp_path, "world.json", json.dumps(value, indent=1))
    found = [each for each in documents(tmp_path) if not isinstance(each, Unreadable)]
    assert [each.title for each in found] == titles


def test_json_lines_are_told_by_their_first_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    lines = '{"title": "Tea", "text": "Leaves."}\n{"title": "Rye", "text": "Grain."}\n'
    path = write(tmp_path, "dump.json", lines)
    assert [each.title for each in documents(path) if not isinstance(each, Unreadable)] == ["Tea", "Rye"]
    for text in ("{broken", "{}", "[1, 2]"):
        (broken,) = documents(write(tmp_path, "dump.json", text))
        assert isinstance(broken, Unreadable)
