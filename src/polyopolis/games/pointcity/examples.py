"""Example position for the rules pages: a market in which readers try which cards can be taken together."""

from msgspec.structs import replace

from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Draw, Flip
from polyopolis.games.pointcity.content import FACES, MARKET, Card, Content, Side, content
from polyopolis.games.pointcity.market import PAIRS, reveal_building, reveal_face
from polyopolis.games.pointcity.scoring import with_permanents
from polyopolis.games.pointcity.state import Deck, Setup, State
from polyopolis.games.rule_examples import Example

SHOWN = """
energy           industry     community           ecology
a6-industry      economy      a10-community       energy
community        a11-ecology  ecology             a1-energy
economy          energy       industry            community
"""
"""The market row by row: a resource, or the card of a building."""
TOP = "ecology"
STOCK = {"economy": 1, "energy": 1, "ingenuity": 1}
BUILT = ("a1-industry",)


def examples(version: int) -> tuple[Example, ...]:
    """Returns an example for turning a card (PC-6), taking two (PC-7) and paying for them (PC-9 to PC-12)."""
    actions = (*(take for take, *_ in PAIRS), Draw(), *(Flip(cell) for cell in MARKET.names))
    return (Example("market", _state(version), actions),)


def _state(version: int) -> State:
    material = content(version)
    begun = rules.start(Setup(seats=2, content=version))
    market, deck = _laid(material, begun.deck)
    top, deck = reveal_face(deck, TOP)
    city = tuple(material.cards[name] for name in BUILT)
    player = replace(
        begun.players[0],
        stock=tuple(STOCK.get(face, 0) for face in FACES),
        city=city,
        permanents=with_permanents(begun.players[0].permanents, city),
    )
    return replace(
        begun,
        deck=replace(deck, top=top),
        market=market,
        players=(player, *begun.players[1:]),
        tokens=tuple(material.tokens.values())[: material.layouts[2].tokens],
        acting=frozenset({0}),
        phase="turn",
    )


def _laid(material: Content, deck: Deck) -> tuple[tuple[Side | Card, ...], Deck]:
    """Returns the cards of the market, and the deck without them."""
    market: list[Side | Card] = []
    for name in SHOWN.split():
        card = material.cards.get(name)
        side, deck = reveal_face(deck, card.side.face if card else name)
        market.append(card or side)
        if card:
            deck = reveal_building(deck, card)
    return tuple(market), deck
