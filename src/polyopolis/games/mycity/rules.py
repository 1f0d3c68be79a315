"""My City: the rules, in the order of the rulebook. Rule ids are those of docs/games/mycity.md."""

from collections.abc import Callable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Reason, Step, Tagged
from polyopolis.games.mycity.actions import (
    Action,
    Built,
    Ended,
    Forbidden,
    Pass,
    Passed,
    Place,
    RaceWon,
    Reveal,
    Revealed,
    Stop,
    Stopped,
)
from polyopolis.games.mycity.campaign import onward, standings
from polyopolis.games.mycity.content import NEWEST, Episode, Race, content
from polyopolis.games.mycity.placing import build, found, places, why_not_place
from polyopolis.games.mycity.scoring import moved, scores
from polyopolis.games.mycity.state import City, Setup, State
from polyopolis.games.mycity.view import View, seen

__all__ = [
    "Action", "Setup", "apply", "key", "legal", "odds", "onward", "scores", "seats", "standings", "start", "to_act",
    "version", "view", "why_not",
]  # fmt: skip

key = "mycity"
version = 1
seats = range(2, 5)

_CHANCE = frozenset({CHANCE})
_NOBODY: frozenset[int] = frozenset()


def start(setup: Setup) -> State:
    """Everyone has the same board, buildings and marker; the deck is shuffled (MC-5)."""
    episode = _episode(setup)
    return State(
        setup=setup,
        episode=episode,
        deck=tuple(episode.cards.values()),
        cities=tuple(found(episode.site, episode.rules.marker) for _ in range(setup.seats)),
        acting=_CHANCE,
        open_races=episode.rules.races,
    )


def _episode(setup: Setup) -> Episode:
    if setup.seats not in seats:
        raise BadSetup(f"My City is for {seats[0]} to {seats[-1]} seats, not for {setup.seats}")
    if not 1 <= setup.content <= NEWEST:
        raise BadSetup(f"My City has content 1 to {NEWEST}, not {setup.content}")
    if setup.boards is not UNSET and len(setup.boards) != setup.seats:
        raise BadSetup(f"the setup has {len(setup.boards)} boards for {setup.seats} seats")
    material = content(setup.content)
    if setup.mode == "eternal":
        if (setup.episode, setup.play, setup.boards) != (UNSET, UNSET, UNSET):
            raise BadSetup("the eternal game has no episode, no play and no boards in its setup")
        return material.episodes["eternal"]
    if setup.episode not in material.numbers:
        known = ", ".join(map(str, material.numbers))
        asked = "none is named" if setup.episode is UNSET else f"not {setup.episode}"
        raise BadSetup(f"My City has episode {known}; {asked}")
    return material.episodes[f"episode-{setup.episode:02}"]


def to_act(state: State) -> frozenset[int]:
    """All who play on decide on the same card at once (MC-5)."""
    return state.acting


def odds(state: State) -> Sequence[tuple[Action, int]]:
    """Each card that is left may be the next one."""
    return [card.odds for card in state.deck]


def legal(state: State, seat: int) -> Sequence[Action]:
    """Build, pass or stop."""
    assert state.card
    city = state.cities[seat]
    actions: list[Action] = [*places(city, state.card)]
    if not why_not_pass(state, city):
        actions.append(_PASS)
    actions.append(_STOP)
    return actions


_PASS, _STOP = Pass(), Stop()


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    assert state.card
    match action:
        case Place(cells):
            return why_not_place(state.cities[seat], state.card, cells)
        case Pass():
            return why_not_pass(state, state.cities[seat])
        case Stop():
            return None
    return Reason("not-an-action")


def why_not_pass(state: State, city: City) -> Reason | None:
    """Churches must be built (MC-25). The marker never goes below 0 by passing (MC-11)."""
    rules = state.episode.rules
    if state.card and state.card.kind in rules.must_build:
        return Reason("must-build", {"card": state.card.name})
    if city.marker + rules.passing < 0:
        return Reason("marker-at-zero")
    return None


def view(state: State, seat: int | None) -> View:
    """Everything is open to all but what the others are about to do; a seat that decides sees its choices."""
    return seen(state, seat, tuple(legal(state, seat)) if seat in state.acting and seat is not None else ())


def apply(state: State, seat: int, action: Action) -> Step:
    city = state.cities[seat]
    match action:
        case Place(cells):
            assert state.card
            return _decided(state, seat, build(city, state.card, cells), Built(seat, state.card.name, cells))
        case Pass():
            marker = moved(city.marker, state.episode.rules.passing, state.episode.rules.limit)
            return _decided(state, seat, replace(city, marker=marker, passes=city.passes + 1), Passed(seat, marker))
        case Stop():
            return _decided(state, seat, replace(city, stopped=True), Stopped(seat))
        case Reveal(name):
            return _reveal(state, name)


def _reveal(state: State, name: str) -> Step:
    """The top card is for all who play on, unless it follows the blocking card or is that card itself (MC-26)."""
    card = state.episode.cards[name]
    top = state.deck.index(card)
    deck, revealed = state.deck[:top] + state.deck[top + 1 :], (*state.revealed, card)
    if state.blocking:
        return _next_card(replace(state, deck=deck, revealed=revealed, blocking=False), (Forbidden(name),))
    if card.kind == "block":
        return _next_card(replace(state, deck=deck, revealed=revealed, blocking=True), (Revealed(name),))
    playing = frozenset([seat for seat, city in enumerate(state.cities) if not city.stopped])
    return Step(replace(state, deck=deck, revealed=revealed, card=card, acting=playing), (Revealed(name),))


def _decided(state: State, seat: int, city: City, event: Tagged) -> Step:
    cities = (*state.cities[:seat], city, *state.cities[seat + 1 :])
    waiting = state.acting - {seat}
    state = State(
        state.setup, state.episode, state.deck, cities, waiting, state.revealed, state.card, state.blocking,
        state.open_races,
    )  # fmt: skip
    if waiting:
        return Step(state, (event,))
    events: tuple[Tagged, ...] = (event,)
    for race in state.open_races:
        if winners := [seat for seat, city in enumerate(cities) if RACES[race.race](city)]:
            state = _won(state, race, winners)
            events += tuple(RaceWon(seat, race.race, race.points) for seat in winners)
    return _next_card(state, events)


def _won(state: State, race: Race, winners: Sequence[int]) -> State:
    """All who win a race in the same round get its points, later ones nothing (MC-28)."""
    cities = list(state.cities)
    for seat in winners:
        city = cities[seat]
        marker = moved(city.marker, race.points, state.episode.rules.limit)
        cities[seat] = replace(city, marker=marker, won=(*city.won, race))
    still_open = tuple(other for other in state.open_races if other is not race)
    return replace(state, cities=tuple(cities), open_races=still_open)


def _has_gold(city: City) -> bool:
    """Both veins are built over."""
    return not city.free & city.site.veins


RACES: dict[str, Callable[[City], bool]] = {"gold": _has_gold}


def _next_card(state: State, events: tuple[Tagged, ...]) -> Step:
    """The episode ends when all have stopped or all cards were revealed (MC-13)."""
    if state.deck and not all(city.stopped for city in state.cities):
        return Step(replace(state, card=None, acting=_CHANCE), events)
    return Step(replace(state, card=None, acting=_NOBODY), (*events, Ended()))
