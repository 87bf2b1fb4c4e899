"""Archives every memory of `list.md`, one after the other: FOLDER."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from memcli.remember import forget
from memcli.vault.vault import Filter
from tests.conftest import opened

vault = opened(Path(sys.argv[1]))
for entry in list(vault.entries(Filter(path="list.md"))):
    forget(vault, entry)
    print(entry.id, flush=True)
