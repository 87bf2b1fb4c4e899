"""Holds a lock until it is killed, or for so many seconds: LOCK [SECONDS]."""

import sys
import time
from pathlib import Path

from memcli.vault.lock import hold_lock

with hold_lock(Path(sys.argv[1]), 5, "sync"):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 60)
