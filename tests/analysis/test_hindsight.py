"""Hindsight: the best city by the rules, a valid bound, and equality of both if all cities were searched."""

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import decode, encode
from msgspec.structs import replace

from polyopolis.analysis import hindsight_report
from polyopolis.analysis.counterfactuals import Counterfactual, ReplayedChoice, luck_of
from polyopolis.analysis.estimates import Estimate
from polyopolis.analysis.hindsight import BeamProgress, Hindsight, HindsightSearch, NoHindsight
from polyopolis.bots import BOTS, LEVELS
from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.bots.tournaments.arena import play, play_out
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.actions import RaceWon, Reveal
from polyopolis.games.placement import Stop
from polyopolis.games.rollwrite.actions import Roll
from polyopolis.kernels.city_beam import BeamResult, BeamSearch
from polyopolis.kernels.city_position import CityPosition
from polyopolis.kernels.positions import features_of, position_of
from polyopolis.kernels.runtime.jit import BACKEND
from tests.games.mycity import positions
from tests.games.rollwrite import positions as sheets
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, finished

mycity, rollwrite, pointcity = game("mycity"), game("rollwrite"), game("pointcity")
WAYS: list[tuple[AnyGame, Any]] = [
    (mycity, mycity.Setup(seats=2)),
    *((mycity, mycity.Setup(mode="episode", episode=number, seats=2)) for number in range(1, 25)),
    *((rollwrite, rollwrite.Setup(episode=number, seats=1 + number % 2)) for number in range(1, 13)),
]
ENOUGH = 3000
"""A beam width at which no city of a small board is dropped."""


def last_of(hindsight: HindsightSearch, widths: Sequence[int]) -> Hindsight:
    *_, best = (found for found in hindsight.search(widths) if isinstance(found, Hindsight))
    return best


def grown(prospect: BeamSearch, width: int, known: int = -1000) -> BeamResult:
    search = prospect.run(width, known)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: BeamResult = end.value
            return found


def best_by_rules(rules: AnyGame, state: Any, luck: Sequence[Any]) -> int:
    """Returns the best score of a solo seat by exhaustive search; the seat may stop at any time."""
    now = int(rules.scores(state).scores[0])
    if 0 in rules.to_act(state):
        going_on = [action for action in rules.legal(state, 0) if action != Stop()]
        return max([now, *(best_by_rules(rules, rules.apply(state, 0, each).state, luck) for each in going_on)])
    return max(now, best_by_rules(rules, rules.apply(state, CHANCE, luck[0]).state, luck[1:])) if luck else now


CORNER = """
. . | 2 .
. r | . .
. . | g ^
"""
YARD = """
. . . | . .
. W . | g .
. . . | . .
"""
DECKS = [
    (CORNER, "yellow-i2 red-l3 blue-i2 church-t4"),
    (CORNER, "blue-o4 block yellow-i2 red-i2 blue-l3"),
    (YARD, "red-l3 yellow-i2 blue-i2 church-l4"),
    (YARD, "church-z4 yellow-l3 red-i2 blue-i2"),
]
ROLLS = ["l3 i2 i1 o4", "i2 l4 i1 i1", "compass i3 i1 i2"]


def prospect_of(rules: AnyGame, state: Any, luck: Sequence[Any], kiosks: int = 0) -> BeamSearch:
    """Returns the beam search of the only city on a table."""
    position = position_of(rules.key, state, 0)
    assert isinstance(position, CityPosition)
    tasks, now = [], state
    for each in luck:
        now = rules.apply(now, CHANCE, each).state
        seen = position_of(rules.key, now, 0)
        assert isinstance(seen, CityPosition)
        tasks.append(seen.task if 0 in rules.to_act(now) else -3)
    weights = flat_weights(weights_for(rules.key, position.part, position.site), features_of(rules.key))
    return BeamSearch(position.city, tasks, [0] * len(tasks), weights, kiosks)


def assert_solved(rules: AnyGame, state: Any, luck: Sequence[Any]) -> None:
    best, prospect = best_by_rules(rules, state, luck), prospect_of(rules, state, luck)
    narrow, wide = grown(prospect, 2), grown(prospect, ENOUGH)
    assert narrow.score <= best <= narrow.bound <= prospect.bound
    assert (wide.score, wide.bound) == (best, best)
    assert grown(prospect, ENOUGH, known=best) == BeamResult(best, best, None), "no city is better than the best"


@pytest.mark.parametrize(("drawing", "deck"), DECKS)
def test_on_small_boards_of_my_city_the_best_city_is_found(drawing: str, deck: str) -> None:
    field = positions.field(drawing)
    table = positions.table(field, positions.unbuilt_city(field), deck=deck.split())
    assert_solved(mycity, table.state, [Reveal(card) for card in deck.split()])


