"""The view of a match for one seat, ready for JSON."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from msgspec import UNSET, Struct

from polyopolis.engine import CHANCE, IdentityCache, Result
from polyopolis.games.city_emblems import Animal
from polyopolis.games.mycity.actions import Action
from polyopolis.games.mycity.appearance import BuildingKind, Ground, Roof, grounds_by_sign, kind_of, roof_of, shape_name
from polyopolis.games.mycity.building_site import KIOSK
from polyopolis.games.mycity.content import FOURTH_CHURCH, Card, Colour, Episode, Reward, Site, Sticker
from polyopolis.games.mycity.episode_view import EpisodeView, episode_view
from polyopolis.games.mycity.legacy.rewards import Rank, rank_name
from polyopolis.games.mycity.scoring import RACE_PROGRESS, cells_counted, scores, ticking_buildings
from polyopolis.games.mycity.state import Building, City, Legacy, Setup, State
from polyopolis.games.par_scores import par_score
from polyopolis.games.placement import points_lost, shrinking_lines


class CardView(Struct, frozen=True):
    """A card with a building."""

    card: str
    kind: BuildingKind
    shape: str
    """The name of the shape."""
    drawing: str | None
    """None if the cities have different shapes."""
    takes_gear: bool
    """Whether the building can become a factory."""
    roof: Roof | None


class BuildingView(Struct, frozen=True):
    card: str
    cells: tuple[str, ...]
    kind: BuildingKind
    roof: Roof | None
    """The symbol on the roof, if it is not that of the kind."""


class LegacyView(Struct, frozen=True):
    """The permanent changes of a board, and the rewards that are still to be placed."""

    circles: int
    nuggets: int
    stickers: dict[str, Sticker]
    gears: tuple[str, ...]
    """The shapes of the factories."""
    shafts: dict[Colour, int]
    """The number of ticked boxes."""
    ticks: dict[Colour, int]
    """The number of boxes that would be ticked if the episode ended now; 0 after its end."""
    rewards: tuple[Reward, ...]
    """The rewards to place, the next one first."""
    rows: tuple[str, ...]
    """The terrain with stickers and without buildings."""
    squares: tuple[str, ...]
    """The cells marked for stickers that have none, after the board is cleared."""
    city: str | None
    animal: Animal | None


class CityView(Struct, frozen=True):
    """One player's board, visible to all."""

    buildings: tuple[BuildingView, ...]
    marker: int
    passes: int
    stopped: bool
    counted: dict[str, tuple[str, ...]]
    """The cells that each line of the score sheet counts."""
    rows: tuple[str, ...]
    """The terrain of this board, a character for each cell."""
    pieces: tuple[BuildingView, ...]
    """Buildings that lie on the board from the start."""
    fourth: str | None
    """The fourth church, drawn, if its card is in the game."""
    factories: tuple[str, ...]
    """The cards of the factories."""
    gone: tuple[str, ...]
    """The cards whose buildings the player no longer has."""
    kiosks: int
    """The number of kiosks left."""
    investor: tuple[str, ...]
    """The cells of the building with the investor."""
    parks: tuple[str, ...]
    """The cells that would be parks if the episode ended now."""
    dykes: tuple[str, ...]
    """The cells along the river that are not flooded, if dykes are counted."""
    squares: tuple[str, ...]
    """The cells marked for stickers that have none."""
    progress: dict[str, int]
    """The progress in each race."""
    won: tuple[str, ...]
    """The races that the city has won."""
    rank: Rank
    """The rank if the episode ended now."""
    legacy: LegacyView | None
    """None in the eternal game."""
    open: int
    """The points of `TableView.open_lines`."""


