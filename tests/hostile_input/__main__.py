"""`python -m tests.hostile_input`: every extreme value in every field, on a file and on PostgreSQL.

Prints the number of cases, every response that was a server error or took longer than 250 ms, and the p95 of
`/api/hello` for another client, during the attack and on an idle server. Exits with 1 if there was an error or a slow
response, or if the p95 more than doubled.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hostile_input.attacker import Attacker, AttackOutcome, hello_p95
from tests.server.support.server_process import ServerProcess, running_server
from tests.support.postgres_server import MISSING, postgres

QUIET_SECONDS = 10
PAUSE_SECONDS = 0.02
"""Pause between two cases: several times faster than the rate limit of an address."""
MAX_SLOWDOWN = 2.0
MAX_LINES = 40


@contextmanager
def postgres_server(folder: Path) -> Iterator[ServerProcess]:
    with postgres(durable=True) as server, running_server(folder, "--database", server.database()) as server_process:
        yield server_process


async def attack(server_process: ServerProcess) -> tuple[AttackOutcome, float, float]:
    """Returns the outcome and the p95 of `/api/hello` before and during the attack."""
    rested, ended = asyncio.Event(), asyncio.Event()
    asyncio.get_running_loop().call_later(QUIET_SECONDS, rested.set)
    quiet = await hello_p95(server_process, rested)
    measuring = asyncio.create_task(hello_p95(server_process, ended))
    attacker = Attacker(server_process, PAUSE_SECONDS)
    await attacker.requests()
    await attacker.messages()
    ended.set()
    return attacker.outcome, quiet, await measuring


def run(name: str, site: Callable[[Path], AbstractContextManager[ServerProcess]]) -> bool:
    with TemporaryDirectory() as folder, site(Path(folder)) as server_process:
        outcome, quiet, meanwhile = asyncio.run(attack(server_process))
    longest, others, before = (f"{1000 * seconds:.1f} ms" for seconds in (outcome.longest_seconds, meanwhile, quiet))
    print(f"{name}: {outcome.tried} cases, {len(outcome.errors)} server errors, {len(outcome.slow)} slow responses")
    print(f"    longest response {longest}; p95 of another client {others}, idle {before}", flush=True)
    for line in (*outcome.errors[:MAX_LINES], *outcome.slow[:MAX_LINES]):
        print("   ", line)
    return not outcome.errors and not outcome.slow and meanwhile <= MAX_SLOWDOWN * quiet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["file", "postgres"], help="run on one kind of database only")
    only = parser.parse_args().only
    good = [run("a file", running_server)] if only != "postgres" else []
    if MISSING:
        print(MISSING, file=sys.stderr)
    elif only != "file":
        good.append(run("PostgreSQL", postgres_server))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
