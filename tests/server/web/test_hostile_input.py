"""Extreme values in every field of every request and message cause no server error and disconnect no other client.

`python -m tests.hostile_input` is the long form with all values and statistics.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile_input.attacker import Attacker, AttackOutcome
from tests.hostile_input.cases import SHORT_RUN_KINDS, SHORT_RUN_POSTGRES_KINDS
from tests.server.support.server_process import ServerProcess, running_server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_extreme_values_cause_no_server_error(house: ServerProcess) -> None:
    outcome = await attacked(house, SHORT_RUN_KINDS)
    assert outcome.tried > 1000
    assert not outcome.errors


async def test_extreme_values_cause_no_error_with_postgresql(tmp_path: Path, new_site: Callable[[], str]) -> None:
    with running_server(tmp_path, "--database", new_site()) as house:
        outcome = await attacked(house, SHORT_RUN_POSTGRES_KINDS)
    assert outcome.tried > 500
    assert not outcome.errors


async def attacked(house: ServerProcess, kinds: frozenset[str]) -> AttackOutcome:
    attacker = Attacker(house)
    await attacker.requests(kinds)
    await attacker.messages(kinds)
    return attacker.outcome
