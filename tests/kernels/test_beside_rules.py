"""Kernels compared with the rules move by move: legal actions, cities and scores."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Rng, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.actions import Kiosk
from polyopolis.games.mycity.building_site import Site
from polyopolis.games.mycity.state import Legacy
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_arrays import KINDS, NoKernel, city_site, has_kernel
from polyopolis.kernels.city_position import KernelCity, position_of
from polyopolis.kernels.placing import layout
from tests.kernels.comparisons import assert_same_choices
from tests.support.property_budget import SOAK
from tests.support.random_play import MOODS, Mood, chosen

mycity, rollwrite = game("mycity"), game("rollwrite")
ETERNAL = [(mycity, mycity.Setup(seats=2)), (mycity, mycity.Setup(seats=4))]
LEFT = (
    Legacy(stickers={"g2": "tree", "h3": "rock", "k2": "meadow"}, church="z5"),
    Legacy(stickers={"f6": "tree", "j4": "rock"}, church="l3"),
)
LATER = (
    Legacy(stickers={"g2": "tree", "h3": "rock"}, church="z5", gears=("i2", "l3")),
    Legacy(stickers={"f6": "tree"}, church="l3", gears=("u5", "s4", "j4")),
)
"""Boards that a campaign may have left."""


def episode(number: int, **left: Any) -> tuple[AnyGame, Any]:
    return mycity, mycity.Setup(mode="episode", episode=number, seats=2, **left)


EPISODES = [
    *(episode(number) for number in range(1, 25)),
    *(episode(number, play="campaign", boards=LEFT) for number in (8, 9, 10, 11, 12)),
    *(episode(number, play="campaign", boards=LATER) for number in (14, 18, 21, 23, 24)),
    *((rollwrite, rollwrite.Setup(episode=number, seats=1 + number % 3)) for number in range(1, 13)),
    (rollwrite, rollwrite.Setup(episode=11, seats=2, bandits=(("f1", "c8"), ("j7",)))),
    (rollwrite, rollwrite.Setup(episode=12, seats=1, bandits=(("h1", "e2", "c7"),))),
]
SETUPS = [pytest.param(rules, setup, id=f"{rules.key}-{n}") for n, (rules, setup) in enumerate(ETERNAL + EPISODES)]


def played(rules: AnyGame, setup: Any, seed: str, mood: Mood) -> Iterator[tuple[Match, dict[int, Any]]]:
    """Yields a random match round by round, with the decisions of each round."""
    dealer, rng = Dealer(derive_seed(seed_of(seed), "match", 0)), Rng(seed_of(seed))
    match = Match.start(rules, setup).deal(dealer)
    while not match.over:
        decisions = {seat: chosen(rules.legal(match.state, seat), mood, rng) for seat in sorted(match.due)}
        yield match, decisions
        for seat, action in decisions.items():
            match = match.decide(seat, action)
        match = match.deal(dealer)
    yield match, {}


def follow(rules: AnyGame, setup: Any, seed: str, mood: Mood) -> int:
    """Plays a match in both and returns the number of compared decisions. The kernel builds its own boards."""
    decided, cities = 0, dict[int, KernelCity]()
    for match, decisions in played(rules, setup, seed, mood):
        scores = match.result.scores
        for seat in range(setup.seats):
            position = position_of(rules.key, match.state, seat)
            city = cities.setdefault(seat, position.city)
            _copy_chance(city, position.city)
            assert city.information_key == position.city.information_key
            built = match.state.cities[seat]
            assert (city.free, city.reach & city.free) == (built.free, built.reach & built.free)
            assert city.score == scores[seat]
            asks = getattr(match.state, "asks", "building")
            if asks == "kiosk":
                _add_kiosk(city, built.site, decisions.get(seat))
            elif asks == "building" and seat in decisions:
                _decide(city, position.task, rules.legal(match.state, seat), decisions[seat])
                decided += 1
    return decided


def _copy_chance(city: KernelCity, there: KernelCity) -> None:
    """Copies the effects of chance and other seats: revealed cards, used compass tasks, races won by others."""
    book, true = city.arrays.book, there.arrays.book
    for number in (layout.REVEALED_TASKS, layout.COMPASS_ROW_USED, layout.NEXT_BLOCKED):
        book[number] = true[number]
    for won, still_open in ((layout.RACE_WON, layout.RACE_OPEN), (layout.FOREST_RACE_WON, layout.FOREST_RACE_OPEN)):
        if not book[won]:
            book[still_open] = true[still_open]


def _add_kiosk(city: KernelCity, site: Site, action: Any) -> None:
    """Kernels do not decide on kiosks but must account for them."""
    if isinstance(action, Kiosk):
        at = site.squares[action.cell,]
        city.add_building(KINDS["yellow"], at.mask, at.halo)


def _decide(city: KernelCity, task: int, allowed: Sequence[Any], action: Any) -> None:
    assert_same_choices(city.legal(task), allowed)
    if not isinstance(action, Stop):
        city.decide(task, city.choice(task, action))


@pytest.mark.parametrize(("rules", "setup"), SETUPS)
def test_random_games_match_the_rules_move_by_move(rules: AnyGame, setup: Any) -> None:
    for number in range((3 if (rules, setup) in ETERNAL else 1) * SOAK):
        for mood in MOODS:
            assert follow(rules, setup, f"kernel {number}", mood) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "setup"), SETUPS)
def test_many_busy_random_games_match_the_rules_move_by_move(rules: AnyGame, setup: Any) -> None:
    games = (60 if (rules, setup) in ETERNAL else 12) * SOAK
    assert sum(follow(rules, setup, f"busy {number}", "busy") for number in range(games)) > 10 * games


def test_kernel_position_before_the_first_card() -> None:
    match = Match.start(mycity, mycity.Setup(seats=2))
    assert match.due == {CHANCE}
    position = position_of("mycity", match.state, 0)
    assert (list(position.deck), position.city.score) == (list(range(28)), match.result.scores[0])


def test_kernels_support_all_episodes() -> None:
    for number in range(1, 25):
        assert has_kernel("mycity", mycity.start(mycity.Setup(mode="episode", episode=number, seats=2)), 0)


def test_sites_are_cached_up_to_a_maximum() -> None:
    episode = mycity.start(mycity.Setup(mode="episode", episode=2, seats=2)).episode
    cells = [f"{column}{row}" for column in "cdefghi" for row in range(1, 11)]
    sites = [episode.site_with({cell: "tree"}, None, ()) for cell in cells]
    first = city_site("mycity", episode, sites[0])
    assert city_site("mycity", episode, episode.site_with({cells[0]: "tree"}, None, ())) is first
    for site in sites:
        city_site("mycity", episode, site)
    assert city_site("mycity", episode, sites[0]) is not first


LATE = {12: {"forest"}, 13: {"investor"}, 16: {"factories"}, 21: {"track", "port", "chain"}, 24: {"parks", "chain"}}
"""Score lines that random games of an episode rarely produce."""


@pytest.mark.parametrize("number", LATE)
def test_scores_of_well_played_games_match_the_rules(number: int) -> None:
    rules, setup = episode(number)
    brought = set[str]()
    for seed in map(seed_of, "abcdef"):
        match, state = play(rules, setup, ("sight", "level-1"), seed, seed), rules.start(setup)
        for move in match.moves:
            state = rules.apply(state, move.seat, move.action).state
            if rules.to_act(state) <= {CHANCE}:  # races are won when a round is over
                scores = [position_of("mycity", state, seat).city.score for seat in range(setup.seats)]
                assert scores == list(rules.scores(state).scores)
        brought |= {line.line for sheet in match.result.sheets for line in sheet if line.count}
    assert brought >= LATE[number]


def test_unsupported_rule_is_named() -> None:
    known = mycity.start(mycity.Setup(mode="episode", episode=1, seats=2)).episode
    strange = replace(known, rules=structs.replace(known.rules, passing=-2))
    with pytest.raises(NoKernel, match="the My City kernel does not support: passing for -2"):
        city_site("mycity", strange)
