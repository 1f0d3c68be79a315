"""What the screen of one seat needs, ready for JSON."""

from msgspec import Struct

from polyopolis.engine import CHANCE, Result
from polyopolis.games.mycity.actions import Action
from polyopolis.games.mycity.scoring import cells_counted, scores
from polyopolis.games.mycity.state import City, Setup, State


class BuildingView(Struct, frozen=True):
    card: str
    cells: tuple[str, ...]


class CityView(Struct, frozen=True):
    """One player's board, open to all."""

    buildings: tuple[BuildingView, ...]
    marker: int
    passes: int
    stopped: bool
    counted: dict[str, tuple[str, ...]]
    """The cells that each line of the score sheet speaks of."""


class TableView(Struct, frozen=True):
    """What everybody sees."""

    setup: Setup
    rows: tuple[str, ...]
    """The terrain, a sign for each cell."""
    river: tuple[tuple[int, int], ...]
    squares: tuple[str, ...]
    card: str | None
    shape: str | None
    """The building of the card, drawn."""
    shapes: dict[str, str]
    """The buildings of all cards, drawn; the blocking card has none."""
    blocking: bool
    revealed: tuple[str, ...]
    remaining: tuple[str, ...]
    open_races: tuple[str, ...]
    cities: tuple[CityView, ...]
    acting: tuple[int, ...]
    over: bool
    result: Result
    """Final when it is over; until then what the sheets would be if it ended now."""


class View(Struct, frozen=True):
    """The table, and what this seat may choose now."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def seen(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
    return View(_table(state), seat, choices)


def _table(state: State) -> TableView:
    site = state.episode.site
    return TableView(
        setup=state.setup,
        rows=site.board.rows,
        river=site.board.river,
        squares=site.grid.cells(state.episode.squares),
        card=state.card.name if state.card else None,
        shape=str(state.card.shape) if state.card else None,
        shapes={card.name: str(card.shape) for card in state.episode.cards.values() if card.shape},
        blocking=state.blocking,
        revealed=tuple(card.name for card in state.revealed),
        remaining=tuple(card.name for card in state.deck),
        open_races=tuple(race.race for race in state.open_races),
        cities=tuple(_city(state, city) for city in state.cities),
        acting=tuple(sorted(state.acting - {CHANCE})),
        over=not state.acting,
        result=scores(state),
    )


def _city(state: State, city: City) -> CityView:
    buildings = tuple(BuildingView(building.card.name, building.at.cells) for building in city.buildings)
    counted = {line: city.site.grid.cells(where) for line, where in cells_counted(state, city).items()}
    return CityView(buildings, city.marker, city.passes, city.stopped, counted)
