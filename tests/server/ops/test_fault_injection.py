"""A short form of `python -m tests.fault_injection`: no fault loses or repeats a move."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from tests.fault_injection.notification_trial import OPTIONS, tried_by_notices
from tests.fault_injection.sites import Site, on_file, on_postgres
from tests.fault_injection.trial import tried
from tests.support.postgres_server import MISSING
from tests.support.property_budget import IS_SOAK

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
shared = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        pytest.param(on_file, Site.kill, id="a file, kill -9"),
        pytest.param(on_file, Site.fill_disk, id="a file, disk full", marks=pytest.mark.soak),
        pytest.param(partial(on_postgres, nodes=2), Site.kill, id="two nodes, kill -9", marks=shared),
        pytest.param(
            partial(on_postgres, nodes=1, workers=2),
            Site.restart_database,
            id="restarted",
            marks=[shared, pytest.mark.soak],
        ),
    ],
)
async def test_nothing_is_lost(
    tmp_path: Path, place: Callable[[Path], AbstractContextManager[Site]], fault: Callable[[Site], None]
) -> None:
    with place(tmp_path) as site:
        outcome = await tried(site, partial(fault, site), times=2 if IS_SOAK else 1, tables=4)
    assert outcome.decisions > 0
    assert outcome.good, str(outcome)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(partial(on_file, more=OPTIONS), id="a file", marks=pytest.mark.soak),
        pytest.param(partial(on_postgres, nodes=2, more=OPTIONS), id="two nodes", marks=shared),
    ],
)
async def test_no_notice_is_lost(tmp_path: Path, place: Callable[[Path], AbstractContextManager[Site]]) -> None:
    """Nobody comes who is not told: one notice that is lost, and a table stands still."""
    with place(tmp_path) as site:
        outcome = await tried_by_notices(site, site.kill, times=1, tables=3)
    assert outcome.notices >= 3, "at each table somebody was told"
    assert outcome.good, str(outcome)
