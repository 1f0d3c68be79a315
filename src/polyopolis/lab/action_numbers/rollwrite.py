"""Action numbers of Roll & Write: placement, passing and stopping."""

from collections.abc import Sequence

from polyopolis.games.rollwrite.actions import Action, Pass, Place, Roll, Stop
from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.state import State
from polyopolis.lab.action_numbers.number_ranges import consecutive_ranges, total_count
from polyopolis.lab.action_numbers.placement_numbers import placement_numbers

GRID = content().episodes[1].board.grid
CELLS = len(GRID.names)
ORIENTATIONS = 8
"""Buildings are rotated and flipped."""
ROLLS = {roll: number for number, (roll, _) in enumerate(content().dice.odds)}
CHANCES = len(ROLLS)

SECTIONS = consecutive_ranges(place=ORIENTATIONS * CELLS, done=2)
COUNT = total_count(SECTIONS)
PASS, STOP = SECTIONS["done"]
_SINGLE_ACTIONS: dict[int, Action] = {PASS: Pass(), STOP: Stop()}


def number(state: State, seat: int, action: Action) -> int:
    match action:
        case Place():
            assert state.task
            return placement_numbers(state.task.places)[0][action]
        case Pass():
            return PASS
        case Stop():
            return STOP
        case Roll():
            raise ValueError(action)


def allowed(state: State, seat: int, legal: Sequence[Action]) -> list[int]:
    return [number(state, seat, action) for action in legal]


def action(state: State, seat: int, number: int) -> Action | None:
    if number in SECTIONS["place"]:
        return placement_numbers(state.task.places)[1].get(number) if state.task else None
    return _SINGLE_ACTIONS.get(number)


def chance(state: State, action: Roll) -> int:
    return ROLLS[action]
