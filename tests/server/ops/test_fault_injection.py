"""A short run of `python -m tests.fault_injection`: no fault loses or repeats a move or a notification."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from tests.fault_injection.notification_trial import OPTIONS, run_notification_trial
from tests.fault_injection.sites import Site, postgres_site, sqlite_site
from tests.fault_injection.trial import run_trial
from tests.support.postgres_server import MISSING
from tests.support.property_budget import IS_SOAK

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
shared = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        pytest.param(sqlite_site, Site.kill, id="a file, kill -9"),
        pytest.param(sqlite_site, Site.fill_disk, id="a file, disk full", marks=pytest.mark.soak),
        pytest.param(partial(postgres_site, nodes=2), Site.kill, id="two nodes, kill -9", marks=shared),
        pytest.param(
            partial(postgres_site, nodes=1, workers=2),
            Site.restart_database,
            id="restarted",
            marks=[shared, pytest.mark.soak],
        ),
    ],
)
async def test_no_move_is_lost(
    tmp_path: Path, place: Callable[[Path], AbstractContextManager[Site]], fault: Callable[[Site], None]
) -> None:
    with place(tmp_path) as site:
        outcome = await run_trial(site, partial(fault, site), times=2 if IS_SOAK else 1, tables=4)
    assert outcome.decisions > 0
    assert outcome.good, str(outcome)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(partial(sqlite_site, more=OPTIONS), id="a file", marks=pytest.mark.soak),
        pytest.param(partial(postgres_site, nodes=2, more=OPTIONS), id="two nodes", marks=shared),
    ],
)
async def test_no_notification_is_lost(tmp_path: Path, place: Callable[[Path], AbstractContextManager[Site]]) -> None:
    """Players act only when notified, so a lost notification stops a table."""
    with place(tmp_path) as site:
        outcome = await run_notification_trial(site, site.kill, times=1, tables=3)
    assert outcome.notices >= 3, "at least one for each table"
    assert outcome.good, str(outcome)
