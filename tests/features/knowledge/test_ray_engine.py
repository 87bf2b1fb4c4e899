"""The Ray engine gives the table that one machine gives, in whole steps, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("ray")
pytest.importorskip("lance_ray")

from memcli.errors import Busy, MissingPart
from memcli.evidence import Want
from memcli.features.knowledge import add as door
from memcli.features.knowledge import change, ray_engine, read, store
from memcli.features.knowledge.documents import ARCHIVED, FilePart, UserMetadata
from memcli.features.knowledge.intake import Ingest, IntakeReport, Item, Redact
from memcli.features.knowledge.sources import Options
from memcli.features.knowledge.store import DocumentTable
from memcli.index.models import Model
from memcli.index.store import Address, TableOptions
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.index.conftest import model, model_folder  # noqa: F401

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
ADDED = "2026-11-21T14:30:00"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two workers for all tests here: starting them takes longer than the tests."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def nothing(text: str) -> tuple[str, list[str]]:
    return text, []


def blacked(text: str) -> tuple[str, list[str]]:
    return text.replace("Paper 9", "[REDACTED]"), ["password"] * ("Paper 9" in text)


def dying(mark: str, text: str) -> tuple[str, list[str]]:
    """A worker is killed the first time that it sees a certain text."""
    if "Tea 7" in text and not os.path.exists(mark):
        Path(mark).touch()
        os._exit(9)
    return text, []


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


def shelf(folder: Path) -> DocumentTable:
    return DocumentTable(Address(str(folder), (), folder), TableOptions())


def work(folder: Path, keep: bool = False) -> list[Item]:
    return [(part, Options(keep=keep)) for part in read.list_parts(folder) if isinstance(part, FilePart)]


def ray_built(store: DocumentTable, folder: Path, redact: Redact = nothing, keep: bool = False) -> list[str]:
    told: list[IntakeReport] = []
    for wave in ray_engine.waves(store, work(folder, keep), Ingest(redact, {}, ADDED), None):
        wave.commit()
        told += wave.reports
    return [broken.origin for each in told for broken in each.broken]


def one_by_one(store: DocumentTable, folder: Path, keep: bool = False) -> None:
    for item in work(folder):
        known = {each.doc: each for each in store.documents(Want(status=""))}
        if made := Ingest(nothing, {}, ADDED)(item, known).rows:
            store.write_rows(made, [None] * len(made), keep)


def all_rows(store: DocumentTable) -> list[dict[str, Any]]:
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

    for text, keep in (("Stir it.", False), ("Shake it.", True), ("Stir it.", True)):
        corpus(folder, text)
        one_by_one(local, folder, keep)
        ray_built(far, folder, keep=keep)
        assert all_rows(far) == all_rows(local)
        assert {hit.row.title for hit in far.words(text, 9)} == {"Tea 3", "Tea 7"}

    assert len(far.documents(Want(status=ARCHIVED))) == 2, "a text that came back is not a version of its own"


@pytest.mark.usefixtures("small")
def test_a_worker_that_is_killed_loses_and_doubles_nothing(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    local, far = shelf(tmp_path / "local"), shelf(tmp_path / "far")
    one_by_one(local, folder)
    ray_built(far, folder, partial(dying, str(tmp_path / "died")))
    assert (tmp_path / "died").exists() and all_rows(far) == all_rows(local)


def test_what_is_not_committed_is_not_there_and_is_done_the_next_time(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    far = shelf(tmp_path / "far")
    wave = next(ray_engine.waves(far, work(folder), Ingest(nothing, {}, ADDED), None))
    assert len(wave.reports) == len(work(folder)) and far.documents() == []
    ray_built(far, folder)
    assert len(far.documents()) == 224


def test_a_write_in_between_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    far = shelf(tmp_path / "far")
    ray_built(far, folder)
    corpus(folder, "Stir it.")
    wave = next(ray_engine.waves(far, work(folder), Ingest(nothing, {}, ADDED), None))
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
    assert far.words("水温", 3) and far.words("infusions", 3)


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
        far = DocumentTable(Address("s3://shelf/world", tuple(sorted(options.items())), None), TableOptions())
        local = shelf(tmp_path / "local")
        folder = corpus(tmp_path / "tea")
        one_by_one(local, folder)
        ray_built(far, folder)
        assert all_rows(far) == all_rows(local) and far.words("水温", 3)
    finally:
        server.stop()


@pytest.mark.usefixtures("small")
def test_what_is_added_is_the_same_whoever_does_it(tmp_path: Path, model: Model) -> None:  # noqa: F811
    """The whole way: sources, an archived document, a secret, vectors, what the book keeps."""
    folder = corpus(tmp_path / "tea")
    found = []
    for engine in ("local", "ray"):
        (tmp_path / engine).mkdir()
        vault = opened(tmp_path / engine, index__model="tiny")
        dump = str(folder / "papers.jsonl")
        door.add(vault, [dump], Options(), nothing)
        change.archive(vault, ["Paper 3"])
        done = door.add(vault, [str(folder)], Options(UserMetadata(tags=("a",))), blacked, with_ray=engine == "ray")
        assert [each.why for each in done.broken] == ["is binary"]
        again = door.add(vault, [], Options(), blacked, with_ray=engine == "ray")
        assert again.documents == 0
        there = store.open_reader(vault)
        assert there and there.stats().vectors > 0
        told = [replace(each, seconds=0.0, known=0, embedded=0) for each in (done, again)]
        found.append((all_rows(there), told, vault.notices))
    assert found[0] == found[1]


def test_a_cluster_that_is_not_there_costs_nothing(vault: Vault, tmp_path: Path) -> None:
    folder = corpus(tmp_path / "tea")
    door.add(vault, [str(folder)], Options(), nothing)
    with pytest.raises(MissingPart, match="no Ray cluster answers"):
        door.add(vault, [], Options(), nothing, rebuild=True, with_ray=True, cluster="127.0.0.1:9")
    there = store.open_reader(vault)
    assert there and len(there.documents()) == 224
