"""Terminal screen of My City."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from rich.text import Text

from polyopolis.cli.phrases import WORDS_FOLDER, GamePhrases, phrase, quantity
from polyopolis.cli.terminal import placing_screen
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks, Tile, max_width
from polyopolis.cli.terminal.placing_screen import counts
from polyopolis.games.mycity.actions import Kiosk, NoKiosk, Pass, Place, Sticker, Stop
from polyopolis.games.mycity.content import FOURTH_CHURCH, SIGNS, STICKER_SIGNS, Content, Episode, content
from polyopolis.games.mycity.view import CityView, TableView, View
from polyopolis.geometry import Board

__all__ = [
    "board", "boards", "contents", "counts", "deck", "drawn", "page", "place", "preview", "verbs", "words",
]  # fmt: skip

words = GamePhrases(WORDS_FOLDER / "mycity.en.toml")
verbs: Mapping[str, Any] = {
    "pass": Pass(),
    "stop": Stop(),
    "no kiosk": NoKiosk(),
}
place = Place

TERRAIN = {
    "empty": Tile(" · "),
    "tree": Tile(" ♣ ", "bold #2f6b2f on #d5e6b6"),
    "trees": Tile("♣ ♣", "bold #2f6b2f on #d5e6b6"),
    "rocks": Tile("o o", "bold #5d5d63 on #d5e6b6"),
    "gold": Tile(" $ ", "bold #9a6a00 on #d5e6b6"),
    "well": Tile("(w)", "bold #1d6fa5 on #d5e6b6"),
    "mountain": Tile(" ▲ ", "#f2f2f4 on #8b8b93", "mountain"),
    "forest": Tile(" ♠ ", "#d5e6b6 on #456b40", "forest"),
    "water": Tile(" ~ ", "#1d6fa5 on #b9d7ea", "water"),
    "blue-entrance": Tile("[b]", "bold #3f7fbf on #8b8b93", "entrance"),
    "red-entrance": Tile("[r]", "bold #c9493f on #8b8b93", "entrance"),
    "yellow-entrance": Tile("[y]", "bold #e9b93a on #8b8b93", "entrance"),
    "sawmill": Tile(" S ", "bold #ffffff on #7a5230", "sawmill", True),
    "port": Tile(" P ", "bold #ffffff on #7a5230", "port", True),
    "palace": Tile(" H ", "bold #ffffff on #c9493f", "palace", True),
}
KINDS = {
    "yellow": Tile(" ⌂ ", "bold #2c2a29 on #e9b93a"),
    "red": Tile(" Π ", "bold #ffffff on #c9493f"),
    "blue": Tile(" ☼ ", "bold #ffffff on #3f7fbf"),
    "church": Tile(" † ", "bold #ffffff on #7d5ba6"),
    "block": Tile(" ✗ ", "bold"),
}
SIGN_OF_STICKER = {str(kind): sign for kind, sign in STICKER_SIGNS.items()}
BY_SIGN = {sign: TERRAIN[name] for sign, name in SIGNS.items()}


def boards(version: int) -> Mapping[str, Board]:
    return content(version).boards


def drawn(board: Board) -> list[Text]:
    """Draws an empty board with a legend."""
    return [*placing_screen.draw_board(board, BY_SIGN, {}), *_legend(board.signs)]


def board(view: View, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
    """Draws the board of a seat at full size."""
    return placing_screen.draw_board(_land(view.table, seat), BY_SIGN, {**_bodies(view.table.cities[seat]), **marks})


def _land(table: TableView, seat: int) -> Board:
    return Board(table.cities[seat].rows, table.river)


def _bodies(city: CityView) -> dict[str, Tile]:
    return {
        cell: _body(building.card)._replace(body=building.cells)
        for building in city.buildings
        for cell in building.cells
    }


def _body(card: str) -> Tile:
    """Returns the tile of the building of a card."""
    return KINDS[kind_of(card)]._replace(body=card, walled=True)


def kind_of(card: str) -> str:
    return card.partition("-")[0]


def legend(view: View) -> list[Text]:
    """Draws the legend for all signs on the boards."""
    return _legend(frozenset("".join(row for city in view.table.cities for row in city.rows)))


def _legend(signs: frozenset[str]) -> list[Text]:
    terrain = [(TERRAIN[name], words("terrain", name)) for sign, name in SIGNS.items() if sign in signs]
    kinds = [(KINDS[kind], words("kind", kind)) for kind in ("yellow", "red", "blue", "church")]
    rest = [terrain[at : at + 4] for at in range(4, len(terrain), 4)]
    return [placing_screen.legend_line(part) for part in (terrain[:4], *rest, kinds)]


def preview(view: View, seat: int, action: Any) -> Marks:
    """Returns the cells of the building or sticker that an action would place."""
    if isinstance(action, Kiosk):
        return {action.cell: placing_screen.preview_tile(_body("yellow-kiosk"))}
    if isinstance(action, Sticker):
        return {action.cell: placing_screen.preview_tile(BY_SIGN[SIGN_OF_STICKER[action.kind]])}
    card = view.table.card
    if not isinstance(action, Place) or card is None:
        return {}
    return dict.fromkeys(action.cells, placing_screen.preview_tile(_body(card)))


def page(view: View, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    """Draws the table as seen by a seat: its board, and a panel beside or below it."""
    ground, panel = [*board(view, seat, marks), *legend(view)], [*_panel(view.table, seat, names)]
    return placing_screen.page(title(view), ground, panel, width)


def title(view: View) -> str:
    setup = view.table.setup
    number = len(view.table.revealed)
    about = {"number": number, "cards": number + len(view.table.remaining)}
    return words("title", setup.mode, **about, episode="" if setup.episode is UNSET else setup.episode)


def _panel(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    if table.card:
        yield Text(words.card(table.card), "bold")
        yield from placing_screen.draw_shape(_body(table.card), table.shape or table.cities[seat].fourth or "")
    yield from _question(table, seat)
    yield Text()
    yield from _standings(table, seat, names)
    yield Text()
    yield from _remaining(table.remaining)
    yield Text()
    yield from _others(table, seat, names)


def _question(table: TableView, seat: int) -> Iterator[Text]:
    """Yields the question to a seat that decides on a kiosk or a reward instead of a building."""
    legacy = table.cities[seat].legacy
    if table.asks == "kiosk" and seat in table.acting:
        yield Text(words("asks", "kiosk"), "bold")
    if table.asks == "reward" and legacy and legacy.rewards:
        yield Text(words("asks", "reward", reward=words("reward", legacy.rewards[0])), "bold")
        if legacy.rewards[0] == "gear":
            yield Text(" ".join(choice for choice in _shapes(table) if choice not in legacy.gears))


def _shapes(table: TableView) -> list[str]:
    return [card.removeprefix("blue-") for card in table.shapes if kind_of(card) == "blue"]


def _standings(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    wide = max(map(len, names))
    yield Text(f"{'':{wide}}  {phrase('table', 'now'):>4} {phrase('table', 'marker'):>7}", "dim")
    for other, (name, city) in enumerate(zip(names, table.cities, strict=True)):
        score = table.result.scores[other]
        yield Text(f"{name:{wide}}  {score:>4} {city.marker:>7}", "bold" if other == seat else "")
        if city.stopped:
            yield Text(f"{'':{wide}}  {phrase('table', 'stopped')}", "dim")


def _remaining(cards: Sequence[str]) -> Iterator[Text]:
    yield Text(phrase("table", "deck", cards=quantity("card", len(cards))))
    for kind, tile in KINDS.items():
        names = [card.partition("-")[2] or words("kind", kind) for card in cards if kind_of(card) == kind]
        if names:
            yield Text.assemble((tile.sign.strip(), tile.style), " ", " ".join(names))


def _others(table: TableView, seat: int, names: Sequence[str]) -> list[Text]:
    """Draws the boards of the other players at small size."""
    others = [other for other in range(len(names)) if other != seat]
    return placing_screen.draw_row(
        [_small(table, other, names[other], cell=2 if len(others) == 1 else 1) for other in others], gap=2
    )


def _small(table: TableView, seat: int, name: str, cell: int) -> list[Text]:
    drawing = placing_screen.draw_small_board(_land(table, seat), BY_SIGN, _bodies(table.cities[seat]), cell)
    return [Text(name[: max_width(drawing)], "bold"), *drawing]


def deck(view: View) -> list[Text]:
    """Draws the cards to come, grouped by kind."""
    table = view.table
    lines = [Text(phrase("table", "deck", cards=quantity("card", len(table.remaining))), "bold")]
    own = table.cities[view.seat or 0]
    drawings = {**table.shapes, FOURTH_CHURCH: own.fourth}
    for kind in KINDS:
        shapes = [(name, drawings.get(name)) for name in table.remaining if kind_of(name) == kind]
        if shapes:
            lines += [
                Text(),
                Text(words("kind", kind), "bold"),
                *placing_screen.draw_row(_small_shape(*found) for found in shapes),
            ]
    return lines


def _small_shape(card: str, drawing: str | None) -> list[Text]:
    if drawing is None:
        return [Text("✗")]
    return [
        Text(words("shape", card.partition("-")[2]), "dim"),
        *placing_screen.draw_small_shape(KINDS[kind_of(card)], drawing),
    ]


def contents(version: int) -> Iterator[str]:
    """Yields a line for each board and each episode of a version."""
    material = content(version)
    for name in material.boards:
        yield f"mycity v{version} board {name}: {_summary(material, name)}"
    for name, episode in material.episodes.items():
        yield f"mycity v{version} {name}: {_episode_summary(episode)}"


def _summary(material: Content, name: str) -> str:
    land = material.boards[name]
    ground = land.where("".join(sign for sign, kind in SIGNS.items() if TERRAIN[kind].body is None))
    return placing_screen.board_summary(land, ground)


def _episode_summary(episode: Episode) -> str:
    lines = ", ".join(counting.line for counting in episode.rules.counting)
    return f"{len(episode.cards)} cards on board {episode.rules.board}; counting {lines}"