@pytest.mark.parametrize("number", [1, 5, 12])
@pytest.mark.parametrize("rolls", ROLLS)
def test_on_small_sheets_of_roll_and_write_the_best_city_is_found(rolls: str, number: int) -> None:
    field = sheets.field(CORNER.replace("g", "."), number)
    table = sheets.table(field, sheets.unbuilt_city(field))
    kinds = ("residential", "industrial", "administrative")
    luck = [Roll((*sheets.DICE[roll], kinds[at % 3])) for at, roll in enumerate(rolls.split())]
    assert_solved(rollwrite, table.state, luck)


def test_the_bound_includes_kiosks() -> None:
    """The kernel does not build kiosks, so no city is proven."""
    holds = replace(positions.ETERNAL.rules, terrain={}, kiosks=1)
    field = positions.field(CORNER, positions.episode(23), holds)
    luck = [Reveal(card) for card in ("yellow-i2", "red-l3", "blue-i2")]
    table = positions.table(field, positions.unbuilt_city(field), deck=[card.card for card in luck])
    best, found = best_by_rules(mycity, table.state, luck), grown(prospect_of(mycity, table.state, luck, 1), ENOUGH)
    assert found.score < best <= found.bound


@pytest.mark.slow
@examples(25)
@given(st.sampled_from(WAYS), st.integers(0, 10**6), st.sampled_from([*MOODS, "greedy", "level-1"]))
def test_no_game_exceeds_the_bound(way: tuple[AnyGame, Any], seed: int, who: Any) -> None:
    rules, setup = way
    assert_bounded(play_match(rules, setup, f"bound {seed}", who), (3,))


@pytest.mark.parametrize("way", [0, 1, 16, 36])
def test_no_good_game_exceeds_the_bound(way: int) -> None:
    assert_bounded(play_match(*WAYS[way], "good", "level-3"), (1, 30))


def play_match(rules: AnyGame, setup: Any, seed: str, who: Any) -> Match:
    """Plays a match with bots of this name or in this mood."""
    if who in MOODS:
        return finished(rules, setup, seed, who)
    return play(rules, setup, [who] * setup.seats, derive_seed(seed_of(seed), "match", 0), seed_of(seed))


def assert_bounded(match: Match, widths: Sequence[int]) -> None:
    """Checks the bound for every seat, and that the found city can be built by the rules."""
    for seat, score in enumerate(match.result.scores):
        hindsight = HindsightSearch(match, seat)
        found = [each for each in hindsight.search(widths) if isinstance(each, Hindsight)]
        assert score <= found[0].score
        assert all(each.proven == (each.score == each.bound) for each in found)
        assert decode(encode(found[-1]), type=Hindsight).width == found[-1].width, "it can be serialised"
        for earlier, later in pairwise(found):
            assert earlier.score <= later.score <= later.bound <= earlier.bound
        assert hindsight.match_with(found[-1]).result.scores[seat] == found[-1].score
        assert_built_by_rules(match, seat, found[-1])


def assert_built_by_rules(match: Match, seat: int, found: Hindsight) -> None:
    """Replays the match without a kernel: the seat takes the found choices, the others their recorded ones."""
    state, choices = match.game.start(match.setup), list(found.choices)
    others = [move for move in match.moves if move.seat not in (seat, CHANCE)]
    luck = luck_of(match)
    while match.game.to_act(state) and getattr(state, "asks", "") != "reward":
        acting = sorted(match.game.to_act(state))
        if acting == [CHANCE]:
            if not luck:
                break
            state = match.game.apply(state, CHANCE, came := luck.pop(0)).state
            continue
        for each in acting:
            legal = match.game.legal(state, each)
            if each != seat:
                move = next((move for move in others if move.seat == each), None)
                if move:
                    others.remove(move)
                action = move.action if move and move.action in legal else legal[-1]
            else:
                choice = choices.pop(0) if choices else ReplayedChoice(came, legal[-1])
                assert choice.luck == came
                action = choice.action
            assert action in legal
            state = match.game.apply(state, each, action).state
    assert match.game.scores(state).scores[seat] == found.score


def test_the_result_is_never_below_a_city_of_the_match() -> None:
    seed = seed_of("levels")
    match = play(mycity, mycity.Setup(seats=2), ("level-3", "random"), seed, seed)
    for seat in range(2):
        assert HindsightSearch(match, seat).best_played().score == max(match.result.scores)
        assert last_of(HindsightSearch(match, seat), (1,)).score >= max(match.result.scores)


