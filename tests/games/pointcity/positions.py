"""Positions drawn as text, for tests.

The market is drawn as four lines of four words: a face, or the name of a card that shows its building. A single face is
of tier 1, others are of tier 2; `3:energy-2` names another tier.
"""

from collections.abc import Sequence
from typing import Any, get_args

from msgspec import UNSET

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Action, Pay, Take
from polyopolis.games.pointcity.content import FACES, MARKET, Card, LevelName, Side, content
from polyopolis.games.pointcity.market import deck_size, reveal_building
from polyopolis.games.pointcity.scoring import with_permanents
from polyopolis.games.pointcity.state import Deck, Player, Setup, State

MATERIAL = content()
PLAIN = """
    energy    industry  economy   ecology
    community energy    industry  economy
    ecology   community energy    industry
    economy   ecology   community energy
"""


def side(word: str) -> Side:
    tier, _, face = word.rpartition(":")
    return MATERIAL.sides[int(tier or (1 if face in FACES[:-1:2] else 2)), face]


def card(word: str) -> Side | Card:
    return MATERIAL.cards.get(word) or side(word)


def player(stock: str = "", city: str = "", tokens: str = "") -> Player:
    """Returns a player from lists of words: faces, names of cards, names of tokens."""
    buildings = tuple(MATERIAL.cards[name] for name in city.split())
    return Player(
        stock=tuple(stock.split().count(face) for face in FACES),
        city=buildings,
        permanents=with_permanents((0,) * 5, buildings),
        tokens=tuple(MATERIAL.tokens[name] for name in tokens.split()),
    )


def granting(**permanents: int) -> str:
    """Returns the names of buildings without points that grant these numbers of permanents."""
    return " ".join(f"a{1 + n % 5}-{resource}" for resource, count in permanents.items() for n in range(count))


def table(  # noqa: PLR0913 - a table has many sides
    market: str = PLAIN,
    *players: Player,
    top: str | None = "energy",
    left: tuple[int, int, int] = (5, 24, 18),
    tokens: str = "flat-5 flat-7 missing",
    automa: LevelName | None = None,
    turns: int = 0,
) -> Match:
    """Returns a match in progress in which seat 0 begins its turn. Without a top, the deck is empty."""
    cards = [card(word) for word in market.split()]
    people = players or (player("ingenuity"), player("ingenuity"))
    setup = Setup(seats=1, automa=automa) if automa else Setup(seats=len(people))
    state = State(
        setup=setup,
        content=MATERIAL,
        deck=_deck(cards, side(top) if top else None, left if top else (0, 0, 0)),
        players=(*people, player()) if automa and len(people) == 1 else people,
        acting=frozenset({0}),
        phase="turn",
        tokens=tuple(MATERIAL.tokens[name] for name in tokens.split()),
        market=tuple(cards),
        turns=turns,
    )
    return Match(rules, setup, state)


def _deck(cards: Sequence[Side | Card], top: Side | None, left: tuple[int, ...]) -> Deck:
    """Returns a deck from which the visible faces and buildings have been removed."""
    sides = [shows.side if isinstance(shows, Card) else shows for shows in cards] + ([top] if top else [])
    unseen = tuple(
        tuple((seen, count - sides.count(seen)) for seen, count in pool if count > sides.count(seen))
        for pool in MATERIAL.faces
    )
    deck = Deck(left, unseen, MATERIAL.buildings, top)
    for shows in cards:
        if isinstance(shows, Card):
            deck = reveal_building(deck, shows)
    return deck


def action(text: str) -> Action:
    """Parses an action, such as `take a1 b1`, `pay energy energy`, `token flat-5` or `building a1 a4-energy`."""
    word, *rest = text.split()
    kind = KINDS[word]
    made: Action = kind(tuple(rest)) if kind in (Take, Pay) else kind(*(int(w) if w.isdecimal() else w for w in rest))
    return made


KINDS: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(Action)}
CHANCES = ("face", "building", "first")


def play(match: Match, *texts: str) -> Match:
    """Plays moves: of chance when it is due, else of the seat whose turn it is."""
    for text in texts:
        (seat,) = match.due
        assert (seat == CHANCE) == (text.split()[0] in CHANCES or match.state.phase == "tokens"), text
        match = match.decide(seat, action(text))
    return match


def refusal(match: Match, text: str) -> Reason | None:
    (seat,) = match.due
    return match.why_not(seat, action(text))


def choices(match: Match) -> set[Action]:
    (seat,) = match.due
    return set(rules.legal(match.state, seat))


def chance_odds(match: Match) -> list[tuple[Any, int]]:
    """Returns the odds of the next chance event."""
    assert match.due == {CHANCE}
    return list(rules.odds(match.state))


def shows(match: Match, cell: str) -> str | None:
    """Returns what a space of the market shows."""
    found = match.state.market[MARKET.names.index(cell)]
    return found.name if isinstance(found, Card) else found.face if found else None


def stock(match: Match, seat: int = 0) -> list[str]:
    held = match.state.players[seat].stock
    return [face for face, count in zip(FACES, held, strict=True) for _ in range(count)]


def city(match: Match, seat: int = 0) -> list[str]:
    return [building.name for building in match.state.players[seat].city]


def cards_left(match: Match) -> int:
    return deck_size(match.state.deck)


def opened_match(seats: int = 2, automa: LevelName | None = None, first: int = 0) -> Match:
    """Returns a real match before its first turn, with the first possible tokens and faces."""
    return _opened(Setup(seats=seats, automa=automa or UNSET), first)


def choosing(automa: LevelName = "easy") -> Match:
    """Returns a solo match before the tokens are chosen."""
    return _opened(Setup(seats=1, automa=automa, tokens="chosen"))


def _opened(setup: Setup, first: int = 0) -> Match:
    match = Match.start(rules, setup)
    while match.due == {CHANCE}:
        odds = rules.odds(match.state)
        match = match.decide(CHANCE, odds[first if match.state.phase == "first" else 0][0])
    return match
