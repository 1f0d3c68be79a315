"""`python -m tests.fault_injection`: fifty times kill -9 on every kind of site, and other faults of servers."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.fault_injection import notification_trial
from tests.fault_injection.notification_trial import OPTIONS, tried_by_notices
from tests.fault_injection.sites import Site, on_file, on_postgres
from tests.fault_injection.trial import Outcome, tried
from tests.support.postgres_server import MISSING


@dataclass(frozen=True)
class Trial:
    name: str
    site: Callable[[Path], AbstractContextManager[Site]]
    fault: Callable[[Site], None]
    times: int
    tried: Callable[..., Awaitable[Outcome | notification_trial.Outcome]] = tried
    tables: int | None = None
    """As many as are asked for, where it does not say."""


def trials(kills: int, others: int) -> Iterator[Trial]:
    yield Trial("a file, kill -9", on_file, Site.kill, kills)
    yield Trial("a file, disk full", on_file, Site.fill_disk, others)
    yield Trial("a file, database locked", on_file, Site.lock_database, others)
    yield Trial("a file, server stands still", on_file, Site.stand_still, others)
    yield Trial("a file, minds of bots killed", on_file, Site.kill_mind, kills)
    yield from told_of(partial(on_file, more=OPTIONS), "a file", kills)
    if MISSING:
        print(MISSING, file=sys.stderr)
        return
    one, two = partial(on_postgres, nodes=1), partial(on_postgres, nodes=2)
    yield Trial("PostgreSQL, one node, kill -9", one, Site.kill, kills)
    yield Trial("PostgreSQL, two nodes, kill -9", two, Site.kill, kills)
    yield Trial("PostgreSQL, two nodes, one stands still", two, Site.stand_still, others)
    yield Trial("PostgreSQL, two nodes, minds of bots killed", two, Site.kill_mind, kills)
    yield Trial("PostgreSQL restarted, two nodes", two, Site.restart_database, 2 * others)
    yield from told_of(partial(on_postgres, nodes=2, more=OPTIONS), "PostgreSQL, two nodes", kills)


def told_of(site: Callable[[Path], AbstractContextManager[Site]], where: str, kills: int) -> Iterator[Trial]:
    yield Trial(f"{where}, notices, kill -9", site, Site.kill, kills, tried_by_notices, notification_trial.TABLES)


def run(trial: Trial, tables: int) -> bool:
    begun = monotonic()
    with TemporaryDirectory() as folder, trial.site(Path(folder)) as site:
        work = trial.tried(site, partial(trial.fault, site), trial.times, trial.tables or tables)
        outcome = asyncio.run(_awaited(work))
    print(f"{trial.name}, {trial.times} times: {outcome} ({monotonic() - begun:.0f} s)", flush=True)
    return outcome.good


async def _awaited(work: Awaitable[Outcome | notification_trial.Outcome]) -> Outcome | notification_trial.Outcome:
    return await work


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fault_injection", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--others", type=int, default=5, help="of what takes longer")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--only", default="", metavar="WORDS", help="trials whose name has them")
    options = parser.parse_args()
    wanted = [trial for trial in trials(options.kills, options.others) if options.only in trial.name]
    results = [run(trial, options.tables) for trial in wanted]
    sys.exit(not all(results))
