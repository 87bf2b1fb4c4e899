"""Find out which language a vault speaks, and write a day in it."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from memcli.errors import MemError
from memcli.text.messages import table_language
from memcli.vault import files
from memcli.vault.vault import Vault

STATE, PROFILE = "state.yaml", "USER.md"
WEEKDAYS = "一二三四五六日"


def language_of(root: Path) -> str:
    """Return the language of `state.yaml`, else the only one of the profile, or "", without YAML: every command
    asks."""
    if chosen := _named_in(_read(root, STATE)):
        return chosen
    spoken = _named_in(_read(root, PROFILE).partition("\n---")[0])
    return "" if re.search(r"[,，、/\[]", spoken) else spoken


def _read(root: Path, name: str) -> str:
    return files.read_or_empty(files.inside(root, name)).text


def _named_in(yaml: str) -> str:
    line = next((line for line in yaml.split("\n") if line.startswith("language:")), "")
    return line.partition(":")[2].partition(" #")[0].strip(" \"'")


def vault_language(vault: Vault) -> str:
    """Return the language of the word tables for a vault: zh, or "" for English."""
    try:
        return table_language(language_of(vault.root))
    except MemError:  # errors in the file are reported elsewhere
        return ""


def day_heading(vault: Vault, day: date) -> str:
    """Return a day as a heading of a log: 2026-11-21 Sat, or 2026-11-21 周六 in a Chinese vault."""
    language = vault_language(vault)
    return f"{day} 周{WEEKDAYS[day.weekday()]}" if language == "zh" else f"{day:%Y-%m-%d %a}"
