"""Tuning and ladders can be resumed; a ladder is written between its marks in a document."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from polyopolis.bots.feature_weights import weights_for
from polyopolis.bots.levels import BotLevel
from polyopolis.bots.tournaments import ladder, weight_tuning
from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.executors import InlineExecutor, local_executor
from polyopolis.bots.tournaments.ladder import BadLadder, Ladder
from polyopolis.games import GAME_SPECS, game
from polyopolis.kernels import NoKernel
from polyopolis.kernels.runtime.rng import future_seeds

RANKED = BotLevel.ranked
BUDGET = weight_tuning.TuningBudget(seconds=0.01, seed="test")


@pytest.mark.slow
def test_tuning_is_stored_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 2)
    target, path = weight_tuning.tuning_targets("mycity")["all"], tmp_path / "deep" / "mycity.json"
    first = weight_tuning.resume_tuning(path, target)
    assert first.generation == 0
    (second,) = weight_tuning.tune(target, first, BUDGET, path, InlineExecutor())
    assert weight_tuning.resume_tuning(path, target) == second
    assert second.generation == 1
    assert second.means != first.means
    with local_executor(2) as executor:
        again = weight_tuning.next_generation(target, first, "test", executor)
    assert (again.means, again.spreads) == (second.means, second.spreads)


def test_stored_tuning_with_other_features_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "mycity.json"
    path.write_bytes(msgspec.json.encode(weight_tuning.SamplingDistribution(("trees",), (1.0, 1.0), (0.1, 0.1), 7)))
    assert weight_tuning.resume_tuning(path, weight_tuning.tuning_targets("mycity")["all"]).generation == 0


def test_the_final_evaluation_uses_other_luck_than_tuning() -> None:
    judging = set(map(int, weight_tuning.generation_luck("test", -1, 500)))
    assert all(
        judging.isdisjoint(map(int, weight_tuning.generation_luck("test", generation, 500))) for generation in range(5)
    )


def test_a_game_without_a_kernel_cannot_be_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME_SPECS, "mycity", replace(GAME_SPECS["mycity"], kernel=None))
    with pytest.raises(NoKernel, match="mycity has no kernel"):
        weight_tuning.tuning_targets("mycity")


def test_point_city_is_tuned_at_a_table_and_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 2)
    targets = weight_tuning.tuning_targets("pointcity")
    assert list(targets) == ["all", "seats-1"]
    for part, target in targets.items():
        path = tmp_path / f"{part}.json"
        (distribution,) = weight_tuning.tune(
            target, weight_tuning.resume_tuning(path, target), BUDGET, path, InlineExecutor()
        )
        assert weight_tuning.resume_tuning(path, target) == distribution


def test_weights_have_no_lead_over_themselves() -> None:
    target = weight_tuning.tuning_targets("pointcity")["all"]
    own = weights_for("pointcity", "all", target.site)
    assert weight_tuning.evaluate_trial(weight_tuning.trial_of(target, own, future_seeds(0, 4))).mean == 0.0


@pytest.fixture
def _fast_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the levels by two fast ones."""
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": BotLevel(visible=(1, 2)), "level-2": BotLevel()})


@pytest.mark.usefixtures("_fast_levels")
def test_a_stopped_ladder_is_resumed(tmp_path: Path) -> None:
    three = Ladder("mycity", decks=3, seed="test")
    path = tmp_path / "deep" / three.file
    games = ladder.play_ladder(three, InlineExecutor(), path)
    some = [next(games) for _ in range(3)]
    games.close()
    path.write_bytes(path.read_bytes() + b'{"levels": ["level-1", "lev')
    assert ladder.read_games(path)[:3] == some, "the second deck is stored completely"
    assert len(ladder.read_games(path)) == 4
    whole = list(ladder.play_ladder(three, InlineExecutor(), path))
    assert len(whole) == len(three.tasks) == 6
    assert whole[:3] == some
    assert ladder.read_games(path) == whole
    assert whole == list(ladder.play_ladder(three, InlineExecutor(), tmp_path / "other.jsonl"))
    assert whole[:2] == list(ladder.play_ladder(Ladder("mycity", decks=1, seed="test"), InlineExecutor(), path))


