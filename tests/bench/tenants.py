"""What a tenant costs: memory, file handles and threads of a server with many vaults, and the first recall of a cold one.

    python -m tests.bench.tenants [--vaults 1000] [--notes 50]

Vaults are made in a temporary folder: `--notes` files of three lines each. All of them are asked once, each with a token
of its own; then those that are still open are asked again.
"""

from __future__ import annotations

import argparse
import os
import random
import threading
import time
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from memcli import system
from memcli.cli.clock import clock_of
from memcli.features.serve.access import AccessTokens
from memcli.recall import Request, recall
from memcli.warm import MOST, WarmVaults

WORDS = (
    "harbour violin ledger copper meadow lantern saffron glacier thimble orchard pocket marble cedar anchor "
    "whistle basket compass feather hammer ribbon kettle pepper saddle tunnel"
).split()


def make(root: Path, notes: int, chance: random.Random) -> None:
    (root / "logs").mkdir(parents=True)
    for number in range(notes):
        day = date(2026, 11, 1) - timedelta(days=number)
        lines = [f"- {' '.join(chance.choices(WORDS, k=12))}\n" for _ in range(3)]
        (root / "logs" / f"{day}.md").write_text("".join(lines), encoding="utf-8")


def state() -> tuple[float, int, int]:
    """Megabytes, open files and threads of this process."""
    handles = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    return system.memory_in_use() / 2**20, handles, threading.active_count()


def shown(what: str, state: tuple[float, int, int], vaults: WarmVaults) -> None:
    print(f"{what:<28}{state[0]:8.1f} MB {state[1]:5} files {state[2]:4} threads {len(vaults.kept):5} open")


def middle(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"median {ordered[len(ordered) // 2] * 1000:.1f} ms, p99 {ordered[int(len(ordered) * 0.99)] * 1000:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vaults", type=int, default=1000)
    parser.add_argument("--notes", type=int, default=50)
    parser.add_argument("--most", type=int, default=MOST, help="vaults open at once")
    asked = parser.parse_args()
    chance = random.Random(18)
    with TemporaryDirectory() as place:
        environ = {**os.environ, "XDG_DATA_HOME": f"{place}/data", "XDG_CONFIG_HOME": f"{place}/config"}
        clock = clock_of(environ)
        tokens, secrets = AccessTokens(environ, clock), []
        for number in range(asked.vaults):
            make(Path(place, f"v{number:05}"), asked.notes, chance)
        began = time.perf_counter()
        for number in range(asked.vaults):
            secrets.append(tokens.add(f"t{number}", Path(place, f"v{number:05}"))[1])
        print(f"a token is made in {(time.perf_counter() - began) / asked.vaults * 1000:.1f} ms")
        began = time.perf_counter()
        for secret in secrets:
            assert tokens.access_of(secret)
        print(
            f"a token is looked up in {(time.perf_counter() - began) / asked.vaults * 1e6:.0f} µs, among {asked.vaults}"
        )
        vaults = WarmVaults(clock, environ, print, most=asked.most, idle=3600)

        def ask(secret: str) -> float:
            began = time.perf_counter()
            access = tokens.access_of(secret)
            assert access
            vault = vaults.at(access.vault).reading(access.vault, clock, environ)
            assert recall(vault, Request("where is the copper violin")).text
            return time.perf_counter() - began

        ask(secrets[0])  # modules and tables
        base = state()
        shown("one vault", base, vaults)
        cold = [ask(secret) for secret in secrets[1:]]
        full = state()
        shown(f"all {asked.vaults} asked", full, vaults)
        opened = len(vaults.kept)
        warm = [ask(secret) for secret in secrets[-opened:]]
        print(f"a cold vault's first recall: {middle(cold)}")
        print(f"a warm vault's recall:       {middle(warm)}")
        print(f"memory of one more vault:    {(full[0] - base[0]) / max(1, opened - 1) * 1024:.0f} KB")
        print(f"bytes of its notes:          {sum(vault.size for vault in vaults.kept.values()) // opened}")
        vaults.idle = 0.0
        vaults.let_go()
        shown("all let go", state(), vaults)
        vaults.close()


if __name__ == "__main__":
    main()
