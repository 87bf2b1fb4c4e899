"""Adds memories one after the other and reports each when it is written: FOLDER NAME COUNT."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from memcli.remember import Memory, add
from tests.conftest import opened

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
vault = opened(folder, write__lock_timeout=120)
print("ready", flush=True)
for number in range(count):
    said = f"{name} {number} 说了什么"
    add(vault, Memory(said))
    print(said, flush=True)
