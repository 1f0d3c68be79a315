"""`python -m tests.hostile_input`: every extreme value in every field, on a file and on PostgreSQL.

Prints how many cases were tried, every answer that was an error of the server or took longer than 250 ms, and how long
somebody else waited for `/api/hello` meanwhile beside a quiet server. Exits with 1 if there was an error or a slow
answer, or if others waited more than twice as long.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hostile_input.attacker import Attacker, Outcome, hello_p95
from tests.server.support.server_process import House, open_house
from tests.support.postgres_server import MISSING, postgres

QUIET_SECONDS = 10
PAUSE_SECONDS = 0.02
"""Between two cases: several times as quick as one address may be."""
MOST_TIMES_SLOWER = 2.0
SHOWN = 40


@contextmanager
def on_postgres(folder: Path) -> Iterator[House]:
    with postgres(durable=True) as server, open_house(folder, "--database", server.database()) as house:
        yield house


async def attack(house: House) -> tuple[Outcome, float, float]:
    """What came of it, and the p95 of `/api/hello` before and meanwhile."""
    rested, ended = asyncio.Event(), asyncio.Event()
    asyncio.get_running_loop().call_later(QUIET_SECONDS, rested.set)
    quiet = await hello_p95(house, rested)
    measuring = asyncio.create_task(hello_p95(house, ended))
    attacker = Attacker(house, PAUSE_SECONDS)
    await attacker.requests()
    await attacker.messages()
    ended.set()
    return attacker.outcome, quiet, await measuring


def run(name: str, site: Callable[[Path], AbstractContextManager[House]]) -> bool:
    with TemporaryDirectory() as folder, site(Path(folder)) as house:
        outcome, quiet, meanwhile = asyncio.run(attack(house))
    longest, others, before = (f"{1000 * seconds:.1f} ms" for seconds in (outcome.longest_seconds, meanwhile, quiet))
    print(
        f"{name}: {outcome.tried} cases, {len(outcome.errors)} errors of the server, {len(outcome.slow)} slow answers"
    )
    print(f"    the longest answer {longest}; p95 of others {others}, quiet {before}", flush=True)
    for line in (*outcome.errors[:SHOWN], *outcome.slow[:SHOWN]):
        print("   ", line)
    return not outcome.errors and not outcome.slow and meanwhile <= MOST_TIMES_SLOWER * quiet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["file", "postgres"], help="one of the two")
    only = parser.parse_args().only
    good = [run("a file", open_house)] if only != "postgres" else []
    if MISSING:
        print(MISSING, file=sys.stderr)
    elif only != "file":
        good.append(run("PostgreSQL", on_postgres))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
