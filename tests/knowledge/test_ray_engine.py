"""The Ray engine gives the table that one machine gives, in whole steps, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("ray")
pytest.importorskip("lance_ray")

from memcli.errors import Busy
from memcli.knowledge import cut, ray_engine, read
from memcli.knowledge.address import Address
from memcli.knowledge.documents import Broken, Document, Given, Part
from memcli.knowledge.ray_engine import Taken
from memcli.knowledge.rows import ARCHIVED, Row, rows
from memcli.knowledge.store import Shelved, Store, Want

ADDED = "2026-11-21T14:30:00"
KEEP = Given(type="kept")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two workers for all tests here: starting them takes longer than the tests."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def reading(item: tuple[Part, Given]) -> list[Document | Broken]:
    return list(read.documents(*item))


def taking(item: tuple[Part, Given], found: list[Document | Broken], known: Mapping[str, Shelved]) -> Taken:
    """What `add` does with a part, in short."""
    made: list[Row] = []
    told = [each.origin for each in found if isinstance(each, Broken)]
    for each in found:
        if isinstance(each, Broken) or ((old := known.get(each.id)) and old.hash == each.hash):
            continue
        made += rows(each, cut.pieces(each), ADDED, old.version + 1 if old else 1)
    return Taken(made, item[1] == KEEP, told)


def dying(item: tuple[Part, Given], found: list[Document | Broken], known: Mapping[str, Shelved]) -> Taken:
    """The same, by a worker that is killed the first time it meets a certain file."""
    mark = Path(item[0].path).with_suffix(".died")
    if item[0].path.endswith("7.md") and not mark.exists():
        mark.touch()
        os._exit(9)
    return taking(item, found, known)


def corpus(folder: Path, changed: str = "") -> Path:
    for n in range(24):
        body = (
            f"# Tea {n}\n\nWater of {60 + n} degrees. {'Pour slowly. ' * 20}{changed if n in (3, 7) else ''}\n\n## 茶 {n}\n\n"
            + "水温要合适。" * 20
        )
        folder.mkdir(exist_ok=True)
        (folder / f"{n}.md").write_text(body, encoding="utf-8")
    lines = [json.dumps({"id": n, "title": f"Paper {n}", "abstract": f"On the {n}th infusion."}) for n in range(200)]
    (folder / "papers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "broken.md").write_bytes(b"\0")
    return folder


def shelf(folder: Path) -> Store:
    return Store(Address(str(folder), (), folder), (0, "", ""))


def ray_built(store: Store, folder: Path, take: Any = taking, given: Given = Given()) -> list[str]:
    told: list[str] = []
    work = [(part, given) for part in read.parts(folder) if isinstance(part, Part)]
    for wave in ray_engine.waves(store, work, reading, take, None):
        wave.commit()
        told += [name for each in wave.told for name in each]
    return told


def one_by_one(store: Store, folder: Path, given: Given = Given()) -> None:
    for part in read.parts(folder):
        assert isinstance(part, Part)
        found = reading((part, given))
        known = {each.doc: each for each in store.documents(Want(status=""))}
        if made := taking((part, given), found, known).rows:
            store.write(made, [None] * len(made), keep=given == KEEP)


def all_rows(store: Store) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = store._table.search().limit(None).to_list()
    for each in found:
        each.pop("_rowid", None)
    return sorted(found, key=lambda each: str(each["id"]))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many groups and several waves, of a small corpus."""
    monkeypatch.setattr(ray_engine, "GROUP", 20_000)
    monkeypatch.setattr(ray_engine, "WAVE", 150_000)


@pytest.mark.usefixtures("small")
def test_both_engines_give_the_same_table(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    local, far = shelf(tmp_path / "local"), shelf(tmp_path / "far")
    one_by_one(local, folder)
    assert ray_built(far, folder) == [str(folder / "broken.md")]
    assert all_rows(far) == all_rows(local) and len(all_rows(far)) > 224
    assert far.words("Paper 77", 1)[0].row.title == "Paper 77" and far.words("水温", 3)

    before = all_rows(far)
    ray_built(far, folder)
    assert all_rows(far) == before, "a second run changes nothing"

    for text, given, archived in (("Stir it.", Given(), 0), ("Shake it.", KEEP, 224)):
        corpus(folder, text)
        one_by_one(local, folder, given)
        ray_built(far, folder, given=given)
        assert all_rows(far) == all_rows(local)
        assert {hit.row.title for hit in far.words(text, 9)} == {"Tea 3", "Tea 7"}
        assert len(far.documents(Want(status=ARCHIVED))) == archived


@pytest.mark.usefixtures("small")
def test_a_worker_that_is_killed_loses_and_doubles_nothing(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    local, far = shelf(tmp_path / "local"), shelf(tmp_path / "far")
    one_by_one(local, folder)
    ray_built(far, folder, dying)
    assert (folder / "7.died").exists() and all_rows(far) == all_rows(local)


def test_what_is_not_committed_is_not_there_and_is_done_the_next_time(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    far = shelf(tmp_path / "far")
    work = [(part, Given()) for part in read.parts(folder) if isinstance(part, Part)]
    wave = next(ray_engine.waves(far, work, reading, taking, None))
    assert len(wave.told) == len(work) and far.documents() == []
    ray_built(far, folder)
    assert len(far.documents()) == 224


def test_a_write_in_between_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    far = shelf(tmp_path / "far")
    ray_built(far, folder)
    corpus(folder, "Stir it.")
    work = [(part, Given()) for part in read.parts(folder) if isinstance(part, Part)]
    wave = next(ray_engine.waves(far, work, reading, taking, None))
    one_by_one(far, folder)
    before = all_rows(far)
    with pytest.raises(Busy, match="changed meanwhile"):
        wave.commit()
    assert all_rows(far) == before


def test_a_document_that_turns_up_twice_is_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "GROUP", 1)
    folder = tmp_path / "tea"
    folder.mkdir()
    for n in range(4):
        (folder / f"{n}.jsonl").write_text('{"url": "https://tea.example/1", "text": "Green."}\n' * 2, encoding="utf-8")
    far = shelf(tmp_path / "far")
    ray_built(far, folder)
    assert len(all_rows(far)) == 1


def test_indexes_are_built_by_all_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far = shelf(tmp_path / "far")
    ray_built(far, corpus(tmp_path / "tea"))
    assert not ray_engine.index(far), "so few are folded in by one"
    monkeypatch.setattr(ray_engine, "MANY", 100)
    monkeypatch.setattr(ray_engine, "INDEXES", {name: ray_engine.INDEXES[name] for name in ("text", "status")})
    assert ray_engine.index(far)
    assert max(far.stats().indexes.values()) == 0
    assert far.words("水温", 3) and far.words("infusions", 3, Want(kinds=("jsonl",)))


def test_a_bucket_is_written_by_all_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("moto.server")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        httpx.put(f"http://{host}:{port}/shelf")
        options = {"aws_endpoint": f"http://{host}:{port}", "allow_http": "true", "aws_access_key_id": "a"}
        options |= {"aws_secret_access_key": "b", "aws_region": "us-east-1"}
        far = Store(Address("s3://shelf/world", tuple(sorted(options.items())), None), (0, "", ""))
        local = shelf(tmp_path / "local")
        folder = corpus(tmp_path / "tea")
        one_by_one(local, folder)
        ray_built(far, folder)
        assert all_rows(far) == all_rows(local) and far.words("水温", 3)
    finally:
        server.stop()
