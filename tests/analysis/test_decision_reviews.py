"""Reviews of decisions: blunders are found, noise is not graded as a mistake, and losses are unbiased."""

from statistics import fmean

import msgspec
import pytest

from benchmarks.review_accuracy import level_losses
from benchmarks.review_accuracy.level_losses import GameLosses, distinguishable_groups
from polyopolis.analysis import (
    Decision,
    Precision,
    Review,
    Strength,
    exercises_of,
    grade_answers,
    match_before_round,
    review_key,
    review_matches,
    review_record,
)
from polyopolis.analysis.estimates import Estimate, FutureSamples, future_weights
from polyopolis.analysis.match_evaluation import cross_validated_loss
from polyopolis.analysis.reviewer import SEED, evaluation_of
from polyopolis.analysis.skill_rating import (
    LEVEL_NUMBERS,
    MeasuredLoss,
    PartCalibration,
    StrengthRater,
    calibration_for,
    level_of,
    part_of,
)
from polyopolis.bots import bot, choose
from polyopolis.bots.levels import position_and_weights
from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import Campaign, Dealer, Match, Rng, derive_seed, seed_of
from polyopolis.kernels.runtime.jit import FAST
from polyopolis.records import campaign_record_of, record_of
from tests.analysis.short_games import QUICK, finished, mycity, review_of, rollwrite

thousands = pytest.mark.skipif(not FAST, reason="thousands of games take minutes in plain Python")


def blundered(player: str, at: int) -> tuple[Match, int]:
    """Returns a game in which the first seat makes the worst choice once, and the number of that move."""
    dealer, match, decided = Dealer(seed_of("blunder")), Match.start(mycity, mycity.Setup(seats=2)), 0
    match, move = match.deal(dealer), 0
    while not match.over:
        decided += 1
        for seat in sorted(match.due):
            action = choose(bot(player if decided <= at else "sight"), match, seat, seed_of("bots"))
            if decided == at and seat == 0:
                position, weights = position_and_weights("mycity", match.state, 0)
                action, move = position.action(min(position.choice_values(weights))[1]), len(match.moves)
            match = match.decide(seat, action)
        match = match.deal(dealer)
    return match, move


@thousands
@pytest.mark.parametrize("player", ["sight", pytest.param("level-5", marks=pytest.mark.slow)])
def test_a_blunder_is_graded_and_turned_into_an_exercise(player: str) -> None:
    match, move = blundered(player, 6)
    review = review_of(match, Precision(24, 6))
    (decision,) = [each for each in review.decisions if each.move == move]
    assert decision.grade in ("mistake", "blunder")
    assert decision.played.behind
    assert decision.best.action != decision.played.action
    assert decision.best.pro, "the reasons are given"
    assert (move, "loss") in [(moment.move, moment.kind) for moment in review.moments]
    exercise = next(each for each in exercises_of(match, review) if each[1] == decision)
    before, _, made = exercise
    assert before.due == {0, 1}, "no seat has decided yet"
    wrong, right = grade_answers(before, made.seat, made.best, [made.played, made.best])
    assert not wrong.right
    assert wrong.lacks.points.mean > 1
    assert right.right


def test_a_decision_without_an_alternative_does_not_count() -> None:
    review = review_of(finished("mycity-campaign", "random"))
    stickers = [each for each in review.decisions if each.topic == "reward"]
    assert stickers
    assert not any(each.counts or each.loss.points.mean for each in stickers)
    assert all(each.grade == "good" for each in stickers)


def test_luck_is_compared_with_that_of_the_others() -> None:
    review = review_of(finished("mycity", "random"))
    for chance in review.chances:
        own, other = (luck.points.mean for luck in chance.luck)
        assert chance.compared[0].mean == pytest.approx(own - other, abs=1e-3)
    possible = [chance.possible for chance in review.chances]
    assert possible == list(range(28, 28 - len(possible), -1)), "each card leaves one less"
    assert review_of(finished("rollwrite-alone", "random")).chances[0].compared == ()


@pytest.mark.parametrize("table", ["mycity", "pointcity-4"])
def test_winning_chances_add_up_to_one(table: str) -> None:
    for point in review_of(finished(table, "random")).curve:
        assert sum(seat.chance.mean for seat in point.seats if seat.chance) == pytest.approx(1.0, abs=1e-3)


def test_noise_is_no_loss() -> None:
    """A choice that is best only by luck has no advantage in other futures; a better choice has."""
    rng = Rng(seed_of("noise"))
    games = [[[rng.below(100) / 10 for _ in range(24)] for _ in range(6)] for _ in range(60)]
    naive = fmean(max(fmean(row) for row in rows) - fmean(rows[0]) for rows in games)
    halves = fmean(cross_validated_loss(rows, 0) for rows in games)
    assert naive > 0.6
    assert abs(halves) < naive / 4
    better = [[*rows[:-1], [value + 5 for value in rows[0]]] for rows in games]
    assert fmean(cross_validated_loss(rows, 0) for rows in better) == pytest.approx(5.0, abs=0.2)


