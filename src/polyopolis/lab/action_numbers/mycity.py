"""Action numbers of My City: placement, passing and stopping; kiosks after a round, rewards after an episode."""

from collections.abc import Sequence

from polyopolis.games.mycity.actions import Action, Gear, Kiosk, NoKiosk, Pass, Place, Reveal, Sticker, Stop
from polyopolis.games.mycity.content import content
from polyopolis.games.mycity.state import State
from polyopolis.lab.action_numbers.number_ranges import consecutive_ranges, total_count
from polyopolis.lab.action_numbers.placement_numbers import placement_numbers

GRID = content().boards["front"].grid
CELLS = len(GRID.names)
ORIENTATIONS = 4
"""Buildings are rotated, not flipped."""
SHAPES = tuple(name.removeprefix("blue-") for name in content().cards if name.startswith("blue-"))
CARDS = tuple(content().cards)
CHANCES = len(CARDS)

SECTIONS = consecutive_ranges(
    place=ORIENTATIONS * CELLS, done=2, kiosk=CELLS, no_kiosk=1, sticker=CELLS, gear=len(SHAPES)
)  # fmt: skip
COUNT = total_count(SECTIONS)
PASS, STOP = SECTIONS["done"]
(NO_KIOSK,) = SECTIONS["no_kiosk"]


def number(state: State, seat: int, action: Action) -> int:
    match action:
        case Place():
            assert state.card
            return placement_numbers(state.cities[seat].site.placements[state.card.name])[0][action]
        case Pass():
            return PASS
        case Stop():
            return STOP
        case Kiosk(cell):
            return SECTIONS["kiosk"][GRID.names.index(cell)]
        case NoKiosk():
            return NO_KIOSK
        case Sticker(_, cell):
            return SECTIONS["sticker"][GRID.names.index(cell)]
        case Gear(shape):
            return SECTIONS["gear"][SHAPES.index(shape)]
        case Reveal():
            raise ValueError(action)


def allowed(state: State, seat: int, legal: Sequence[Action]) -> list[int]:
    return [number(state, seat, action) for action in legal]


def action(state: State, seat: int, number: int) -> Action | None:
    """Returns the action of a number. A sticker is of the kind that is due."""
    if number in SECTIONS["place"]:
        places = state.card and state.cities[seat].site.placements.get(state.card.name)
        return placement_numbers(places)[1].get(number) if places else None
    for name, section in SECTIONS.items():
        if number in section:
            return _named(state, seat, name, section.index(number))
    return None


def _named(state: State, seat: int, name: str, at: int) -> Action | None:
    match name:
        case "done":
            return (Pass(), Stop())[at]
        case "kiosk":
            return Kiosk(GRID.names[at])
        case "no_kiosk":
            return NoKiosk()
        case "gear":
            return Gear(SHAPES[at])
    due = state.rewards[seat] if state.rewards else ()
    return Sticker(due[0], GRID.names[at]) if due else None


def chance(state: State, action: Reveal) -> int:
    return CARDS.index(action.card)
