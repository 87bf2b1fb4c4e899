"""Every input of a recall can be given through every door, or a reason stands here."""

from __future__ import annotations

import inspect

from memcli.api import Vault
from memcli.cli.options import Filters
from memcli.cli.recall import recall
from memcli.recall import Request

NOT_IN_PYTHON = {"semantic": "the settings of the vault say it"}


def test_the_command_line_takes_every_input() -> None:
    taken = {*inspect.signature(recall).parameters, *Filters._fields, "tags"}
    assert set(Request._fields) <= taken


def test_python_takes_every_input() -> None:
    taken = set(inspect.signature(Vault.recall).parameters)
    assert set(Request._fields) - taken == set(NOT_IN_PYTHON)