def test_the_next_event_counts_by_its_odds() -> None:
    shares = future_weights([1, 2, 1, 1], {1: 0.5, 2: 0.5})
    assert shares
    assert FutureSamples.of([10.0, 20.0, 10.0, 10.0], shares).mean == pytest.approx(15.0)
    assert future_weights([], {}) is None


def test_levels_are_interpolated_by_loss() -> None:
    rungs = [(2.0, 0.0), (1.0, 1.0), (0.5, 2.0), (0.25, 3.0)]
    assert level_of(3.0, rungs) == 0.0
    assert level_of(0.5, rungs) == 2.0
    assert 2.0 < level_of(0.35, rungs) < 3.0
    assert level_of(0.0, rungs) == 3.0


def test_levels_that_cannot_be_distinguished_are_named_together() -> None:
    losses = {"random": 2.0, "level-1": 1.0, "level-2": 0.5, "level-3": 0.2, "level-4": 0.22, "level-5": 0.18}
    levels = {bot: MeasuredLoss(loss, 0.05, 4, 100) for bot, loss in losses.items()}
    rated = StrengthRater(PartCalibration(levels, ((0, 0), (1, 1), (2, 2), (3, 5))))
    decision = next(each for each in review_of(finished("mycity", "random")).decisions if each.counts)

    def strength(lost: float) -> Strength:
        loss = msgspec.structs.replace(decision.loss, points=Estimate(lost))
        found = rated(0, [msgspec.structs.replace(decision, loss=loss)] * 8)
        assert found
        return found

    assert strength(0.5).alike == (2, 2)
    assert strength(0.2).alike == strength(0.01).alike == (3, 5)
    assert (strength(0.01).low, strength(0.01).high) == (3.0, 5.0), "none of them is called the best"
    assert strength(1.0).high == 1.0
    assert StrengthRater(None)(0, [decision]) is None


def test_a_level_joins_the_group_before_unless_it_loses_significantly_less() -> None:
    """A lower mean than some levels of the group is not enough."""
    losses = {"level-3": (0.30, 0.10, 0.20), "level-4": (0.12, 0.16, 0.11), "level-5": (0.13, 0.05, 0.08)}
    found = {
        name: [GameLosses("whole", number, name, {"turn": [loss]}, 0.0) for number, loss in enumerate(games)]
        for name, games in losses.items()
    }
    assert distinguishable_groups(found) == [["level-3", "level-4", "level-5"]]
    better = found | {"level-5": [GameLosses("whole", number, "level-5", {"turn": [0.02]}, 0.0) for number in range(3)]}
    assert distinguishable_groups(better) == [["level-3", "level-4"], ["level-5"]]


def test_with_few_games_two_standard_errors_are_not_significant() -> None:
    """The differences 0.1, 0.2 and 0.5 have a mean of 2.2 standard errors; by Student's t it takes 4.3."""
    losses = {"level-4": (0.2, 0.3, 0.6), "level-5": (0.1, 0.1, 0.1)}
    found = {
        name: [GameLosses("whole", number, name, {"turn": [loss]}, 0.0) for number, loss in enumerate(games)]
        for name, games in losses.items()
    }
    assert distinguishable_groups(found) == [["level-4", "level-5"]]
    more = {
        name: [GameLosses("whole", number, name, {"turn": [loss]}, 0.0) for number, loss in enumerate(games * 4)]
        for name, games in losses.items()
    }
    assert distinguishable_groups(more) == [["level-4"], ["level-5"]]


def test_the_loss_of_a_level_has_an_interval_by_student_t() -> None:
    levels = {"level-4": MeasuredLoss(0.3, 0.05, 4, 100, {"turn": 0.3}), "level-5": MeasuredLoss(0.2, 0.0, 1, 25)}
    lines = level_losses.table(PartCalibration(levels, ((4, 4), (5, 5))))
    assert "| level-4 | 0.300 ± 0.159 | 4 | 100 | 0.30 |" in lines
    assert "| level-5 | 0.200 | 1 | 25 |  |" in lines


def test_the_level_of_a_seat_is_less_certain_the_fewer_its_decisions() -> None:
    levels = {f"level-{number}": MeasuredLoss(2.0**-number, 0.0, 4, 100) for number in range(1, 6)}
    rated = StrengthRater(PartCalibration(levels, tuple((number, number) for number in range(1, 6))))
    decision = next(each for each in review_of(finished("mycity", "random")).decisions if each.counts)

    def lost_by(points: float) -> Decision:
        return msgspec.structs.replace(decision, loss=msgspec.structs.replace(decision.loss, points=Estimate(points)))

    def strength(losses: list[float]) -> Strength:
        found = rated(0, [lost_by(loss) for loss in losses])
        assert found
        return found

    few = strength([0.1, 0.15])
    assert (few.loss.error, few.low) == (0.025, 1.18), "0.125 + 12.71 * 0.025 points"
    assert few.high == 5.0
    many = strength([0.1, 0.15] * 50)
    assert 2.8 < many.low < many.level == 3.0 < many.high < 3.2


