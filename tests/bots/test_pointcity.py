"""Bots in Point City: choices are legal and sensible, and do not depend on the order of the legal actions."""

from statistics import fmean
from typing import Any

import pytest

from polyopolis.bots import BOTS, LEVELS, bot, choose, explain
from polyopolis.bots.bot_protocol import tag_of
from polyopolis.bots.evaluation.pointcity import AUTOMA_TOKENS, value
from polyopolis.bots.tournaments.arena import Contest, bot_summaries, play, run_contest
from polyopolis.engine import CHANCE, Dealer, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.pointcity.actions import LineUp
from polyopolis.kernels import pointcity as kernel
from polyopolis.kernels.draft_position import SEARCH_EFFORTS
from polyopolis.records import verify

pointcity = game("pointcity")
PAIR, ALONE = pointcity.Setup(seats=2), pointcity.Setup(seats=1, automa="medium")
CHOSEN = pointcity.Setup(seats=1, automa="medium", tokens="chosen")


def contest(*bots: str, games: int, setup: Any = None) -> Contest:
    return Contest("pointcity", setup or pointcity.Setup(seats=len(bots)), bots, games, "7")


def seen(name: str, setup: Any = PAIR) -> list[tuple[Match, int, Any]]:
    """Returns the decisions of a bot in a game against itself."""
    match = play(pointcity, setup, (name,) * setup.seats, seed_of("seen"), seed_of("bots"))
    again, decisions = Match.start(pointcity, match.setup), []
    for move in match.moves:
        if move.seat != CHANCE:
            decisions.append((again, move.seat, move.action))
        again = again.decide(move.seat, move.action)
    return decisions


QUICK = sorted(BOTS.keys() - {"level-4", "level-5", "master"})


@pytest.mark.parametrize("setup", [PAIR, ALONE, CHOSEN], ids=["two", "alone", "chosen"])
@pytest.mark.parametrize("name", QUICK)
def test_every_bot_plays_to_the_end(name: str, setup: Any) -> None:
    assert {tag_of(action) for _, _, action in seen(name, setup)} >= {"take"}


def test_random_takes_whenever_possible() -> None:
    for match, seat, action in seen("random"):
        tags = {tag_of(legal) for legal in pointcity.legal(match.state, seat)}
        if "take" in tags:
            assert tag_of(action) == "take"


class Backwards:
    """Point City with reversed lists of legal actions."""

    key = pointcity.key
    apply = staticmethod(pointcity.apply)

    @staticmethod
    def legal(state: Any, seat: int) -> Any:
        return tuple(reversed(pointcity.legal(state, seat)))


def test_greedy_breaks_ties_by_its_rng_and_not_by_the_list() -> None:
    backwards: Any = Backwards
    for match, seat, _ in seen("greedy"):
        worth = {
            action: value(pointcity.apply(match.state, seat, action).state, seat)
            for action in pointcity.legal(match.state, seat)
        }
        for rules in (pointcity, backwards):
            assert worth[bot("greedy")(rules, match.state, seat, Rng(seed_of("tie")))] == max(worth.values())


def test_greedy_turns_cards_builds_and_leaves_little_unspent() -> None:
    match = play(pointcity, PAIR, ("greedy", "greedy"), seed_of("seen"), seed_of("bots"))
    assert "flip" in {tag_of(move.action) for move in match.moves}
    for player in match.state.players:
        assert len(player.city) >= 12
        assert sum(player.stock) <= 10


def test_solo_results_include_the_automa_and_the_records_verify() -> None:
    games = list(run_contest(contest("greedy", games=3, setup=ALONE)))
    assert [played.players for played in games] == [("greedy", "automa")] * 3
    assert {standing.bot for standing in bot_summaries(games)} == {"greedy", "automa"}
    for played in games:
        assert verify(played.record).result.scores == played.scores  # type: ignore[arg-type]


def test_a_choice_depends_only_on_the_seed_and_the_match() -> None:
    for match, seat, _ in seen("sight")[::12]:
        assert len({choose(bot("level-3"), match, seat, seed_of("same")) for _ in range(3)}) == 1


