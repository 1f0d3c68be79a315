"""Positions drawn as text, for tests.

A drawing has a line for each row and a character for each cell; `|` is a river that runs straight from top to bottom.
In the drawing of a city, capital letters are buildings: `A="yellow-i2"` is the card of the cells A.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Action, NoKiosk, Pass, Place, Reveal, Stop
from polyopolis.games.mycity.building_site import KIOSK
from polyopolis.games.mycity.content import NEWEST, Episode, EpisodeFile, Site, content
from polyopolis.games.mycity.placement_rules import build, empty_city
from polyopolis.games.mycity.state import City, Legacy, Setup, State
from polyopolis.geometry import Board

ETERNAL = content(NEWEST).episodes["eternal"]
EPISODE_1 = content(NEWEST).episodes["episode-01"]
WORDS: dict[str, Action] = {"pass": Pass(), "stop": Stop(), "no kiosk": NoKiosk()}


def episode(number: int) -> Episode:
    return content(NEWEST).episodes[f"episode-{number:02}"]


def field(
    drawing: str, episode: Episode = ETERNAL, holds: EpisodeFile | None = None, gears: Sequence[str] = ()
) -> Episode:
    """Returns the cards and rules of an episode on a small board of its own, with the player's factories."""
    rows, river = _read(drawing)
    board, known = Board(rows, river), holds or replace(episode.rules, terrain={})
    site = Site(
        board,
        {name: shape for name, shape in episode.site.shapes.items() if not gears or not _gone(known, name, gears)},
        known.start,
        known.forest,
        frozenset(f"blue-{gear}" for gear in gears),
    )
    return Episode(known, episode.cards, site, 0, board, 0, episode.fourth)


def _gone(holds: EpisodeFile, card: str, gears: Sequence[str]) -> bool:
    kind, _, shape = card.partition("-")
    return kind in holds.only_with_gear and shape not in gears


def _read(drawing: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    lines = ["".join(line.split()) for line in drawing.strip().splitlines()]
    columns = {line.index("|") for line in lines}
    assert len(columns) == 1, "the river is drawn in one line from top to bottom"
    column = columns.pop()
    return tuple(line.replace("|", "") for line in lines), ((column, 0), (column, len(lines)))


def city(episode: Episode, drawing: str, **cards: str) -> City:
    """Returns the city of a drawing, built in the order of the cards."""
    rows, _ = _read(drawing)
    board = episode.site.board
    cells: dict[str, list[str]] = {letter: [] for letter in cards}
    for name, sign, ground in zip(board.grid.names, "".join(rows), "".join(board.rows), strict=True):
        assert sign in cells or sign == ground, f"{name} is drawn as {sign} and the board has {ground}"
        if sign in cells:
            cells[sign].append(name)
    built = empty_city(episode.site, episode.rules.marker, episode.rules.kiosks)
    for letter, card in cards.items():
        built = build(built, episode.cards.get(card, KIOSK), tuple(cells[letter]))
    return built


def unbuilt_city(episode: Episode) -> City:
    return empty_city(episode.site, episode.rules.marker, episode.rules.kiosks)


def table(
    episode: Episode, *cities: City, card: str | None = None, deck: Sequence[str] = (), mode: str = "eternal"
) -> Match:
    """Returns a match in progress in which the cities build this card and the deck has these cards."""
    seats = frozenset(seat for seat, built in enumerate(cities) if not built.stopped)
    setup = Setup(seats=len(cities)) if mode == "eternal" else Setup(mode="episode", episode=1, seats=len(cities))
    state = State(
        setup=setup,
        episode=episode,
        deck=tuple(known for name, known in episode.cards.items() if name in deck),
        cities=cities,
        acting=seats if card else frozenset({CHANCE}) if deck else frozenset(),
        card=episode.cards[card] if card else None,
        open_races=episode.rules.races,
    )
    return Match(rules, setup, state)


def in_campaign(number: int, match: Match, boards: Sequence[Legacy] = (), triangles: tuple[str, ...] = ()) -> Match:
    """Returns the same position in a campaign, with these boards."""
    seats = len(match.state.cities)
    setup = Setup(mode="episode", episode=number, seats=seats, play="campaign", triangles=triangles or UNSET)
    brought = tuple(boards) or (Legacy(),) * seats
    return Match(rules, setup, replace(match.state, setup=setup, boards=brought, triangles=triangles))


def match_with_rewards(number: int, land: Episode, *cities: City, **kept: Any) -> Match:
    """Returns an episode of a campaign after all have stopped, when stickers and gears are to be placed."""
    match = in_campaign(number, table(land, *cities, card="red-i2"), **kept)
    for seat in range(len(cities)):
        match = match.decide(seat, Stop())
    return match


def opened_match(number: int, seats: int = 2, **given: Any) -> Match:
    """Returns a real episode before its first card."""
    return Match.start(rules, Setup(mode="episode", episode=number, seats=seats, **given))


def finished_match(episode: Episode, *cities: City) -> Match:
    """Returns a finished match with these cities."""
    return table(episode, *cities)


def begin(seats: int = 2, mode: str = "episode") -> Match:
    """Returns a real match before its first card."""
    return Match.start(
        rules, Setup(seats=seats) if mode == "eternal" else Setup(mode="episode", episode=1, seats=seats)
    )


def action(text: str) -> Action:
    """Parses an action: `pass`, `stop`, or the cells to build on."""
    return WORDS.get(text) or Place(tuple(text.split()))


def reveal(match: Match, card: str) -> Match:
    return match.decide(CHANCE, Reveal(card))


def play(match: Match, card: str, *choices: str) -> Match:
    """Plays a round: the card, and a decision of each seat that has not stopped, in seat order."""
    match = reveal(match, card)
    for seat, choice in zip(sorted(match.due), choices, strict=True):
        match = match.decide(seat, action(choice))
    return match


def refusal(match: Match, text: str, seat: int = 0) -> Reason | None:
    """Returns why an action is refused."""
    return match.why_not(seat, action(text))


def points(match: Match, line: str, seat: int = 0) -> tuple[int, int] | None:
    """Returns count and points of a line of a sheet; None if the sheet does not have it."""
    found_lines = [(each.count, each.points) for each in match.result.sheets[seat] if each.line == line]
    assert len(found_lines) < 2
    return found_lines[0] if found_lines else None


def with_passes(built: City, passes: int) -> City:
    return replace(built, passes=passes, marker=built.marker - passes)
