"""Extreme values in every field of every request and message are refused: no error of the server, nobody is cut off.

The long form with all values and figures is `python -m tests.hostile`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hostile.cases import WORST
from tests.hostile.visits import Attacker, Outcome
from tests.postgres import MISSING, postgres
from tests.server.house import House, open_house

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.skipif(bool(MISSING), reason=MISSING))])
def attacked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with _on_postgres(tmp_path) if request.param == "PostgreSQL" else open_house(tmp_path) as house:
        yield house


@contextmanager
def _on_postgres(folder: Path) -> Iterator[House]:
    with postgres() as server, open_house(folder, "--database", server.database()) as house:
        yield house


async def test_no_extreme_value_is_an_error_of_the_server(attacked: House) -> None:
    attacker = Attacker(attacked, Outcome())
    await attacker.requests(WORST)
    await attacker.messages(WORST)
    assert attacker.outcome.tried > 1000
    assert not attacker.outcome.errors
