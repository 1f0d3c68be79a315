"""`python -m tests.fault_injection`: kill -9 and other faults, repeated on every kind of site."""

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
from tests.fault_injection.notification_trial import OPTIONS, run_notification_trial
from tests.fault_injection.sites import Site, postgres_site, sqlite_site
from tests.fault_injection.trial import TrialOutcome, run_trial
from tests.support.postgres_server import MISSING


@dataclass(frozen=True)
class Trial:
    name: str
    site: Callable[[Path], AbstractContextManager[Site]]
    fault: Callable[[Site], None]
    times: int
    tried: Callable[..., Awaitable[TrialOutcome | notification_trial.NotificationOutcome]] = run_trial
    tables: int | None = None
    """The number of tables; None for the option `--tables`."""


def trials(kills: int, others: int) -> Iterator[Trial]:
    yield Trial("a file, kill -9", sqlite_site, Site.kill, kills)
    yield Trial("a file, disk full", sqlite_site, Site.fill_disk, others)
    yield Trial("a file, database locked", sqlite_site, Site.lock_database, others)
    yield Trial("a file, server suspended", sqlite_site, Site.suspend, others)
    yield Trial("a file, bot processes killed", sqlite_site, Site.kill_bot_process, kills)
    yield from notification_trials(partial(sqlite_site, more=OPTIONS), "a file", kills)
    if MISSING:
        print(MISSING, file=sys.stderr)
        return
    one, two = partial(postgres_site, nodes=1), partial(postgres_site, nodes=2)
    yield Trial("PostgreSQL, one node, kill -9", one, Site.kill, kills)
    yield Trial("PostgreSQL, two nodes, kill -9", two, Site.kill, kills)
    yield Trial("PostgreSQL, two nodes, one suspended", two, Site.suspend, others)
    yield Trial("PostgreSQL, two nodes, bot processes killed", two, Site.kill_bot_process, kills)
    yield Trial("PostgreSQL restarted, two nodes", two, Site.restart_database, 2 * others)
    yield from notification_trials(partial(postgres_site, nodes=2, more=OPTIONS), "PostgreSQL, two nodes", kills)


def notification_trials(
    site: Callable[[Path], AbstractContextManager[Site]], where: str, kills: int
) -> Iterator[Trial]:
    yield Trial(f"{where}, notices, kill -9", site, Site.kill, kills, run_notification_trial, notification_trial.TABLES)


def run(trial: Trial, tables: int) -> bool:
    begun = monotonic()
    with TemporaryDirectory() as folder, trial.site(Path(folder)) as site:
        work = trial.tried(site, partial(trial.fault, site), trial.times, trial.tables or tables)
        outcome = asyncio.run(_as_coroutine(work))
    print(f"{trial.name}, {trial.times} times: {outcome} ({monotonic() - begun:.0f} s)", flush=True)
    return outcome.good


async def _as_coroutine(
    work: Awaitable[TrialOutcome | notification_trial.NotificationOutcome],
) -> TrialOutcome | notification_trial.NotificationOutcome:
    return await work


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fault_injection", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--others", type=int, default=5, help="repetitions of slower faults")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--only", default="", metavar="WORDS", help="run only trials whose name contains these words")
    options = parser.parse_args()
    wanted = [trial for trial in trials(options.kills, options.others) if options.only in trial.name]
    results = [run(trial, options.tables) for trial in wanted]
    sys.exit(not all(results))
