"""Where the shelf may stand: a folder, or an address with what it needs; and a shelf on an S3 endpoint."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli import __main__
from memcli.errors import MemError, MissingPart, UsageError
from memcli.evidence import Want
from memcli.features.knowledge import add as door
from memcli.features.knowledge import address, status, store
from memcli.features.knowledge.sources import Options
from memcli.index import store as lance
from tests.conftest import opened


def of(folder: Path, url: str, options: str = "") -> lance.Address:
    return address.address_of(opened(folder, knowledge__store=url, knowledge__options=options))


def test_a_shelf_stands_in_the_cache_or_where_the_user_says(folder: Path, tmp_path: Path) -> None:
    assert address.address_of(opened(folder)).folder == folder / ".mem" / "knowledge"
    assert of(folder, str(tmp_path / "shared")).folder == tmp_path / "shared"
    there = of(folder, "s3://bucket/path/", "aws_region=eu-west-1")
    assert (there.url, there.folder) == ("s3://bucket/path", None)
    assert dict(there.options) == {"aws_region": "eu-west-1", "connect_timeout": "4s"}
    assert dict(of(folder, "s3://b", "aws_endpoint=http://127.0.0.1:9").options)["allow_http"] == "true"


def test_a_vault_of_a_stranger_can_not_send_documents_anywhere(folder: Path) -> None:
    (folder / "mem.yaml").write_text("knowledge: {store: 's3://theirs/x', options: 'aws_region=x'}\n")
    assert address.address_of(opened(folder)).folder == folder / ".mem" / "knowledge"


def test_secrets_come_from_the_environment_and_never_from_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "hush")
    assert dict(of(folder, "s3://b", "aws_secret_access_key=$MY_KEY").options)["aws_secret_access_key"] == "hush"
    for options in (
        "aws_secret_access_key=hush", "aws_access_key_id=AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7", "google_service_account_key=x",
        "azure_storage_sas_token=x", "api_key=x", "account_key=x", "aws_secret_access_key=$NOT_SET", "region",
    ):  # fmt: skip
        with pytest.raises(UsageError) as caught:
            of(folder, "s3://b", options)
        assert "hush" not in caught.value.message
    with pytest.raises(UsageError):
        of(folder, "s3://user:word@b/path")
    vault = opened(folder, knowledge__store="s3://b", knowledge__options="api_key=x")
    assert "looks like a secret" in status.shelf_status(vault).summary


def test_an_address_nobody_answers_stops_neither_for_long_nor_without_a_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("S3_WORD", "hush-hush")
    options = "aws_endpoint=http://127.0.0.1:9 aws_region=x aws_access_key_id=a aws_secret_access_key=$S3_WORD"
    vault = opened(folder, knowledge__store="s3://b/path", knowledge__options=options)
    with pytest.raises(MemError) as caught:
        door.add(vault, [], Options(), lambda text: (text, []), text="Some words.")
    assert caught.value.code == 5
    assert "knowledge.store" in caught.value.hint


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An S3 endpoint with an empty bucket."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    monkeypatch.setenv("S3_ID", "test")
    monkeypatch.setenv("S3_WORD", "hush-hush")
    import httpx

    assert httpx.put(f"{url}/shelf", headers={"host": "s3.amazonaws.com"}).status_code == 200
    yield url
    server.stop()


def test_an_address_that_hangs_is_told_and_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = threading.Event()
    monkeypatch.setattr(lance, "database", lambda at, **options: silent.wait())
    monkeypatch.setattr(lance, "PATIENCE", 0.2)
    with pytest.raises(MissingPart, match=r"s3://far/away has not answered in 0\.2 seconds"):
        store.open_reader(opened(folder, knowledge__store="s3://far/away"))
    monkeypatch.setattr(os, "_exit", lambda code: left.append(code))
    left: list[int] = []
    with pytest.raises(SystemExit):
        try:
            sys.exit(5)
        finally:
            __main__._leave_behind()  # what still hangs in the library would keep the process for seconds
    assert left == [5]
    silent.set()


def test_a_shelf_on_an_s3_endpoint_is_made_written_searched_and_made_anew(
    folder: Path, tmp_path: Path, endpoint: str
) -> None:
    options = f"aws_endpoint={endpoint} aws_region=us-east-1 aws_access_key_id=$S3_ID aws_secret_access_key=$S3_WORD"
    vault = opened(folder, knowledge__store="s3://shelf/docs", knowledge__options=options)
    assert store.open_reader(vault) is None
    (tmp_path / "tea.md").write_text("# Tea\n\nLeaves are withered. 绿茶要杀青。\n", encoding="utf-8")
    assert door.add(vault, [str(tmp_path / "tea.md")], Options(), lambda text: (text, [])).documents == 1
    there = store.open_reader(vault)
    assert there
    assert [hit.row.title for hit in there.words("杀青", 5)] == ["Tea"]
    (tmp_path / "tea.md").write_text("# Tea\n\nLeaves are rolled.\n", encoding="utf-8")
    assert door.add(vault, [], Options(keep=True), lambda text: (text, [])).replaced == 1
    assert [each.version for each in there.documents(Want(status=""))] == [1, 2]
    assert door.add(vault, [], Options(), lambda text: (text, []), rebuild=True).made_anew
    other = opened(folder, knowledge__store="s3://shelf/docs", knowledge__options=options)
    assert store.open_reader(other).words("rolled", 5)  # type: ignore[union-attr]
    assert not any(path.name == "chunks.lance" for path in folder.rglob("*"))
    assert os.environ["S3_WORD"] not in (folder / "journal" / "knowledge.jsonl").read_text()
