"""Terminal screen of Roll & Write."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.text import Text

from polyopolis.cli.phrases import WORDS_FOLDER, GamePhrases, phrase, quantity
from polyopolis.cli.terminal import placing_screen
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks, Tile, beside, max_width
from polyopolis.cli.terminal.placing_screen import counts
from polyopolis.games.rollwrite.actions import Pass, Place, Stop
from polyopolis.games.rollwrite.content import COMPASS, GROUND, SIGNS, TYPES, Episode, content
from polyopolis.games.rollwrite.view import CityView, RollView, TableView, View
from polyopolis.geometry import Board, Shape

__all__ = [
    "board", "boards", "contents", "counts", "deck", "drawn", "page", "place", "preview", "verbs", "words",
]  # fmt: skip

words = GamePhrases(WORDS_FOLDER / "rollwrite.en.toml")
verbs: Mapping[str, Any] = {"pass": Pass(), "stop": Stop()}
place = Place

KINDS = {
    "residential": Tile(" ⌂ ", "bold #2c2a29 on #e9b93a"),
    "industrial": Tile(" ☼ ", "bold #ffffff on #3f7fbf"),
    "administrative": Tile(" Π ", "bold #ffffff on #c9493f"),
    "church": Tile(" † ", "bold #ffffff on #7d5ba6"),
    "fort": Tile(" ♜ ", "bold #ffffff on #4a4a52"),
    "sawmill": Tile(" ≡ ", "bold #ffffff on #8a5a2b"),
}
BANDIT = Tile(" ! ", "bold #ffffff on #a3262a")
CAUGHT = Tile(" ✗ ", "#ffffff on #8b8b93")
TERRAIN = {
    "empty": Tile(" · "),
    "trees": Tile("♣ ♣", "bold #2f6b2f on #d5e6b6"),
    "rocks": Tile("o o", "bold #5d5d63 on #d5e6b6"),
    "well": Tile("(w)", "bold #1d6fa5 on #d5e6b6"),
    "plains": Tile(" ∩ ", "bold #7a5c1e on #e8e2a8"),
    "gold": Tile(" $ ", "bold #9a6a00 on #d5e6b6"),
    "forest": Tile(" ♠ ", "#d5e6b6 on #456b40", "forest"),
    "mountain": Tile(" ▲ ", "#f2f2f4 on #8b8b93", "mountain"),
    "flood": Tile(" ≈ ", "#e8f4fb on #3b8fc4", "flood"),
    "bandit": BANDIT,
    "church": KINDS["church"],
    "sawmill": KINDS["sawmill"],
    "fort": KINDS["fort"],
}
BY_SIGN = {sign: TERRAIN[name] for sign, name in SIGNS.items()}
MAX_OTHER_SHEETS = 3
"""The sheets of other players are not drawn if there are more than this."""


def boards(version: int) -> Mapping[str, Board]:
    return {f"episode-{number}": episode.board for number, episode in content(version).episodes.items()}


def drawn(board: Board) -> list[Text]:
    """Draws an empty sheet with a legend."""
    return [*placing_screen.draw_board(board, BY_SIGN, {}), *_legend(board.signs)]


def board(view: View, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
    """Draws the sheet of a seat at full size."""
    return placing_screen.draw_board(_land(view.table), BY_SIGN, {**_bodies(view.table.cities[seat]), **marks})


def _land(table: TableView) -> Board:
    return Board(table.rows, table.river)


def _bodies(city: CityView) -> dict[str, Tile]:
    found = dict.fromkeys(city.bandits, BANDIT) | dict.fromkeys(city.caught, CAUGHT)
    for number, building in enumerate(city.buildings):
        found |= dict.fromkeys(building.cells, KINDS[building.kind]._replace(body=number, walled=True))
    return found


def _legend(signs: frozenset[str]) -> list[Text]:
    terrain = [(TERRAIN[name], words("terrain", name)) for sign, name in SIGNS.items() if sign in signs]
    kinds = [(KINDS[kind], words("kind", kind)) for kind in TYPES]
    return [placing_screen.legend_line(part) for part in (terrain[:5], terrain[5:], kinds) if part]


def preview(view: View, seat: int, action: Any) -> Marks:
    """Returns the cells of the building that an action would place."""
    roll = view.table.roll
    if not isinstance(action, Place) or roll is None:
        return {}
    return dict.fromkeys(action.cells, placing_screen.preview_tile(_tile(roll.kind)))


def _tile(kind: str) -> Tile:
    """Returns the tile of a building that is not on the sheet yet."""
    return KINDS[kind]._replace(body="new", walled=True)


def page(view: View, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    """Draws the table as seen by a seat."""
    ground = [*board(view, seat, marks), *_legend(frozenset("".join(view.table.rows)))]
    return placing_screen.page(title(view), ground, [*_panel(view.table, seat, names)], width)


def title(view: View) -> str:
    return words("title", "episode", episode=view.table.setup.episode, number=view.table.rolls)


def _panel(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    if table.roll:
        yield from _roll(table.roll)
        yield Text()
    yield from _circles(table, seat)
    yield from _compass_row(table)
    yield from _races(table)
    yield Text()
    yield from _standings(table, seat, names)
    yield Text()
    yield from _others(table, seat, names)


def _roll(roll: RollView) -> Iterator[Text]:
    """Draws the dice, and the building that they show."""
    yield Text(words("dice", "faces", faces=" | ".join(words("face", face) for face in roll.faces)), "dim")
    yield Text(words("kind", roll.kind), "bold")
    dice = [Text(row.replace("#", "▣ ").replace(".", "· ")) for row in roll.joined.split()]
    yield from beside(dice, placing_screen.draw_shape(_tile(roll.kind), roll.shape))


def _circles(table: TableView, seat: int) -> Iterator[Text]:
    """Draws the row of circles for passing. The last ticked circle counts."""
    if not table.passing:
        yield Text(words("row", "no-passing"))
        return
    ticked = table.cities[seat].circles
    circles = (f"{'●' if number < ticked else '○'}{cost}" for number, cost in enumerate(table.passing))
    yield Text(words("row", "passing", circles=" ".join(circles)))


def _compass_row(table: TableView) -> Iterator[Text]:
    """Draws the next buildings of the compass."""
    if compass := table.compass:
        left = compass.row[compass.used :]
        yield Text(words("row", compass.builds if left else "used"))
        if left:
            yield from placing_screen.draw_row(
                placing_screen.draw_small_shape(KINDS[compass.builds], shape) for shape in left
            )


def _races(table: TableView) -> Iterator[Text]:
    for race in table.races:
        state = "open" if race.open else "won"
        yield Text(words("row", f"race-{state}", race=words("race", race.race), points=quantity("point", race.points)))


def _standings(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    wide = max(map(len, names))
    purses = words("table", "purses") if table.purses else ""
    yield Text(f"{'':{wide}}  {phrase('table', 'now'):>4}  {purses}", "dim")
    for other, (name, city) in enumerate(zip(names, table.cities, strict=True)):
        shown = f"{city.purses:>{len(purses)}}" if table.purses else ""
        stopped = phrase("table", "stopped") if city.stopped else ""
        line = f"{name:{wide}}  {table.result.scores[other]:>4}  {shown} {stopped}"
        yield Text(line.rstrip(), "bold" if other == seat else "")


def _others(table: TableView, seat: int, names: Sequence[str]) -> list[Text]:
    """Draws the sheets of the other players at small size, unless they are too many."""
    others = [other for other in range(len(names)) if other != seat]
    if len(others) > MAX_OTHER_SHEETS:
        return [Text(words("table", "many"), "dim")]
    return placing_screen.draw_row(
        [_small(table, other, names[other], cell=2 if len(others) == 1 else 1) for other in others], gap=2
    )


def _small(table: TableView, seat: int, name: str, cell: int) -> list[Text]:
    drawing = placing_screen.draw_small_board(_land(table), BY_SIGN, _bodies(table.cities[seat]), cell)
    return [Text(name[: max_width(drawing)], "bold"), *drawing]


def deck(view: View) -> list[Text]:
    """Draws the probability of each shape, and the next buildings of the compass."""
    table = view.table
    compass = table.compass and table.compass.used < len(table.compass.row)
    likely: dict[str, Fraction] = {}
    dice = content(table.setup.content).dice
    whole = sum(weight for _, weight in dice.odds)
    for roll, weight in dice.odds:
        first, second, _ = roll.faces
        shape = "" if compass and second == COMPASS else _flattest(dice.shapes[first, second])
        likely[shape] = likely.get(shape, Fraction()) + Fraction(36 * weight, whole)
    return [Text(words("dice", "odds"), "bold"), *_chances(likely), Text(), *_compass_row(table)]


def _flattest(shape: Shape) -> str:
    """Returns the orientation of a shape with the fewest rows, so that all its orientations are drawn alike."""
    return min(map(str, shape.orientations()), key=lambda drawing: (drawing.count("\n"), drawing))


def _chances(likely: Mapping[str, Fraction]) -> list[Text]:
    """Draws the shapes with their chances in 36, the most likely first."""
    ordered = sorted(((-chance, shape) for shape, chance in likely.items() if shape))
    drawings = [
        [Text(str(-chance), "dim"), *placing_screen.draw_small_shape(KINDS["residential"], shape)]
        for chance, shape in ordered
    ]
    lines = placing_screen.draw_row(drawings)
    if "" in likely:
        lines.append(Text(words("dice", "compass", chance=likely[""])))
    return lines


def contents(version: int) -> Iterator[str]:
    """Yields a line for each episode of a version."""
    for number, episode in content(version).episodes.items():
        yield f"rollwrite v{version} episode {number}: {_summary(episode)}"


def _summary(episode: Episode) -> str:
    ground = episode.board.where(GROUND + ("#" if "forest" in episode.rules.builds_on else ""))
    lines = ", ".join(counting.line for counting in episode.rules.counting)
    return f"{placing_screen.board_summary(episode.board, ground)}; counting {lines}"