@pytest.mark.usefixtures("_fast_levels")
def test_a_level_of_a_ladder_decides_once_per_observation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A city plays the same game with a deck in every seat, so its score is always the same."""
    decisions = []
    monkeypatch.setattr(BotLevel, "ranked", lambda *args: decisions.append(1) or RANKED(*args))  # type: ignore[func-returns-value]
    games = list(
        ladder.play_ladder(Ladder("mycity", decks=1, seed="test"), InlineExecutor(), tmp_path / "ladder.jsonl")
    )
    assert len(games) == 2
    for name in ("level-1", "level-2"):
        assert len({found.score(name) for found in games}) == 1
    cards = len(game("mycity").start(game("mycity").Setup(seats=2)).deck)
    assert 0 < len(decisions) <= 2 * cards


@pytest.mark.usefixtures("_fast_levels")
def test_a_ladder_in_a_game_of_episodes_plays_them_in_turn() -> None:
    rollwrite = game("rollwrite")
    some_ladder = Ladder("rollwrite", decks=3, seed="x")
    assert [some_ladder.contest(("level-1", "level-2"), number) for number in range(6)] == [
        Contest("rollwrite", rollwrite.Setup(seats=2, episode=episode), ("level-1", "level-2"), 6, "x")
        for episode in (1, 1, 2, 2, 3, 3)
    ]
    assert "its 12 episodes in turn for 2, 0 games" in ladder.ladder_table(some_ladder, [])


@pytest.mark.parametrize(("key", "seats", "tables"), [("mycity", 2, 10), ("pointcity", 3, 10), ("mycity", 4, 5)])
def test_every_combination_of_levels_plays(key: str, seats: int, tables: int) -> None:
    some_ladder = Ladder(key, seats, decks=2)
    assert len({levels for levels, _ in some_ladder.tasks}) == tables
    assert len(some_ladder.tasks) == tables * seats * 2
    assert {some_ladder.contest(*task).setup.seats for task in some_ladder.tasks} == {seats}


def test_a_ladder_needs_as_many_levels_as_seats() -> None:
    for key, seats, most in (("pointcity", 1, 4), ("mycity", 5, 4), ("rollwrite", 6, 5)):
        with pytest.raises(BadLadder, match=f"a ladder of {key} is for 2 to {most} seats, not {seats}"):
            Ladder(key, seats)
    with pytest.raises(BadLadder, match="there is no level 'novice'; there are level-1, "):
        Ladder("mycity", chosen=("novice", "master"))
    chosen = Ladder("mycity", decks=1, chosen=("master", "level-5"))
    assert {levels for levels, _ in chosen.tasks} == {("level-5", "master")}
    assert chosen.command.endswith("--seed ladder --levels level-5,master")


def between(number: int, scores: tuple[int, int], ranks: tuple[int, int]) -> ladder.LadderGame:
    players = ("level-1", "level-2") if number % 2 == 0 else ("level-2", "level-1")
    return ladder.LadderGame(("level-1", "level-2"), number, players, scores, ranks)


GAMES = [
    between(0, (10, 20), (2, 1)),
    between(1, (30, 20), (1, 2)),
    between(2, (10, 10), (1, 1)),
    between(3, (20, 0), (1, 2)),
]


@pytest.mark.usefixtures("_fast_levels")
def test_the_table_contains_ratings_scores_and_shares_over_decks() -> None:
    two = Ladder("mycity", decks=2)
    text = ladder.ladder_table(two, GAMES)
    higher, lower = (ladder.ratings(GAMES)[name] for name in ("level-2", "level-1"))
    assert f"| level-2 | {higher.mean:.1f} ± {higher.margin:.1f} | 20.0 ± 63.5 | 88 % (40-99 %) |  |" in text
    assert f"| level-1 | {lower.mean:.1f} ± {lower.margin:.1f} | 10.0 ± 63.5 |  | 12 % (1-60 %) |" in text
    assert f"Made by `{two.command}`: the eternal game for 2, 4 games." in text


@pytest.mark.usefixtures("_fast_levels")
def test_ratings_do_not_depend_on_the_order_of_the_games() -> None:
    found = ladder.ratings(GAMES)
    assert found["level-2"].mean > 25 > found["level-1"].mean
    assert ladder.ratings(GAMES[::-1]) == found


@pytest.mark.usefixtures("_fast_levels")
def test_a_share_of_100_percent_has_a_confidence_interval() -> None:
    always = [between(number, *(((20, 10), (1, 2)) if number % 2 else ((10, 20), (2, 1)))) for number in range(12)]
    assert "| 100 % (61-100 %) |" in ladder.ladder_table(Ladder("mycity", decks=6), always)


def test_with_three_seats_bots_are_compared_by_rank() -> None:
    three = ladder.LadderGame(
        ("level-1", "level-2", "level-3"), 5, ("level-2", "level-3", "level-1"), (7, 9, 7), (2, 1, 2)
    )
    assert three.deck == 1
    assert three.ahead("level-3", "level-1") == 1.0
    assert three.ahead("level-1", "level-2") == 0.5
    assert three.ahead("level-2", "level-3") == 0.0


def test_a_ladder_is_inserted_between_its_marks() -> None:
    two, three = Ladder("mycity"), Ladder("mycity", 3)
    first = ladder.insert_table("# A game\n", two, "one")
    assert first.startswith("# A game\n\n## How strong the levels are\n\n")
    second = ladder.insert_table(first + "\nAfter it.\n", two, "two")
    assert second == first.replace("one", "two") + "\nAfter it.\n"
    some = ladder.insert_table(second, Ladder("mycity", chosen=("master", "level-5")), "some")
    assert "<!-- ladder for 2 of level-5 master, written by `polyopolis ladder` -->\nsome\n" in some
    assert some.startswith(second.rstrip()), "the ladder of all levels stays"
    both = ladder.insert_table(second, three, "three")
    assert both.count("## How strong") == 1
    assert ladder.insert_table(both, two, "new") == both.replace("two\n", "new\n")
