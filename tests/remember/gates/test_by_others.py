"""Secrets and look-alikes written by people who had not seen the rules. The first two sets were then used to mend causes;
docs/gates.md says what was found at first sight. Codes that hand out one parcel stand among the look-alikes: to their
authors they were secrets, but they are written down to be found again, and open nothing twice. Packed, so that no scanner of repositories takes them for real."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from memcli.remember.gates import sensitive

SETS: dict[str, Any] = json.loads(gzip.decompress((Path(__file__).parent / "by_others.json.gz").read_bytes()))
FOUND = {"en": 0.97, "zh": 0.92}  # at least
TAKEN = 0.04  # of the look-alikes, at most: addresses of documentation are blacked out on purpose


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_what_others_wrote_is_found_and_what_only_looks_like_it_is_left(name: str) -> None:
    secrets, lookalikes = SETS[name]["secrets"], SETS[name]["lookalikes"]
    missed = [text for text, secret in secrets if secret in sensitive.redacted(text)[0]]
    taken = [text for text in lookalikes if sensitive.redacted(text)[0] != text]
    assert len(missed) <= (1 - FOUND[name[-2:]]) * len(secrets), missed
    assert len(taken) <= TAKEN * len(lookalikes), taken


@pytest.mark.parametrize("key", ["ghp_abcdefgh3xxxxijklmnopqrstuvwxyz012345", "pass1XXXXword!9"])
def test_letters_that_look_like_a_mask_hide_no_key(key: str) -> None:
    assert key not in sensitive.redacted(f"the password is {key}")[0]
    assert sensitive.redacted("身份证号填 110101XXXXXXXXXXXX 这种格式")[1] == []
