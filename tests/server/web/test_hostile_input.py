"""Extreme values in every field of every request and message cause no server error and disconnect no other client.

`python -m tests.hostile_input` is the long form with all values and statistics.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile_input.attacker import Attacker, Outcome
from tests.hostile_input.cases import FOR_DATABASES, WORST
from tests.server.support.server_process import House, open_house

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_extreme_values_cause_no_server_error(house: House) -> None:
    outcome = await attacked(house, WORST)
    assert outcome.tried > 1000
    assert not outcome.errors


async def test_extreme_values_cause_no_error_with_postgresql(tmp_path: Path, new_site: Callable[[], str]) -> None:
    with open_house(tmp_path, "--database", new_site()) as house:
        outcome = await attacked(house, FOR_DATABASES)
    assert outcome.tried > 500
    assert not outcome.errors


async def attacked(house: House, kinds: frozenset[str]) -> Outcome:
    attacker = Attacker(house)
    await attacker.requests(kinds)
    await attacker.messages(kinds)
    return attacker.outcome
