"""Terminal screen of Point City."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from rich.text import Text

from polyopolis.cli.phrases import WORDS_FOLDER, GamePhrases, quantity
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks, Tile
from polyopolis.games.pointcity.actions import Draw, Flip, LineAsDrawn, LineUp, Pay, PickToken, Skip, Take
from polyopolis.games.pointcity.content import MARKET, NEWEST, RESOURCES, TIERS, Card, Kind, content
from polyopolis.games.pointcity.view import CardView, CellView, DeckView, PlayerView, TableView, View

verbs: Mapping[str, Any] = {"draw": Draw(), "skip": Skip(), "drawn": LineAsDrawn()}

SIGNS = {"community": "C", "ecology": "L", "economy": "$", "energy": "E", "industry": "I", "ingenuity": "*"}
STYLES = {
    "community": "bold #ffffff on #7d5ba6",
    "ecology": "bold #ffffff on #4c8a3f",
    "economy": "bold #2c2a29 on #e9b93a",
    "energy": "bold #2c2a29 on #e8853a",
    "industry": "bold #ffffff on #b8417f",
    "ingenuity": "bold #2c2a29 on #d9e4f2",
}
CARD_WIDTH = 17
"""Characters per card of the market."""
PREVIEW_STYLE = "bold #2c2a29 on #fff0a8"


class PointCityPhrases(GamePhrases):
    """Phrases that also name cards, faces and tokens."""

    def card(self, name: str) -> str:
        """Returns the name of a building, or of the face of a resource card."""
        known = content(NEWEST).cards.get(name)
        return self.building(known.title) if known else self.face(name)

    def building(self, title: str) -> str:
        group, _, style = title.rpartition("-")
        return str(self._topic("building")[group][int(style) - 1])

    def face(self, face: str) -> str:
        return self("face", face)

    def _value(self, name: str, value: Any) -> str:
        match name:
            case "cards":
                return ", ".join(map(self.card, value))
            case "face" | "token":
                return self.face(value) if name == "face" else self.line(value)
        return super()._value(name, value)


_words = PointCityPhrases(WORDS_FOLDER / "pointcity.en.toml")
words: GamePhrases = _words


def place(cells: tuple[str, ...]) -> Any:
    """Returns the action that these words name. Cells without a verb are a pair to take."""
    word, *rest = cells
    match word:
        case "flip" | "token" | "line" if len(rest) == 1:
            return {"flip": Flip, "token": PickToken, "line": LineUp}[word](rest[0])
        case "pay":
            return Pay(tuple(rest))
    return Take(cells)


def page(view: View, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    """Draws the market, the deck, the tokens and all players."""
    table = view.table
    lines = [Text(title(view), "bold"), Text(), *_market(table, marks), Text(_legend(), "dim"), Text(_top(table.deck))]
    if table.automa:
        lines.append(Text(words("table", "automa", cells=" ".join(table.automa.cells))))
    lines += [Text(words("table", "buying", card=_words.building(card.title))) for card in table.buying]
    return [*lines, Text(), *_tokens(table, seat), Text(), *_players(table, seat, names)]


def title(view: View) -> str:
    table = view.table
    mode = f"solo-{table.setup.automa}" if table.automa else "several"
    players = len(table.players)
    turns = table.turns + sum(player.turns_left for player in table.players)
    return words("title", mode, turn=min(table.turns, turns - 1) // players + 1, turns=turns // players)


def _market(table: TableView, marks: Marks) -> list[Text]:
    frame = "   +" + "+".join(["-" * CARD_WIDTH] * MARKET.width) + "+"
    lines = [Text("    " + " ".join(f"{letter:^{CARD_WIDTH}}" for letter in "abcd"), "bold"), Text(frame)]
    for row in range(MARKET.height):
        cells = table.market[row * MARKET.width : (row + 1) * MARKET.width]
        drawn = [_cell(cell, marks.get(cell.cell)) for cell in cells]
        for number, parts in enumerate(zip(*drawn, strict=True)):
            margin = f" {row + 1} " if number == 1 else "   "
            lines.append(Text.assemble((margin, "bold"), "|", *_with_separators(parts), "|"))
        lines.append(Text(frame))
    return lines


def _with_separators(parts: Iterable[Text]) -> Iterator[Text | str]:
    for number, part in enumerate(parts):
        yield from ("|", part) if number else (part,)


def _cell(cell: CellView, mark: Tile | None) -> list[Text]:
    """Draws a card in three lines; a mark is in the first."""
    if cell.building:
        body = _building(cell.building)
    elif cell.face:
        body = [_face(cell.face), Text(words("table", "tier-of", tier=cell.tier), "dim"), Text(_kinds(cell), "dim")]
    else:
        body = [Text(""), Text(words("table", "empty"), "dim"), Text("")]
    if mark:
        body[0] = Text.assemble((mark.sign.strip(), mark.style), " ", body[0])
    return [_padded(line) for line in body]


def _building(card: CardView) -> list[Text]:
    return [Text(_words.building(card.title), "bold"), Text.assemble("= ", _cost(card.cost)), Text(_gain(card))]


def _gain(card: CardView) -> str:
    """Returns the benefit of a building."""
    about = {"resource": _words.face(card.resource), "points": quantity("point", card.points), "n": card.points}
    return words("gain", card.kind if card.points or card.kind != "resource" else "bare", **about)


def _kinds(cell: CellView) -> str:
    """Returns the kinds of building that may be behind a face, or an empty text if all kinds may be."""
    return "" if len(cell.kinds) == len(get_args(Kind)) else "/".join(words("kind", kind) for kind in cell.kinds)


def _face(face: str) -> Text:
    resource, _, double = face.partition("-")
    return Text.assemble((SIGNS[resource] * (2 if double else 1), STYLES[resource]), " ", _words.face(face))


def _cost(cost: Mapping[str, int]) -> Text:
    return Text(" ").join(Text(SIGNS[resource] * amount, STYLES[resource]) for resource, amount in cost.items())


def _padded(line: Text) -> Text:
    cut = line.copy()
    cut.truncate(CARD_WIDTH, overflow="ellipsis", pad=True)
    return cut


def _legend() -> str:
    return "   " + "  ".join(f"{sign} {_words.face(resource)}" for resource, sign in SIGNS.items())


def _top(deck: DeckView) -> str:
    if not deck.top:
        return words("table", "no-deck")
    return words("table", "top", face=_words.face(deck.top), tier=deck.tier, cards=quantity("card", deck.cards))


def _tokens(table: TableView, seat: int) -> Iterator[Text]:
    """Draws the tokens, each with its current and its maximal points."""
    yield Text(words("table", "tokens"), "bold")
    for token in table.tokens:
        worth = token.worth[seat] if seat < len(token.worth) else token.worth[0]
        yield Text(f"  {token.token:20} {words.line(token.token):38} {worth.now:>3} .. {worth.most}")
    if table.line:
        yield Text(words("table", "line", tokens=", ".join(table.line)))
    if table.to_line_up:
        yield Text(words("table", "to-line-up", tokens=quantity("token", table.to_line_up)))


def _players(table: TableView, seat: int, names: Sequence[str]) -> Iterator[Text]:
    for number, (name, player) in enumerate(zip(names, table.players, strict=False)):
        score = quantity("point", table.result.scores[number])
        heading = words("table", "player", seat=name, points=score, cards=quantity("building", len(player.city)))
        yield Text(heading, "bold" if number == seat else "")
        yield Text.assemble("  ", words("table", "permanents"), " ", _cost(_nonzero(player.permanents)) or "-")
        yield Text.assemble("  ", words("table", "stock"), " ", _stock(player) or "-")
        if player.tokens:
            yield Text(f"  {words('table', 'own-tokens')} {', '.join(player.tokens)}")


def _nonzero(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}


def _stock(player: PlayerView) -> Text:
    """Draws the cards of a player: `EE` is a double, `E E` are two singles."""
    cards = [face for face, amount in player.stock.items() for _ in range(amount)]
    return Text(" ").join(
        Text(SIGNS[face.removesuffix("-2")] * (2 if face.endswith("-2") else 1), STYLES[face.removesuffix("-2")])
        for face in cards
    )


def board(view: View, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
    """Draws the city of a player, a line for each building."""
    player = view.table.players[seat]
    return [Text(f"  {line}") for line in map(_building_line, player.city)] or [Text(f"  {words('table', 'no-city')}")]


def _building_line(card: CardView) -> str:
    cost = " ".join(SIGNS[resource] * amount for resource, amount in card.cost.items())
    return f"{card.card:15} {_words.building(card.title):26} {cost:10} {_gain(card)}"


def deck(view: View) -> list[Text]:
    """Draws the public knowledge about the deck: for each tier the unseen faces and the kinds that may be behind."""
    found = view.table.deck
    lines = [Text(_top(found), "bold")]
    cards = content(view.table.setup.content).cards
    for tier in TIERS:
        lines += [Text(), Text(words("table", "tier", tier=tier, cards=quantity("card", found.left[tier])), "bold")]
        for face, unshown in found.unshown[tier].items():
            kinds = Counter(kind for name, n in unshown.items() for kind in [cards[name].kind] * n)
            behind = ", ".join(f"{n} {words('kind', kind)}" for kind, n in kinds.items())
            lines.append(Text.assemble("  ", _face(face), f": {found.unseen[tier].get(face, 0)}; {behind}"))
    return lines


def preview(view: View, seat: int, action: Any) -> Marks:
    """Returns the cards that an action would take or turn."""
    match action:
        case Take(cells):
            return dict.fromkeys(cells, Tile(">> ", PREVIEW_STYLE))
        case Flip(at):
            return {at: Tile("<> ", PREVIEW_STYLE)}
    return {}


def counts(covered: Counter[str]) -> Marks:
    """Returns tiles that show for each card the number of choices with it."""
    return {cell: Tile(f"{n:^3}", PREVIEW_STYLE) for cell, n in covered.items() if cell in MARKET}


def boards(version: int) -> Mapping[str, Sequence[Card]]:
    """Returns the cards of each tier; Point City has no boards."""
    cards = content(version).cards.values()
    return {f"tier-{tier}": [card for card in cards if card.side.tier == tier] for tier in TIERS}


def drawn(board: Sequence[Card]) -> list[Text]:
    """Draws a line for each card."""
    return [Text.assemble(*_card_line(card)) for card in board] + [Text(_legend())]


def _card_line(card: Card) -> Iterator[str | Text]:
    cost: dict[str, int] = {RESOURCES[resource]: amount for resource, amount in card.cost}
    face = _face(card.side.face)
    face.pad_right(24 - face.cell_len)
    yield from (f"{card.name:16}{'x2' if card.copies == 2 else '':4}", face, f"{_words.building(card.title):28}")
    yield from (_cost(cost), " " * (12 - _cost(cost).cell_len), words("kind", card.kind), f" {card.points or ''}")


def contents(version: int) -> Iterator[str]:
    """Yields a line for each tier and number of seats of a version, and one for the tokens."""
    material = content(version)
    for tier in TIERS:
        own = [card for card in material.cards.values() if card.side.tier == tier]
        kinds = Counter(kind for card in own for kind in [card.kind] * card.copies)
        counted = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
        yield f"pointcity v{version} tier {tier}: {sum(card.copies for card in own)} cards; {counted}"
    yield f"pointcity v{version} tokens: {len(material.tokens)}"
    for seats, layout in material.layouts.items():
        left = material.size - sum(layout.removed)
        yield f"pointcity v{version} {quantity('seat', seats)}: {left} cards, {layout.tokens} tokens"