class TableView(Struct, frozen=True):
    """The public part of the view."""

    setup: Setup
    rows: tuple[str, ...]
    """The terrain, a character for each cell; if boards differ, the printed one."""
    signs: dict[str, Ground]
    """The meaning of the characters of all boards."""
    mirrors: bool
    """Whether buildings may be mirrored (MC-1)."""
    track: tuple[str, ...]
    """The cells of the railway track, if they score."""
    river: tuple[tuple[int, int], ...]
    squares: tuple[str, ...]
    card: str | None
    shape: str | None
    """A drawing of the card's building; None for the fourth church, which differs by city."""
    laid: CardView | None
    """The building that the acting seats place: that of the card, or a kiosk."""
    cards: tuple[CardView, ...]
    """All cards with a building, in the order of the deck."""
    blocking: bool
    block: Literal["left", "gone"] | None
    """Whether the blocking card is still in the deck; None if the episode has none."""
    forbidden: tuple[str, ...]
    """The cards that followed the blocking card and were not built."""
    blocked: str | None
    """The one of them that was revealed just before the card of this round."""
    revealed: tuple[str, ...]
    remaining: tuple[str, ...]
    open_races: tuple[str, ...]
    cities: tuple[CityView, ...]
    acting: tuple[int, ...]
    over: bool
    result: Result
    """The score sheets if the episode ended now; final when it is over."""
    open_lines: tuple[str, ...]
    """Lines with negative points, which count cells without a building: their losses shrink."""
    par: int | None
    """The score of a good player in this mode."""
    asks: str
    """The kind of decision of the acting seats: building, kiosk or reward."""
    cleared: bool
    """Whether an episode of a campaign is over, the boards are cleared and rewards are placed."""
    episode: EpisodeView

    @property
    def shapes(self) -> dict[str, str]:
        """Drawings of the cards whose buildings are the same for all players."""
        return {card.card: card.drawing for card in self.cards if card.drawing}