def test_progress_is_reported_and_the_search_can_be_cancelled() -> None:
    match = finished(mycity, mycity.Setup(seats=2), "progress", "busy")
    results = list(HindsightSearch(match, 0).search((2, 4)))
    assert [each.width for each in results if isinstance(each, Hindsight)] == [0, 2, 4]
    shares = [each.share for each in results if isinstance(each, BeamProgress) and each.width == 4]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    left = HindsightSearch(match, 0).search((2, 4))
    next(left)
    assert isinstance(next(left), BeamProgress)
    left.close()
    assert list(left) == []


def test_with_the_dealer_luck_continues_after_all_seats_have_stopped() -> None:
    setup, seed = mycity.Setup(seats=2), derive_seed(seed_of("early"), "match", 0)
    match = finished(mycity, setup, "early", "kinds")
    came, whole = luck_of(match), luck_of(match, Dealer(seed))
    assert len(came) < len(whole) == 28
    assert whole[: len(came)] == came
    assert len({card.card for card in whole}) == 28
    known, more = HindsightSearch(match, 0), HindsightSearch(match, 0, Dealer(seed))
    assert last_of(known, (10,)).score < last_of(more, (10,)).score


def test_a_race_won_by_another_seat_is_closed() -> None:
    setup, seed = mycity.Setup(seats=2), seed_of("race 10")
    match = play(mycity, setup, ("random", "level-3"), seed, seed)
    rival, lonely = HindsightSearch(match, 0), HindsightSearch(play(mycity, setup, ("random", "random"), seed, seed), 0)
    assert [event.seat for event in match.events if isinstance(event, RaceWon)] == [1]
    assert "gold" not in lines_of(rival.match_with(last_of(rival, (300,))))
    assert "gold" in lines_of(lonely.match_with(last_of(lonely, (300,))))


def lines_of(match: Match) -> set[str]:
    return {line.line for line in match.result.sheets[0]}


def test_kernels_score_the_found_cities_like_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, search = list[int](), BeamSearch.run

    def noted(prospect: BeamSearch, width: int, known: int) -> Generator[float, None, BeamResult]:
        found = yield from search(prospect, width, known)
        counted.append(found.score)
        return found

    monkeypatch.setattr(BeamSearch, "run", noted)
    for rules, setup in WAYS:
        match = finished(rules, setup, "counted", "busy")
        best = last_of(HindsightSearch(match, 0), (5,))
        assert counted.pop() == best.score


def test_the_par_of_a_deck_is_the_mean_of_a_level_on_it() -> None:
    setup, seed = rollwrite.Setup(episode=1, seats=1), seed_of("par")
    match = play(rollwrite, setup, ("random",), seed, seed)
    results = list(Counterfactual(match, 0, Dealer(seed)).par(3, seed, LEVELS["level-1"]))
    scores = [score for score in results if score is not None]
    assert len(results) > 3 * 10, "it can be cancelled after every round"
    bots = [play_out(rollwrite, setup, [BOTS["level-1"]], seed, derive_seed(seed, "par", n)) for n in range(3)]
    assert scores == [match.result.scores[0] for match in bots]


def test_the_report_contains_the_city_card_by_card_and_then_par(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hindsight_report, "BEAM_WIDTHS", (2, 6))
    monkeypatch.setitem(hindsight_report.PAR_GAMES, BACKEND, 2)
    monkeypatch.setattr(Counterfactual, "par", lambda again, games, seed: iter([None, 31, None, 34][: 2 * games]))
    setup, seed = mycity.Setup(seats=2), derive_seed(seed_of("back"), "match", 0)
    match = finished(mycity, setup, "back", "busy")
    results = list(hindsight_report.look_back(match, 1, Dealer(seed)))
    shares = [each.done for each in results]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    narrow, wide, city, whole = [each.back for each in results if each.back]
    assert match.result.scores[1] == whole.score <= narrow.best <= wide.best == city.best <= whole.bound
    assert not wide.cards, "the city is added when the search is over"
    assert [each.final for each in (narrow, wide, city, whole)] == [False, False, False, True]
    assert (whole.par, whole.games) == (Estimate(32.5, 1.5), 2)
    assert (whole.cards, city.par) == (city.cards, None)
    first, *cards, last = whole.cards
    assert (first.luck, first.action) == (None, None)
    assert [card.luck for card in [*cards, last]] == luck_of(match, Dealer(seed))[: len(cards) + 1]
    assert last.score == whole.best
    assert len({encode(card.view) for card in whole.cards}) == len(whole.cards), "each view is a new one"
    rough = [each.back for each in hindsight_report.look_back(match, 1, None, rough=True) if each.back]
    assert rough[-1].final


def test_games_without_cities_have_no_hindsight() -> None:
    with pytest.raises(NoHindsight, match="no hindsight in pointcity"):
        HindsightSearch(Match.start(pointcity, pointcity.Setup(seats=2)), 0)
