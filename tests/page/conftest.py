"""Let a view take as long as a busy machine needs: only the test of the page that waits lowers this."""

from __future__ import annotations

import pytest

from memcli.page import app


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SOON", 600.0)