def test_parts_without_a_calibration_are_not_rated() -> None:
    assert part_of(mycity.Setup(seats=2)) == "whole"
    assert calibration_for("mycity", "whole")
    assert part_of(mycity.Setup(mode="episode", episode=7, seats=2)) == "episode-7"
    assert calibration_for("mycity", "episode-7") is None
    assert review_of(finished("mycity-24", "random")).strengths == ()
    assert len(review_of(finished("mycity", "random")).strengths) == 2


YARDSTICKS = [("mycity", "whole"), ("rollwrite", "episode-1"), ("rollwrite", "episode-12"), ("pointcity", "whole")]


@pytest.mark.parametrize(("game", "part"), YARDSTICKS)
def test_stronger_levels_lose_less(game: str, part: str) -> None:
    known = calibration_for(game, part)
    assert known
    losses = [known.levels[name].loss for name in LEVEL_NUMBERS]
    assert losses == sorted(losses, reverse=True)


def test_a_simulator_that_learns_restarts_with_more_futures() -> None:
    """A choice has the same value in a review and in an exercise."""
    whole = finished("pointcity", "random")
    evaluation = evaluation_of(match_before_round(whole, evaluation_of(whole).begins + 3))
    for futures, width in ((3, 2), (6, 1)):
        for _ in evaluation.evaluate(futures, width):
            pass
    step = next(step for step in evaluation.steps if step.decisions and step.decisions[0].counts)
    (asked,) = step.decisions
    actions = [asked.tried[number] for number in asked.open]
    assert [asked.estimates[number].results for number in asked.open] == evaluation.oracle.after_choices(
        step.state, asked.seat, actions, range(6)
    )


def test_results_become_more_precise_and_can_be_cancelled() -> None:
    steps = review_matches([finished("rollwrite-alone", "random")], "key", QUICK)
    done, reviews = list[float](), list[Review]()
    for progress in steps:
        done.append(progress.done)
        reviews += [progress.review] if progress.review else []
    assert done == sorted(done)
    assert done[-1] == 1.0
    assert [(review.futures, review.final) for review in reviews] == [(3, False), (6, True)]
    given_up = review_matches([finished("rollwrite-alone", "random")], "key", QUICK)
    next(given_up)
    given_up.close()  # type: ignore[attr-defined]


def test_the_cache_key_depends_on_the_moves_and_not_on_the_players() -> None:
    match = finished("rollwrite-alone", "random")
    record = record_of(match, ["Ann"])
    assert review_key(record) == review_key(record_of(match, ["Bob"]))
    other = record_of(match.rewound(len(match.moves) - 1), ["Ann"])
    assert review_key(other) != review_key(record)
    first = next(progress for progress in review_record(record, QUICK) if progress.review)
    assert first.review
    assert first.review.key == review_key(record)
    assert msgspec.json.decode(msgspec.json.encode(first.review), type=Review).futures == 3


def test_an_unfinished_match_is_reviewed_up_to_its_last_move() -> None:
    whole = finished("mycity", "random")
    match = match_before_round(whole, len(whole.moves) // 2)
    review = review_of(match)
    assert review.moves == len(match.moves)
    account = review.accounts[0]
    terms = account.start, account.luck, account.skill, account.others
    assert sum(term.points.mean for term in terms) == pytest.approx(account.result.points.mean, abs=1e-3)


def test_a_campaign_is_reviewed_episode_by_episode() -> None:
    """The last one up to its last move, and each with the carry-over of the earlier ones."""
    campaign, seed = Campaign(rollwrite, (1, 2), rollwrite.Setup(seats=1)), seed_of("campaign")
    first = play(rollwrite, campaign.next_setup(), ["random"], seed, seed)
    campaign = campaign.add(first)
    second = play(rollwrite, campaign.next_setup(), ["random"], derive_seed(seed, "second", 0), seed)
    second = second.rewound(len(second.moves) // 2)
    record = campaign_record_of(campaign, [record_of(first), record_of(second)])
    (*_, last) = (progress.review for progress in review_record(record, QUICK) if progress.review)
    assert [match.moves for match in last.matches] == [len(first.moves), len(second.moves)]
    assert last.matches[0] == review_of(first, seed=SEED)
    assert last.matches[0].accounts[0].score == first.result.scores[0]
    assert last.key == review_key(record) != review_key(record_of(first))


@pytest.mark.slow
@thousands
def test_random_play_loses_far_more_than_level_3() -> None:
    for table in ("mycity", "pointcity"):
        losses = {}
        for player in ("random", "level-3"):
            review = review_of(finished(table, player), Precision(24, 6))
            losses[player] = fmean(each.loss.points.mean for each in review.decisions if each.counts)
        assert losses["random"] > 3 * losses["level-3"], table
