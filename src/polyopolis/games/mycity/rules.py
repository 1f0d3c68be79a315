"""My City: the rules, in the order of the rulebook. Rule ids are those of docs/games/mycity.md."""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Reason, Step, Tagged, why_not_due
from polyopolis.games.mycity.actions import (
    Action,
    Built,
    Ended,
    Forbidden,
    Gear,
    Kiosk,
    NoKiosk,
    Pass,
    Passed,
    Place,
    RaceWon,
    Reveal,
    Revealed,
    Scored,
    Sticker,
    Stop,
    Stopped,
)
from polyopolis.games.mycity.building_site import KIOSK
from polyopolis.games.mycity.campaign_rules import carried, onward, plans, standings
from polyopolis.games.mycity.content import NEWEST, Card, Episode, Race, content
from polyopolis.games.mycity.legacy.rewards import (
    drop_unplaceable_rewards,
    give_rewards,
    hand_out,
    place_reward,
    race_nuggets,
    reward_actions,
    why_not_place_reward,
)
from polyopolis.games.mycity.legacy.starting_boards import alike, starting_boards
from polyopolis.games.mycity.placement_rules import (
    build,
    empty_city,
    kiosk_actions,
    places,
    why_not_kiosk,
    why_not_place,
)
from polyopolis.games.mycity.scoring import AT_ONCE, RACES, moved_marker, scores
from polyopolis.games.mycity.state import City, Setup, State
from polyopolis.games.mycity.view import View, view_of

__all__ = [
    "Action", "Setup", "alike", "apply", "carried", "key", "legal", "odds", "onward", "plans", "scores", "seats",
    "standings", "start", "to_act", "version", "view", "why_not",
]  # fmt: skip

key = "mycity"
version = 1
seats = range(2, 5)

_CHANCE = frozenset({CHANCE})
_NO_SEATS: frozenset[int] = frozenset()


