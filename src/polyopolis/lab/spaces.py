"""Observation and action spaces of Gymnasium and PettingZoo."""

from typing import Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete

from polyopolis.lab.action_numbers import mask_of, numbering_of
from polyopolis.lab.environment_ids import EnvironmentId
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations import observer_of

SeatObservation = dict[str, Any]
"""An observation and its action mask."""


def action_space(offer: EnvironmentId) -> Discrete:
    return Discrete(numbering_of(offer.key).COUNT)


def observation_space(offer: EnvironmentId, seats: int) -> Dict:
    low, high = observer_of(offer.key, seats).bounds
    count = numbering_of(offer.key).COUNT
    return Dict(
        observation=Box(low, high, dtype=numpy.float32), action_mask=Box(0, 1, shape=(count,), dtype=numpy.int8)
    )


def observe_seat(table: GameTable, seat: int) -> SeatObservation:
    observer = observer_of(table.offer.key, table.seats)
    return {"observation": observer.observe(table, seat), "action_mask": mask_of(table, seat)}
