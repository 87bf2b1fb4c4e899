"""Register the feature `knowledge`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature, PageView, Source, late, setting

if TYPE_CHECKING:
    from memcli.extend import Row, Vault


def _has_documents(vault: Vault) -> bool:
    from memcli.features.knowledge import address

    return address.address_of(vault).exists


def _rows() -> Iterable[Row]:
    from memcli.rest_inputs import (
        LIST,
        NEW_TAGS,
        ONLY_TAGS,
        PROJECT,
        QUESTION,
        SINCE,
        TYPES,
        UNTIL,
        holds,
        limit,
        most,
        piped_text,
    )  # fmt: skip
    from memcli.rest_rows import SLOW, Input, Row, flag, many, text

    yield Row(
        "POST", "/v1/knowledge", "knowledge add", "Add a document to search.",
        (
            piped_text("The document: Markdown, text or HTML."),
            Input("title", text("Its title.", 500)), NEW_TAGS,
            Input("meta", many(text("KEY=VALUE: anything else to know of it.", 1000, 1))),
            Input("type", text("What kind of text: paper, manual, role, …", 100)), PROJECT,
            Input("keep", flag("Archive an older version instead of replacing it.")),
        ),
        words=("--json", "-"), lane=SLOW, answer=holds(documents={"type": "integer"}), status=201, failed=422,
    )  # fmt: skip
    yield Row(
        "GET", "/v1/knowledge", "knowledge list", "List the documents.",
        (ONLY_TAGS, TYPES, PROJECT, Input("all", flag("Archived versions, too.")), limit(50)),
        answer=holds(documents=LIST),
    )  # fmt: skip
    yield Row(
        "POST", "/v1/knowledge/search", "ask", "Search the documents alone; no model is asked.",
        (QUESTION, most("passages"), ONLY_TAGS, TYPES, PROJECT, SINCE, UNTIL),
        words=("--json", "--evidence", "--source=knowledge"), lane=SLOW, answer=holds(evidence=LIST),
        for_agents=True,
    )  # fmt: skip


FEATURE = Feature(
    "knowledge",
    "Keeps documents of the world to search: papers, manuals, web pages.",
    commands=(
        Command(
            "knowledge", "in and out", "Keep documents to search: papers, manuals, web pages.",
            "memcli.features.knowledge.cli", before="import",
        ),
    ),
    settings={
        "knowledge.store": setting(
            "", "a folder, or an address like s3://bucket/path (gs://, az://, db://); empty: in .mem/", guarded=True
        ),
        "knowledge.options": setting(
            "", "what that address needs: `aws_region=eu-west-1 aws_secret_access_key=$MY_KEY`", guarded=True
        ),
    },
    rest_rows=_rows,
    sources=(
        Source(
            "knowledge", late("memcli.features.knowledge.passages:find_evidence"), by_meaning=True,
            has_documents=_has_documents,
        ),
    ),
    page_views=(
        PageView("/documents", late("memcli.features.knowledge.page:view"), "Documents", "o", before="health"),
        PageView("/documents/{doc}", late("memcli.features.knowledge.page:document")),
    ),
    checks=late("memcli.features.knowledge.status:checks"),
    states={"knowledge": late("memcli.features.knowledge.status:summary")},
)  # fmt: skip
