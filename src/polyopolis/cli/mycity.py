"""My City in the terminal: its board, its table, its material."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from rich.text import Text

from polyopolis.cli.drawing import NO_MARKS, OUTSIDE, Marks, Picture, Tile, beside, widest
from polyopolis.cli.words import Words, count, say
from polyopolis.games.mycity.actions import Pass, Place, Stop
from polyopolis.games.mycity.content import NEWEST, SIGNS, Content, Episode, content
from polyopolis.games.mycity.view import BuildingView, CityView, TableView, View
from polyopolis.geometry import Board, Shape

words = Words("mycity")
versions = range(1, NEWEST + 1)
verbs: Mapping[str, Any] = {"pass": Pass(), "stop": Stop()}
place = Place

TERRAIN = {
    "empty": Tile(" · "),
    "trees": Tile("♣ ♣", "bold #2f6b2f on #d5e6b6"),
    "rocks": Tile("o o", "bold #5d5d63 on #d5e6b6"),
    "gold": Tile(" $ ", "bold #9a6a00 on #d5e6b6"),
    "well": Tile("(w)", "bold #1d6fa5 on #d5e6b6"),
    "mountain": Tile(" ▲ ", "#f2f2f4 on #8b8b93", "mountain"),
    "forest": Tile(" ♠ ", "#d5e6b6 on #456b40", "forest"),
}
KINDS = {
    "yellow": Tile(" ⌂ ", "bold #2c2a29 on #e9b93a"),
    "red": Tile(" Π ", "bold #ffffff on #c9493f"),
    "blue": Tile(" ☼ ", "bold #ffffff on #3f7fbf"),
    "church": Tile(" † ", "bold #ffffff on #7d5ba6"),
    "block": Tile(" ✗ ", "bold"),
}
MARKED = "bold #2c2a29 on #fff0a8"


def boards(version: int) -> Mapping[str, Board]:
    return content(version).boards


def drawn(board: Board) -> list[Text]:
    """A board without buildings, with what its signs mean."""
    return [*_picture(board.rows, board.river, (), {}), *_legend(board.signs)]


def board(view: View, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
    """The board of a seat in full."""
    table = view.table
    return _picture(table.rows, table.river, table.cities[seat].buildings, marks)


def _picture(
    rows: Sequence[str], river: Sequence[tuple[int, int]], buildings: Iterable[BuildingView], marks: Marks
) -> list[Text]:
    land = Board(tuple(rows), tuple(river))
    tiles = dict(zip(land.grid.names, (TERRAIN[SIGNS[sign]] for row in rows for sign in row), strict=True))
    for building in buildings:
        tiles |= dict.fromkeys(building.cells, _body(building.card))
    tiles |= marks
    names, width = land.grid.names, land.grid.width
    grid = [[tiles[name] for name in names[at : at + width]] for at in range(0, len(names), width)]
    return Picture(grid, land.river_edges).lines()


def _body(card: str) -> Tile:
    """A building, known by its card: no two of a city are alike."""
    return KINDS[kind_of(card)]._replace(body=card, walled=True)


def kind_of(card: str) -> str:
    return card.partition("-")[0]


def legend(view: View) -> list[Text]:
    """What the signs on the board mean."""
    return _legend(frozenset("".join(view.table.rows)))


def _legend(signs: frozenset[str]) -> list[Text]:
    terrain = [(TERRAIN[name], words("terrain", name)) for sign, name in SIGNS.items() if sign in signs]
    kinds = [(KINDS[kind], words("kind", kind)) for kind in ("yellow", "red", "blue", "church")]
    return [_named(part) for part in (terrain[:4], terrain[4:], kinds)]


def _named(tiles: Iterable[tuple[Tile, str]]) -> Text:
    return Text("  ").join(Text.assemble((tile.sign.strip(), tile.style), f" {name}") for tile, name in tiles)


def preview(view: View, seat: int, action: Any) -> Marks:
    """The building that would be built."""
    card = view.table.card
    if not isinstance(action, Place) or card is None:
        return {}
    tile = _body(card)
    return dict.fromkeys(action.cells, tile._replace(sign=tile.sign.replace(" ", "+"), style=MARKED))


def counts(covered: Counter[str]) -> Marks:
    """For each cell how many places cover it."""
    return {cell: Tile(f"{n:^3}", MARKED, "marked") for cell, n in covered.items()}


def page(view: View, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    """The table as a seat sees it: its board, and beside it, if there is room, all that is known."""
    ground, panel = [*board(view, seat, marks), *legend(view)], [*_panel(view.table, seat, names)]
    fits = widest(ground) + 3 + widest(panel) <= width
    table = beside(ground, panel) if fits else [*ground, Text(), *panel]
    return [Text(title(view), "bold"), Text(), *table]


def title(view: View) -> str:
    setup = view.table.setup
    number = len(view.table.revealed)
    about = {"number": number, "cards": number + len(view.table.remaining)}
    return words("title", setup.mode, **about, episode="" if setup.episode is UNSET else setup.episode)


def _panel(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    if table.card:
        yield Text(words.card(table.card), "bold")
        yield from _shape(table.card, table.shape or "")
    yield Text()
    yield from _standings(table, seat, names)
    yield Text()
    yield from _remaining(table.remaining)
    yield Text()
    yield from _others(table, seat, names)


def _shape(card: str, shape: str) -> list[Text]:
    tile = _body(card)
    return Picture([[tile if sign == "#" else OUTSIDE for sign in row] for row in shape.split()], framed=False).body()


def _standings(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    wide = max(map(len, names))
    yield Text(f"{'':{wide}}  {say('table', 'now'):>4} {say('table', 'marker'):>7}", "dim")
    for other, (name, city) in enumerate(zip(names, table.cities, strict=True)):
        score = table.result.scores[other]
        yield Text(f"{name:{wide}}  {score:>4} {city.marker:>7}", "bold" if other == seat else "")
        if city.stopped:
            yield Text(f"{'':{wide}}  {say('table', 'stopped')}", "dim")


def _remaining(cards: Sequence[str]) -> Iterator[Text]:
    yield Text(say("table", "deck", cards=count("card", len(cards))))
    for kind, tile in KINDS.items():
        names = [card.partition("-")[2] or words("kind", kind) for card in cards if kind_of(card) == kind]
        if names:
            yield Text.assemble((tile.sign.strip(), tile.style), " ", " ".join(names))


def _others(table: TableView, seat: int, names: Sequence[str]) -> list[Text]:
    """The boards of the others, small."""
    others = [other for other in range(len(names)) if other != seat]
    found: list[Text] = []
    for other in others:
        small = _small(table.rows, table.cities[other], cell=2 if len(others) == 1 else 1)
        heading = Text(names[other][: widest(small)], "bold")
        found = beside(found, [heading, *small], gap=2) if found else [heading, *small]
    return found


def _small(rows: Sequence[str], city: CityView, cell: int) -> list[Text]:
    names = Board(tuple(rows)).grid.names
    tiles = [TERRAIN[SIGNS[sign]] for row in rows for sign in row]
    for building in city.buildings:
        for name in building.cells:
            tiles[names.index(name)] = KINDS[kind_of(building.card)]
    width = len(rows[0])
    return [
        Text.assemble(*((f"{tile.sign.strip(' ()')[0]:{cell}}", tile.style) for tile in tiles[at : at + width]))
        for at in range(0, len(tiles), width)
    ]


def deck(view: View) -> list[Text]:
    """The cards to come, drawn, a line for each kind."""
    table = view.table
    lines = [Text(say("table", "deck", cards=count("card", len(table.remaining))), "bold")]
    cards = content(table.setup.content).cards
    for kind in KINDS:
        shapes = [(name, cards[name].shape) for name in table.remaining if kind_of(name) == kind]
        if shapes:
            lines += [Text(), Text(words("kind", kind), "bold"), *_row([_small_shape(*found) for found in shapes])]
    return lines


def _row(drawings: Iterable[list[Text]]) -> list[Text]:
    found: list[Text] = []
    for drawing in drawings:
        found = beside(found, drawing) if found else drawing
    return found


def _small_shape(card: str, shape: Shape | None) -> list[Text]:
    if shape is None:
        return [Text("✗")]
    tile = KINDS[kind_of(card)]
    square = tile.sign.strip() * 2
    rows = str(shape).split("\n")
    drawing = [Text.assemble(*((square, tile.style) if sign == "#" else ("  ", "") for sign in row)) for row in rows]
    return [Text(words("shape", card.partition("-")[2]), "dim"), *drawing]


def contents(version: int) -> Iterator[str]:
    """All material of a version, a line for each board and each episode."""
    material = content(version)
    for name in material.boards:
        yield f"mycity v{version} board {name}: {_land(material, name)}"
    for name, episode in material.episodes.items():
        yield f"mycity v{version} {name}: {_cards(episode)}"


def _land(material: Content, name: str) -> str:
    land = material.boards[name]
    ground = land.where("".join(sign for sign, kind in SIGNS.items() if TERRAIN[kind].body is None))
    banks = " + ".join(str((bank & ground).bit_count()) for bank in land.banks)
    return f"{land.grid.width} x {land.grid.height}, {ground.bit_count()} buildable cells, {banks} on its banks"


def _cards(episode: Episode) -> str:
    lines = ", ".join(counting.line for counting in episode.rules.counting)
    return f"{len(episode.cards)} cards on board {episode.rules.board}; counting {lines}"