def start(setup: Setup) -> State:
    """All players have the same buildings and marker; the deck is shuffled (MC-5). A campaign keeps boards (MC-30)."""
    episode = _episode(setup)
    rules, boards = episode.rules, starting_boards(setup, episode)
    sites = [episode.site_with(board.stickers, board.church or None, board.gears) for board in boards]
    return State(
        setup=setup,
        episode=episode,
        deck=tuple(episode.cards.values()),
        cities=tuple(empty_city(site, rules.marker, rules.kiosks) for site in sites or [episode.site] * setup.seats),
        acting=_CHANCE,
        open_races=rules.races,
        boards=boards,
        triangles=setup.triangles or (),
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
        if (setup.episode, setup.play, setup.boards, setup.triangles) != (UNSET, UNSET, UNSET, UNSET):
            raise BadSetup("the eternal game has no episode, no play and no boards in its setup")
        return material.episodes["eternal"]
    if setup.episode not in material.numbers:
        known = f"{material.numbers[0]} to {material.numbers[-1]}"
        asked = "the setup names none" if setup.episode is UNSET else f"not {setup.episode}"
        raise BadSetup(f"My City has episodes {known}; {asked}")
    return material.episode(setup.episode)


def to_act(state: State) -> frozenset[int]:
    """All players who have not stopped decide on the same card simultaneously (MC-5)."""
    return state.acting


def odds(state: State) -> Sequence[tuple[Action, int]]:
    """Each remaining card is equally likely to be the next one."""
    return [card.odds for card in state.deck]


def legal(state: State, seat: int) -> Sequence[Action]:
    """Build, pass or stop; after a round, a kiosk or none; after an episode of a campaign, the places for a reward."""
    if state.asks == "kiosk":
        return [*kiosk_actions(state.cities[seat]), _NO_KIOSK]
    if state.asks == "reward":
        return reward_actions(state, seat)
    assert state.card
    city = state.cities[seat]
    actions: list[Action] = [*places(city, state.card)]
    if not why_not_pass(state, city):
        actions.append(_PASS)
    actions.append(_STOP)
    return actions


_PASS, _STOP, _NO_KIOSK = Pass(), Stop(), NoKiosk()


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    if reason := why_not_due(state.acting, seat):
        return reason
    if seat == CHANCE or isinstance(action, Reveal):
        return Reason("not-an-action")
    city = state.cities[seat]
    match state.asks, action:
        case "building", Place(cells):
            assert state.card
            return why_not_place(city, state.card, cells)
        case "building", Pass():
            return why_not_pass(state, city)
        case "kiosk", Kiosk(cell):
            return why_not_kiosk(city, cell)
        case ("building", Stop()) | ("kiosk", NoKiosk()):
            return None
        case "reward", _:
            return why_not_place_reward(state, seat, action)
    return Reason("not-now")


def why_not_pass(state: State, city: City) -> Reason | None:
    """Some episodes do not allow passing (MC-E6, MC-E9). Churches must be built (MC-25).

    Passing must not move the marker below 0 (MC-11).
    """
    rules = state.episode.rules
    if rules.passing is None:
        return _NO_PASSING
    if state.card and state.card.kind in rules.must_build:
        return Reason("must-build", {"card": state.card.name})
    if city.marker + rules.passing < 0:
        return _MARKER_AT_ZERO
    return None


_NO_PASSING, _MARKER_AT_ZERO = Reason("no-passing"), Reason("marker-at-zero")


def view(state: State, seat: int | None) -> View:
    """All information is public except staged decisions; a seat that decides sees its choices."""
    return view_of(state, seat, tuple(legal(state, seat)) if seat in state.acting and seat is not None else ())


def apply(state: State, seat: int, action: Action) -> Step:
    match action:
        case Place(cells):
            assert state.card
            return _after_decision(state, seat, *_build(state, seat, state.card, cells))
        case Reveal(name):
            return _reveal(state, name)
        case Sticker() | Gear():
            return _put(state, seat, action)
    city = state.cities[seat]
    match action:
        case Pass():
            marker = moved_marker(city.marker, state.episode.rules.passing or 0, state.episode.rules.limit)
            return _after_decision(
                state, seat, replace(city, marker=marker, passes=city.passes + 1), (Passed(seat, marker),)
            )
        case Stop():
            return _after_decision(state, seat, replace(city, stopped=True), (Stopped(seat),))
        case Kiosk(cell):
            city, events = _build(state, seat, KIOSK, (cell,))
            return _after_decision(state, seat, replace(city, kiosks=city.kiosks - 1), events)
        case NoKiosk():
            return _after_decision(state, seat, city, ())


def _reveal(state: State, name: str) -> Step:
    """All players who have not stopped build the top card, unless it is or follows the blocking card (MC-26).

    Players who no longer have the building do not decide (MC-E22).
    """
    card = state.episode.cards[name]
    top = state.deck.index(card)
    deck, revealed = state.deck[:top] + state.deck[top + 1 :], (*state.revealed, card)
    if state.blocking:
        return _next_card(replace(state, deck=deck, revealed=revealed, blocking=False), (Forbidden(name),))
    if card.kind == "block":
        return _next_card(replace(state, deck=deck, revealed=revealed, blocking=True), (Revealed(name),))
    playing = frozenset(
        [seat for seat, city in enumerate(state.cities) if not city.stopped and name in city.site.placements]
    )
    if not playing:
        return _next_card(replace(state, deck=deck, revealed=revealed), (Revealed(name),))
    return Step(replace(state, deck=deck, revealed=revealed, card=card, acting=playing), (Revealed(name),))


def _build(state: State, seat: int, card: Card, cells: tuple[str, ...]) -> tuple[City, tuple[Tagged, ...]]:
    """Returns the city with one more building and the points that it scores at once (MC-E13, MC-E19)."""
    before = state.cities[seat]
    city = build(before, card, cells)
    events: tuple[Tagged, ...] = (Built(seat, card.name, cells),)
    for once in state.episode.rules.at_once:
        if AT_ONCE[once.line](before, city.buildings[-1]):
            marker = moved_marker(city.marker, once.points, state.episode.rules.limit)
            city = replace(city, marker=marker, gained=(*city.gained, once.line))
            events += (Scored(seat, once.line, once.points),)
    return city, events


def _after_decision(state: State, seat: int, city: City, events: tuple[Tagged, ...]) -> Step:
    cities = (*state.cities[:seat], city, *state.cities[seat + 1 :])
    waiting = state.acting - {seat}
    state = State(
        state.setup, state.episode, state.deck, cities, waiting, state.revealed, state.card, state.blocking,
        state.open_races, state.asks, state.boards, state.triangles, state.rewards,
    )  # fmt: skip
    if waiting:
        return Step(state, events)
    if state.episode.rules.kiosks and state.asks == "building" and (askers := _may_add_kiosk(state)):
        return Step(replace(state, asks="kiosk", acting=askers), events)
    return _close_round(state, events)


def _may_add_kiosk(state: State) -> frozenset[int]:
    """Returns the seats that built in this round and have a kiosk and a place for it (MC-E23)."""
    return frozenset(
        [
            seat
            for seat, city in enumerate(state.cities)
            if city.kiosks and city.buildings and city.buildings[-1].card is state.card and city.free & city.reach
        ]
    )


def _close_round(state: State, events: tuple[Tagged, ...]) -> Step:
    for race in state.open_races:
        if winners := [seat for seat, city in enumerate(state.cities) if RACES[race.race](city, race)]:
            state = _award_race(state, race, winners)
            events += tuple(RaceWon(seat, race.race, race.points) for seat in winners)
            if state.setup.play == "campaign":
                state, new_events = give_rewards(state, race_nuggets(race, winners, state.setup.seats))
                events += new_events
    return _next_card(state, events)


def _award_race(state: State, race: Race, winners: Sequence[int]) -> State:
    """All players who finish a race in the same round get its reward; later players do not (MC-28, MC-E27)."""
    cities = list(state.cities)
    for seat in winners:
        city = cities[seat]
        marker = moved_marker(city.marker, race.points, state.episode.rules.limit)
        cities[seat] = replace(city, marker=marker, won=(*city.won, race))
    still_open = tuple(other for other in state.open_races if other is not race)
    return replace(state, cities=tuple(cities), open_races=still_open)


def _next_card(state: State, events: tuple[Tagged, ...]) -> Step:
    """The episode ends when all players have stopped or all cards are revealed (MC-13).

    In a campaign, rewards follow (MC-32); an episode on its own has no rewards (MC-E28).
    """
    if state.deck and not all(city.stopped for city in state.cities):
        return Step(replace(state, card=None, acting=_CHANCE, asks="building"), events)
    state = replace(state, card=None, acting=_NO_SEATS, asks="building")
    if state.setup.play != "campaign":
        return Step(state, (*events, Ended()))
    state, new_events = hand_out(state)
    return _next_rewards(replace(state, asks="reward"), events + new_events)


def _put(state: State, seat: int, action: Sticker | Gear) -> Step:
    """All seats place one reward at a time, simultaneously (MC-E27)."""
    state, event = place_reward(state, seat, action)
    state = replace(state, acting=state.acting - {seat})
    return Step(state, (event,)) if state.acting else _next_rewards(state, (event,))


def _next_rewards(state: State, events: tuple[Tagged, ...]) -> Step:
    state, lost = drop_unplaceable_rewards(state)
    waiting = frozenset(seat for seat, rewards in enumerate(state.rewards) if rewards)
    events += lost
    return Step(replace(state, acting=waiting), events if waiting else (*events, Ended()))
