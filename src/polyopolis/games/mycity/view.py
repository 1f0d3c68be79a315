"""What the screen of one seat needs, ready for JSON."""

from collections.abc import Iterable

from msgspec import Struct

from polyopolis.engine import CHANCE, Result
from polyopolis.games.arms import Animal
from polyopolis.games.mycity.actions import Action
from polyopolis.games.mycity.content import FOURTH, Colour, Kind, Race, Reward, Sticker, content
from polyopolis.games.mycity.scoring import RACE_PROGRESS, cells_counted, scores, ticks
from polyopolis.games.mycity.state import Building, City, Legacy, Setup, State


class BuildingView(Struct, frozen=True):
    card: str
    cells: tuple[str, ...]


class LegacyView(Struct, frozen=True):
    """What lies on a board for good, as it is now, and what is still to be placed."""

    circles: int
    nuggets: int
    stickers: dict[str, Sticker]
    gears: tuple[str, ...]
    """The shapes of the factories."""
    shafts: dict[Colour, int]
    """Boxes ticked."""
    ticks: dict[Colour, int]
    """Boxes that would be ticked if it ended now."""
    rewards: tuple[Reward, ...]
    """To be placed, the next one first."""
    rows: tuple[str, ...]
    """The board with its stickers once it is cleared of buildings."""
    city: str | None
    animal: Animal | None


class CityView(Struct, frozen=True):
    """One player's board, open to all."""

    buildings: tuple[BuildingView, ...]
    marker: int
    passes: int
    stopped: bool
    counted: dict[str, tuple[str, ...]]
    """The cells that each line of the score sheet speaks of."""
    rows: tuple[str, ...]
    """The terrain of this board, a sign for each cell."""
    pieces: tuple[BuildingView, ...]
    """Buildings that lay there from the start."""
    fourth: str | None
    """The fourth church, drawn, if its card is in the game."""
    factories: tuple[str, ...]
    """The cards of the buildings with a gear."""
    gone: tuple[str, ...]
    """The cards whose buildings have left."""
    kiosks: int
    """How many are left."""
    investor: tuple[str, ...]
    """The cells of the building that he stands on."""
    progress: dict[str, int]
    """How far it is in each race."""
    legacy: LegacyView | None
    """Missing in the eternal game."""


class RaceView(Struct, frozen=True):
    """How much wins it, what is given at once for being first, and how many nuggets for doing it later."""

    goal: int
    points: int
    nuggets: int
    later: int


class BoxView(Struct, frozen=True):
    """A box of a shaft with a reward; with a triangle only for those who reach it first."""

    box: int
    gives: Reward
    triangle: bool


class ShaftView(Struct, frozen=True):
    colour: Colour
    boxes: int
    rewards: tuple[BoxView, ...]


class ChurchView(Struct, frozen=True):
    name: str
    shape: str
    """Drawn."""


class EpisodeView(Struct, frozen=True):
    """The table of an episode: what scores, and what the ranks receive (MC-32)."""

    chapter: int | None
    start: str
    marker: int
    limit: int | None
    passing: int | None
    must_build: tuple[Kind, ...]
    """The kinds of cards that nobody passes on."""
    forest: bool
    """It may be built on."""
    kiosks: int
    at_once: dict[str, int]
    races: dict[str, RaceView]
    counting: dict[str, int]
    first: tuple[Reward, ...]
    second: tuple[Reward, ...]
    others: tuple[Reward, ...]
    churches: tuple[ChurchView, ...]
    """The fourth church for the first, the second and the others."""
    shafts: tuple[ShaftView, ...]
    """Those that tick at the end."""