class View(Struct, frozen=True):
    """The public table, and the legal actions of this seat."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def view_of(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
    return View(_table(state), seat, choices)


def _table(state: State) -> TableView:
    site, result = state.episode.site, scores(state)
    cities = tuple(_city(state, seat, result) for seat in range(state.setup.seats))
    return TableView(
        setup=state.setup,
        rows=_common_rows(state),
        signs=_signs(tuple([row for city in cities for row in (city.rows, city.legacy.rows if city.legacy else ())])),
        mirrors=False,
        track=site.grid.cells(site.track) if _counts_at_once(state, "track") else (),
        river=site.board.river,
        squares=site.grid.cells(state.episode.squares),
        card=state.card.name if state.card else None,
        shape=_card(state.card).drawing if state.card else None,
        laid=_card_to_build(state),
        cards=_cards(state.episode),
        blocking=state.blocking,
        block=_block(state),
        forbidden=_forbidden(state.revealed),
        blocked=next(iter(_forbidden(state.revealed[-3:-1])), None),
        revealed=tuple(card.name for card in state.revealed),
        remaining=tuple(card.name for card in state.deck),
        open_races=tuple(race.race for race in state.open_races),
        cities=cities,
        acting=tuple(sorted(state.acting - {CHANCE})),
        over=not state.acting,
        result=result,
        open_lines=shrinking_lines(state.episode.rules.counting),
        par=par_score("mycity", "eternal" if state.setup.episode is UNSET else f"episode-{state.setup.episode}"),
        asks=state.asks,
        cleared=_is_cleared(state),
        episode=episode_view(state.episode, state.setup.seats, state.setup.content, state.triangles),
    )


def _is_cleared(state: State) -> bool:
    return state.asks == "reward" and bool(state.acting)


def _counts_at_once(state: State, line: str) -> bool:
    return any(once.line == line for once in state.episode.rules.at_once)


@cache
def _card(card: Card) -> CardView:
    return CardView(
        card=card.name,
        kind=kind_of(card),
        shape=shape_name(card),
        drawing=str(card.shape) if card.shape else None,
        takes_gear=card.kind == "blue",
        roof=roof_of(card, ()),
    )


@cache
def _cards(episode: Episode) -> tuple[CardView, ...]:
    return tuple(_card(card) for card in episode.cards.values() if card.kind != "block")


def _card_to_build(state: State) -> CardView | None:
    card = KIOSK if state.asks == "kiosk" else state.card
    return _card(card) if card else None


def _block(state: State) -> Literal["left", "gone"] | None:
    if len(_cards(state.episode)) == len(state.episode.cards):
        return None
    return "left" if any(card.kind == "block" for card in state.deck) else "gone"


def _forbidden(revealed: Sequence[Card]) -> tuple[str, ...]:
    """Returns the cards after a blocking card, which are not built (MC-26)."""
    return tuple(card.name for before, card in pairwise(revealed) if before.kind == "block")


@lru_cache(1024)
def _signs(boards: tuple[tuple[str, ...], ...]) -> dict[str, Ground]:
    return grounds_by_sign("".join(row for rows in boards for row in rows))


def _common_rows(state: State) -> tuple[str, ...]:
    rows = {city.site.board.rows for city in state.cities}
    return rows.pop() if len(rows) == 1 else state.episode.land.rows


def _city(state: State, seat: int, result: Result) -> CityView:
    city, site = state.cities[seat], state.cities[seat].site
    plot = _site_features(state.episode, site)
    cleared = _is_cleared(state)
    invested = _counts_at_once(state, "investor") and city.buildings and not cleared
    counted = {line: site.grid.cells(where) for line, where in cells_counted(state, city).items()}
    return CityView(
        buildings=_views(city.buildings, site),
        marker=city.marker,
        passes=city.passes,
        stopped=city.stopped,
        counted=counted,
        rows=site.board.rows,
        pieces=plot.pieces,
        fourth=plot.fourth,
        factories=plot.factories,
        gone=plot.gone,
        kiosks=city.kiosks,
        investor=city.buildings[-1].at.cells if invested else (),
        parks=() if cleared else counted.get("parks", ()),
        dykes=plot.dykes if not cleared else (),
        squares=plot.squares,
        progress={race.race: RACE_PROGRESS[race.race](city) for race in state.episode.rules.races},
        won=tuple(race.race for race in city.won),
        rank=rank_name(result.ranks[seat], state.setup.seats),
        legacy=_legacy(state, city, state.boards[seat], seat) if state.boards else None,
        open=points_lost(result.sheets[seat], shrinking_lines(state.episode.rules.counting)),
    )


class SiteFeatures(NamedTuple):
    """The parts of `CityView` that depend only on the site."""

    pieces: tuple[BuildingView, ...]
    fourth: str | None
    factories: tuple[str, ...]
    gone: tuple[str, ...]
    dykes: tuple[str, ...]
    squares: tuple[str, ...]


@IdentityCache
def _site_features(episode: Episode, site: Site) -> SiteFeatures:
    owned = {card.name for card in episode.cards.values() if card.kind != "block"}
    return SiteFeatures(
        pieces=_views(site.pieces.values(), site),
        fourth=str(site.shapes[FOURTH_CHURCH]) if FOURTH_CHURCH in site.shapes else None,
        factories=tuple(sorted(site.gears)),
        gone=tuple(sorted(owned - site.shapes.keys())),
        dykes=_dykes(episode, site),
        squares=site.grid.cells(episode.squares & site.empty),
    )


def _dykes(episode: Episode, site: Site) -> tuple[str, ...]:
    """Returns the cells with a dyke: those along the river that are not flooded (MC-E8)."""
    counts = any(counting.line == "dykes" for counting in episode.rules.counting)
    return site.grid.cells(site.bare.riverside & ~site.water) if counts else ()


def _views(buildings: Iterable[Building], site: Site) -> tuple[BuildingView, ...]:
    gears = site.gears
    return tuple([_building(each.card, each.at.cells, each.card.name in gears) for each in buildings])


@cache
def _building(card: Card, cells: tuple[str, ...], factory: bool) -> BuildingView:
    return BuildingView(card.name, cells, kind_of(card), roof_of(card, (card.name,) if factory else ()))


def _legacy(state: State, city: City, board: Legacy, seat: int) -> LegacyView:
    cleared = state.episode.cleared(board.stickers)
    ended = state.asks == "reward"
    return LegacyView(
        circles=board.circles,
        nuggets=board.nuggets,
        stickers=board.stickers,
        gears=board.gears,
        shafts=board.shafts,
        ticks={colour: 0 if ended else len(ticking_buildings(city, colour)) for colour in state.episode.rules.shafts},
        rewards=state.rewards[seat] if state.rewards else (),
        rows=cleared.rows,
        squares=cleared.grid.cells(state.episode.squares & cleared.where(".")),
        city=board.city or None,
        animal=board.animal or None,
    )