def test_a_level_uses_more_short_simulations_and_stops_early() -> None:
    level, games = LEVELS["level-3"], []
    for match, seat, _ in seen("sight")[::6]:
        played, _ = level.explain(pointcity, match.state, seat, Rng(seed_of("pace")))
        games.append(played)
    assert level._simulation_budget < max(games) <= SEARCH_EFFORTS[2][0].simulation_factor * level._simulation_budget
    assert min(games) < level._simulation_budget


def test_a_search_is_not_worse_than_random_in_the_last_turn() -> None:
    """In the last turn all results are certain, so the search finds the best one."""
    matches = [match for match, _, _ in seen("sight") if match.state.turns == 33 and match.state.phase == "turn"]
    (match,) = matches
    (seat,) = match.due
    ends = [_ended(match, seat, name) for name in ("level-3", "random")]
    assert ends[0] >= ends[1]


def _ended(match: Match, seat: int, name: str) -> int:
    """Returns the lead of a seat after a bot has played its last turn."""
    dealer = Dealer(seed_of("end"))
    while not match.over:
        match = match.decide(seat, choose(bot(name), match, seat, seed_of("end"))).deal(dealer)
    return match.result.scores[seat] - max(score for own, score in enumerate(match.result.scores) if own != seat)


@pytest.mark.soak
def test_levels_are_in_order() -> None:
    for stronger, weaker in (("level-2", "level-1"), ("level-3", "level-2")):
        first, _ = bot_summaries(run_contest(contest(stronger, weaker, games=20)))
        assert first.bot == stronger


@pytest.mark.soak
def test_a_search_beats_the_hard_automa() -> None:
    games = list(run_contest(contest("level-3", games=12, setup=pointcity.Setup(seats=1, automa="hard"))))
    assert sum(played.ranks[0] == 1 for played in games) >= 10


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_players_have_42_to_50_points_on_average(seats: int) -> None:
    games = run_contest(contest(*("greedy",) * seats, games=60))
    assert 42 < fmean(score for played in games for score in played.scores) < 50


@pytest.mark.slow
def test_greedy_is_clearly_ahead_of_random() -> None:
    first, second = bot_summaries(run_contest(contest("greedy", "random", games=60)))
    assert (first.bot, second.bot) == ("greedy", "random")
    assert first.lead
    assert first.lead.margin
    assert first.lead.mean - first.lead.margin > 20


@pytest.mark.soak
@pytest.mark.parametrize(("level", "points"), [("easy", 36), ("medium", 41), ("hard", 55)])
def test_the_automa_beside_a_greedy_player(level: str, points: int) -> None:
    games = run_contest(contest("greedy", games=100, setup=pointcity.Setup(seats=1, automa=level)))
    assert fmean(played.scores[1] for played in games) == pytest.approx(points, abs=5)


def test_levels_choose_tokens_like_greedy_and_give_the_worst_to_the_automa() -> None:
    """The kernel supports a complete token line, but not the choice of its tokens."""
    chosen = {name: seen(name, CHOSEN)[:10] for name in ("greedy", "sight", "level-2")}
    for match, seat, _ in chosen["level-2"]:
        assert match.state.phase == "choose"
        assert not kernel.supports(match.state, seat)
    lines = {name: [action.token for _, _, action in decisions] for name, decisions in chosen.items()}
    assert all(len(set(line)) == 10 for line in lines.values())
    for line in lines.values():
        assert {*line[:2]} == {"missing", "three-plus"}  # both are worth 0 at this time
        assert line[AUTOMA_TOKENS : AUTOMA_TOKENS + 2] == ["full-set", "flat-7"]
    assert kernel.supports(seen("level-2", CHOSEN)[10][0].state, 0)


def test_a_hint_explains_which_token_to_choose() -> None:
    match, seat, _ = seen("level-2", CHOSEN)[0]
    first, *others = explain("level-3", match, seat, seed_of("bots")).options
    assert first.action in (LineUp("missing"), LineUp("three-plus"))
    assert first.features["tokens"] > 0
    assert others
