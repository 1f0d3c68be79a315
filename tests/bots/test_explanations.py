"""Explanations of every bot that has them, in every game and phase, agree with its choices."""

from collections.abc import Iterator
from typing import Any

import pytest

from polyopolis.bots import DEFAULT, EXPLAINERS, UnknownBot, bot, choose, explain
from polyopolis.bots.bot_protocol import tag_of
from polyopolis.bots.explainer_protocol import MAX_OPTIONS, ConsideredAction, feature_differences, mean_features
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.bots.levels import LEVELS
from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, seed_of
from polyopolis.games import GAME_SPECS, game
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_position import position_of
from polyopolis.kernels.placing.layout import FEATURE_COUNT
from polyopolis.kernels.runtime.jit import floats
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.play.wire.explanation import Argument
from tests.games.rollwrite.positions import city, field, roll, table

mycity, pointcity, rollwrite = game("mycity"), game("pointcity"), game("rollwrite")
SETUPS = {
    "eternal": (mycity, mycity.Setup(seats=2), {"place"}),
    "stickers": (mycity, mycity.Setup(mode="episode", episode=1, seats=2, play="campaign"), {"place", "sticker"}),
    "gears": (mycity, mycity.Setup(mode="episode", episode=14, seats=2, play="campaign"), {"place", "gear"}),
    "kiosks": (mycity, mycity.Setup(mode="episode", episode=23, seats=2), {"place", "no-kiosk"}),
    "dice": (rollwrite, rollwrite.Setup(episode=12, seats=1), {"place", "stop"}),
    "market": (pointcity, pointcity.Setup(seats=2), {"take", "pay", "token", "flip"}),
    "alone": (pointcity, pointcity.Setup(seats=1, automa="easy"), {"line", "take"}),
}
SEED = seed_of("why")


def decisions(rules: AnyGame, setup: Any) -> Iterator[tuple[Match, int]]:
    """Yields positions of a game of a fast bot: the first three decisions of every kind."""
    match = play(rules, setup, ("sight",) * setup.seats, seed_of("deck"), seed_of("bots"))
    again, seen = Match.start(rules, setup), dict[str, int]()
    for move in match.moves:
        kind = f"{move.seat == CHANCE} {tag_of(move.action)}"
        seen[kind] = seen.get(kind, 0) + 1
        if move.seat != CHANCE and seen[kind] <= 3:
            yield again, move.seat
        again = again.decide(move.seat, move.action)


def valued(option: ConsideredAction) -> float:
    return sum(option.features.values())


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("name", ["greedy", "sight", "level-1", DEFAULT])
def test_the_first_option_is_the_choice_of_the_bot(name: str, setup: str) -> None:
    rules, start, kinds = SETUPS[setup]
    kinds_seen = set()
    for match, seat in decisions(rules, start):
        found = explain(name, match, seat, SEED)
        actions = [option.action for option in found.options]
        assert found.bot == name
        assert actions[0] == choose(bot(name), match, seat, SEED)
        assert 1 <= len(set(actions)) == len(actions) <= MAX_OPTIONS
        assert set(actions) <= set(rules.legal(match.state, seat))
        if rules.key != "pointcity":  # its searches maximise the winning chance, not the score
            expected = [option.expected for option in found.options]
            assert expected == sorted(expected, reverse=True)
        kinds_seen |= {tag_of(action) for action in rules.legal(match.state, seat)}
    assert kinds <= kinds_seen


@pytest.mark.parametrize(("name", "setup"), [("greedy", "market"), ("greedy", "kiosks"), ("sight", "eternal")])
def test_without_search_the_features_add_up_to_the_difference(name: str, setup: str) -> None:
    for match, seat in decisions(*SETUPS[setup][:2]):
        first, *others = [o for o in explain(name, match, seat, SEED).options if not isinstance(o.action, Stop)] or [
            ConsideredAction(Stop(), 0.0, {}, (), ())
        ]
        for other in others:
            assert valued(first) - valued(other) == pytest.approx(first.expected - other.expected, abs=0.2)


def test_a_search_reports_its_simulations_and_expected_final_scores() -> None:
    match, seat = next(iter(decisions(mycity, mycity.Setup(seats=2))))
    found = explain(DEFAULT, match, seat, SEED)
    assert found.simulations > 0
    assert all(option.expected > match.result.scores[seat] for option in found.options[:2])
    assert found.final
    at_sight = explain("sight", match, seat, SEED)
    assert (at_sight.simulations, at_sight.final) == (0, False)


def test_with_no_further_points_it_expects_the_current_score() -> None:
    full = field(". .|. .")
    match = roll(table(full, city(full, "A A|B B", A="residential", B="industrial")), "i1")
    (only,) = explain(DEFAULT, match, 0, SEED).options
    assert only == ConsideredAction(Stop(), match.result.scores[0], {}, (), ())


def test_a_search_tries_the_given_number_of_choices_and_sorts_them() -> None:
    match, seat = next(iter(decisions(mycity, mycity.Setup(seats=2))))
    position = position_of("mycity", match.state, seat)
    _, tried = position.search(floats([0.0] * 2 * FEATURE_COUNT), 60, 6, new_rng(1))
    means = [mean for mean, _ in tried]
    assert len({choice for _, choice in tried}) == 6
    assert means[0] == max(means)


def test_features_are_compared_with_the_mean_and_sorted() -> None:
    usual = mean_features([{"wells": 2.0, "trees": 1.0}, {"wells": 4.0}])
    assert usual == {"wells": 3.0, "trees": 0.5}
    assert list(feature_differences({"wells": 3.0, "trees": 1.0, "holes": -2.0}, usual).items()) == [
        ("holes", -2.0),
        ("trees", 0.5),
    ]


def test_phrases_compare_with_the_position_and_with_the_other_choices() -> None:
    now = {"rocks": -4.0, "trees": 4.0, "singles": -1.0, "groups": 3.0}
    usual = {"rocks": -4.0, "trees": 3.0, "singles": -1.0, "groups": 4.0}
    parts = {"rocks": -2.0, "trees": 4.0, "singles": -2.0, "groups": 3.0}
    pro, con = sayings(parts, usual, now)
    assert pro == (Argument("rocks", "gains"), Argument("trees", "keeps"))
    assert con == (Argument("singles", "loses"), Argument("groups", "misses"))


def test_a_feature_with_the_opposite_sign_gets_no_phrase() -> None:
    assert sayings({"rocks": 2.0, "frontier": -1.0}, {}, {}) == ((), (Argument("frontier", "loses"),))


@pytest.mark.parametrize("setup", SETUPS)
def test_the_best_choice_usually_has_a_phrase_for_it(setup: str) -> None:
    rules, start, _ = SETUPS[setup]
    said = [explain("greedy", match, seat, SEED).options[0].pro for match, seat in decisions(rules, start)]
    assert sum(map(bool, said)) > len(said) / 2


@pytest.mark.parametrize("key", GAME_SPECS)
def test_greedy_explains_itself_in_every_game(key: str) -> None:
    rules = GAME_SPECS[key].rules
    match = Match.start(rules, rules.Setup(seats=2)).deal(Dealer(SEED))
    seat = min(match.due)
    options = explain("greedy", match, seat, SEED).options
    assert options[0].action == choose(bot("greedy"), match, seat, SEED)


def test_every_level_explains() -> None:
    assert set(EXPLAINERS) == {"greedy", "sight", *LEVELS}
    with pytest.raises(UnknownBot, match="there is no bot 'random' that explains itself"):
        explain("random", Match.start(mycity, mycity.Setup(seats=2)), 0, SEED)
