"""Positions drawn as text, for tests.

A drawing has a line for each row and a character for each cell; `|` is a river that runs straight from top to bottom.
In the drawing of a city, capital letters that are no terrain are buildings: `A="industrial"` is the kind of A.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Action, Pass, Place, Roll, Stop
from polyopolis.games.rollwrite.content import Episode, Kind, Task, content
from polyopolis.games.rollwrite.placement_rules import build, empty_city
from polyopolis.games.rollwrite.state import City, Setup, State
from polyopolis.geometry import Board

EPISODES = content().episodes
WORDS: dict[str, Action] = {"pass": Pass(), "stop": Stop()}
DICE = {
    "i1": ("single", "blank"),
    "i2": ("vertical", "blank"),
    "i3": ("single", "horizontal"),
    "l3": ("corner", "blank"),
    "o4": ("vertical", "vertical"),
    "l4": ("vertical", "horizontal"),
    "i4": ("horizontal", "horizontal"),
    "u5": ("corner", "vertical"),
    "l5": ("corner", "horizontal"),
    "compass": ("single", "compass"),
}
"""A pair of faces for each shape, and one with the compass."""


def field(drawing: str, number: int = 1) -> Episode:
    """Returns the rules of an episode on a small sheet of its own."""
    rows, river = _read(drawing)
    known = EPISODES[number]
    return Episode(number, known.rules, Board(rows, river), known.dice, known.row)


def _read(drawing: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    lines = ["".join(line.split()) for line in drawing.strip().splitlines()]
    columns = {line.index("|") for line in lines}
    assert len(columns) == 1, "the river is drawn in one line from top to bottom"
    column = columns.pop()
    return tuple(line.replace("|", "") for line in lines), ((column, 0), (column, len(lines)))


def unbuilt_city(episode: Episode, carried: str = "") -> City:
    return empty_city(episode, episode.site.grid.mask(carried.split()))


def city(episode: Episode, drawing: str, carried: str = "", **kinds: Kind) -> City:
    """Returns the city of a drawing, built in the order of the kinds."""
    rows, _ = _read(drawing)
    board = episode.board
    cells: dict[str, list[str]] = {letter: [] for letter in kinds}
    for name, sign, ground in zip(board.grid.names, "".join(rows), "".join(board.rows), strict=True):
        assert sign in cells or sign == ground, f"{name} is drawn as {sign} and the sheet has {ground}"
        if sign in cells:
            cells[sign].append(name)
    built = unbuilt_city(episode, carried)
    for letter, kind in kinds.items():
        built = build(built, _task(episode, kind, tuple(cells[letter])), tuple(cells[letter]))
    return built


def _task(episode: Episode, kind: Kind, cells: tuple[str, ...]) -> Task:
    shape = next(shape for shape, places in episode.site.places.items() if cells in places)
    return Task(kind, shape, episode.site.places[shape])


def table(episode: Episode, *cities: City, compasses: int = 0) -> Match:
    """Returns a match in progress before a roll."""
    setup = Setup(episode=episode.number, seats=len(cities))
    over = all(sheet.stopped for sheet in cities)
    state = State(
        setup=setup,
        episode=episode,
        cities=cities,
        acting=frozenset() if over else frozenset({CHANCE}),
        compasses=compasses,
        open_races=episode.rules.races,
    )
    return Match(rules, setup, state)


def begin(episode: int = 1, seats: int = 2, bandits: tuple[tuple[str, ...], ...] | UnsetType = UNSET) -> Match:
    return Match.start(rules, Setup(episode=episode, seats=seats, bandits=bandits))


def action(text: str) -> Action:
    """Parses an action: `pass`, `stop`, or the cells to build on."""
    return WORDS.get(text) or Place(tuple(text.split()))


def faces(shape: str, kind: str = "residential") -> tuple[str, str, str]:
    return (*DICE[shape], kind)


def roll(match: Match, shape: str, kind: str = "residential") -> Match:
    """Returns the match after a roll of a building of this shape and type, or of the compass."""
    return match.decide(CHANCE, Roll(faces(shape, kind)))


def play(match: Match, rolled: str, *choices: str) -> Match:
    """Plays a round: the dice, such as `i2 industrial`, and a decision of each seat that has not stopped."""
    match = roll(match, *rolled.split())
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


def with_circles(sheet: City, circles: int) -> City:
    return replace(sheet, circles=circles)


def offered_places(match: Match, seat: int = 0) -> set[str]:
    """Returns the placements that a seat may choose, as text."""
    return {" ".join(choice.cells) for choice in rules.legal(match.state, seat) if isinstance(choice, Place)}