class TableView(Struct, frozen=True):
    """What everybody sees."""

    setup: Setup
    rows: tuple[str, ...]
    """The terrain, a sign for each cell; where boards differ, as it was printed."""
    river: tuple[tuple[int, int], ...]
    squares: tuple[str, ...]
    card: str | None
    shape: str | None
    """The building of the card, drawn; of the fourth church each city has its own."""
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
    asks: str
    """What those who act decide on: building, kiosk or reward."""
    episode: EpisodeView
    triangles: tuple[str, ...]
    """Boxes of the shafts that are won."""


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
        rows=_common_rows(state),
        river=site.board.river,
        squares=site.grid.cells(state.episode.squares),
        card=state.card.name if state.card else None,
        shape=str(state.card.shape) if state.card and state.card.shape else None,
        shapes={card.name: str(card.shape) for card in state.episode.cards.values() if card.shape},
        blocking=state.blocking,
        revealed=tuple(card.name for card in state.revealed),
        remaining=tuple(card.name for card in state.deck),
        open_races=tuple(race.race for race in state.open_races),
        cities=tuple(_city(state, seat) for seat in range(state.setup.seats)),
        acting=tuple(sorted(state.acting - {CHANCE})),
        over=not state.acting,
        result=scores(state),
        asks=state.asks,
        episode=_episode(state),
        triangles=state.triangles,
    )


def _common_rows(state: State) -> tuple[str, ...]:
    rows = {city.site.board.rows for city in state.cities}
    return rows.pop() if len(rows) == 1 else state.episode.land.rows


def _episode(state: State) -> EpisodeView:
    rules = state.episode.rules
    fourth = rules.fourth_church
    return EpisodeView(
        chapter=rules.chapter,
        start=rules.start,
        marker=rules.marker,
        limit=rules.limit,
        passing=rules.passing,
        must_build=rules.must_build,
        forest=rules.forest,
        kiosks=rules.kiosks,
        at_once={once.line: once.points for once in rules.at_once},
        races={race.race: _race(state, race) for race in rules.races},
        counting={counting.line: counting.points for counting in rules.counting},
        first=rules.rewards.first,
        second=rules.rewards.second if state.setup.seats > 2 else (),
        others=rules.rewards.others,
        churches=tuple(_church(state, name) for name in (fourth.first, fourth.second, fourth.others)) if fourth else (),
        shafts=tuple(_shaft(state, colour) for colour in rules.shafts),
    )


def _church(state: State, name: str) -> ChurchView:
    return ChurchView(name, str(state.episode.fourth[name]))


def _race(state: State, race: Race) -> RaceView:
    """The goal of the gold is all veins that there are."""
    goal = race.goal or state.episode.site.veins.bit_count()
    return RaceView(goal, race.points, race.nuggets, race.later)


def _shaft(state: State, colour: Colour) -> ShaftView:
    shaft = content(state.setup.content).campaign.shafts[colour]
    return ShaftView(colour, shaft.boxes, tuple(BoxView(box.box, box.gives, box.triangle) for box in shaft.rewards))


def _city(state: State, seat: int) -> CityView:
    city, site = state.cities[seat], state.cities[seat].site
    invested = any(once.line == "investor" for once in state.episode.rules.at_once) and city.buildings
    owned = {card.name for card in state.episode.cards.values() if card.kind != "block"}
    return CityView(
        buildings=_views(city.buildings),
        marker=city.marker,
        passes=city.passes,
        stopped=city.stopped,
        counted={line: site.grid.cells(where) for line, where in cells_counted(state, city).items()},
        rows=site.board.rows,
        pieces=_views(site.pieces.values()),
        fourth=str(site.shapes[FOURTH]) if FOURTH in site.shapes else None,
        factories=tuple(sorted(site.gears)),
        gone=tuple(sorted(owned - site.shapes.keys())),
        kiosks=city.kiosks,
        investor=city.buildings[-1].at.cells if invested else (),
        progress={race.race: RACE_PROGRESS[race.race](city) for race in state.episode.rules.races},
        legacy=_legacy(state, city, state.boards[seat], seat) if state.boards else None,
    )


def _views(buildings: Iterable[Building]) -> tuple[BuildingView, ...]:
    return tuple(BuildingView(building.card.name, building.at.cells) for building in buildings)


def _legacy(state: State, city: City, board: Legacy, seat: int) -> LegacyView:
    return LegacyView(
        circles=board.circles,
        nuggets=board.nuggets,
        stickers=board.stickers,
        gears=board.gears,
        shafts=board.shafts,
        ticks={colour: len(ticks(city, colour)) for colour in state.episode.rules.shafts},
        rewards=state.rewards[seat] if state.rewards else (),
        rows=state.episode.cleared(board.stickers).rows,
        city=board.city or None,
        animal=board.animal or None,
    )
