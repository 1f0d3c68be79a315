"""Tuning goes on where it stopped; a ladder too, and it is written between its marks."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from polyopolis.bots.feature_weights import weights_for
from polyopolis.bots.levels import Level
from polyopolis.bots.tournaments import ladder, weight_tuning
from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.executors import InlineExecutor, local_executor
from polyopolis.bots.tournaments.ladder import BadLadder, Ladder
from polyopolis.games import GAME_SPECS, game
from polyopolis.kernels import NoKernel
from polyopolis.kernels.runtime.rng import futures_of

RANKED = Level.ranked
EFFORT = weight_tuning.TuningBudget(seconds=0.01, seed="test")


@pytest.mark.slow
def test_tuning_is_kept_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 2)
    ground, keep = weight_tuning.grounds("mycity")["all"], tmp_path / "deep" / "mycity.json"
    first = weight_tuning.resumed(keep, ground)
    assert first.generation == 0
    (second,) = weight_tuning.tune(ground, first, EFFORT, keep, InlineExecutor())
    assert weight_tuning.resumed(keep, ground) == second
    assert second.generation == 1
    assert second.means != first.means
    with local_executor(2) as hands:
        again = weight_tuning.next_cloud(ground, first, "test", hands)
    assert (again.means, again.spreads) == (second.means, second.spreads)


def test_what_was_kept_of_other_features_is_not_taken_up(tmp_path: Path) -> None:
    keep = tmp_path / "mycity.json"
    keep.write_bytes(msgspec.json.encode(weight_tuning.SamplingDistribution(("trees",), (1.0, 1.0), (0.1, 0.1), 7)))
    assert weight_tuning.resumed(keep, weight_tuning.grounds("mycity")["all"]).generation == 0


def test_luck_that_judges_is_not_luck_that_tunes() -> None:
    judging = set(map(int, weight_tuning.luck_in("test", -1, 500)))
    assert all(judging.isdisjoint(map(int, weight_tuning.luck_in("test", generation, 500))) for generation in range(5))


def test_a_game_without_a_kernel_is_not_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME_SPECS, "mycity", replace(GAME_SPECS["mycity"], kernel=None))
    with pytest.raises(NoKernel, match="there is no kernel for mycity"):
        weight_tuning.grounds("mycity")


def test_point_city_is_tuned_at_a_table_and_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 2)
    grounds = weight_tuning.grounds("pointcity")
    assert list(grounds) == ["all", "seats-1"]
    for part, ground in grounds.items():
        keep = tmp_path / f"{part}.json"
        (cloud,) = weight_tuning.tune(ground, weight_tuning.resumed(keep, ground), EFFORT, keep, InlineExecutor())
        assert weight_tuning.resumed(keep, ground) == cloud


def test_nobody_is_ahead_of_his_own_weights() -> None:
    ground = weight_tuning.grounds("pointcity")["all"]
    own = weights_for("pointcity", "all", ground.site)
    assert weight_tuning.judged(weight_tuning.case(ground, own, futures_of(0, 4))).mean == 0.0


@pytest.fixture
def _weak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two levels, both quick."""
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": Level(sees=(1, 2)), "level-2": Level()})


@pytest.mark.usefixtures("_weak")
def test_a_ladder_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    three = Ladder("mycity", decks=3, seed="test")
    path = tmp_path / "deep" / three.file
    climb = ladder.climb(three, InlineExecutor(), path)
    some = [next(climb) for _ in range(3)]
    climb.close()
    path.write_bytes(path.read_bytes() + b'{"levels": ["level-1", "lev')
    assert ladder.kept(path)[:3] == some, "the second deck is kept as a whole"
    assert len(ladder.kept(path)) == 4
    whole = list(ladder.climb(three, InlineExecutor(), path))
    assert len(whole) == len(three.tasks) == 6
    assert whole[:3] == some
    assert ladder.kept(path) == whole
    assert whole == list(ladder.climb(three, InlineExecutor(), tmp_path / "other.jsonl"))
    assert whole[:2] == list(ladder.climb(Ladder("mycity", decks=1, seed="test"), InlineExecutor(), path))


@pytest.mark.usefixtures("_weak")
def test_a_level_of_a_ladder_thinks_once_about_what_it_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck is the same game for a city alone, in whichever seat: its score is the same all the time."""
    thoughts = []
    monkeypatch.setattr(Level, "ranked", lambda *args: thoughts.append(1) or RANKED(*args))  # type: ignore[func-returns-value]
    games = list(ladder.climb(Ladder("mycity", decks=1, seed="test"), InlineExecutor(), tmp_path / "ladder.jsonl"))
    assert len(games) == 2
    for name in ("level-1", "level-2"):
        assert len({found.score(name) for found in games}) == 1
    cards = len(game("mycity").start(game("mycity").Setup(seats=2)).deck)
    assert 0 < len(thoughts) <= 2 * cards


@pytest.mark.usefixtures("_weak")
def test_a_ladder_in_a_game_of_episodes_plays_them_in_turn() -> None:
    rollwrite = game("rollwrite")
    climbing = Ladder("rollwrite", decks=3, seed="x")
    assert [climbing.contest(("level-1", "level-2"), number) for number in range(6)] == [
        Contest("rollwrite", rollwrite.Setup(seats=2, episode=episode), ("level-1", "level-2"), 6, "x")
        for episode in (1, 1, 2, 2, 3, 3)
    ]
    assert "its 12 episodes in turn for 2, 0 games" in ladder.table(climbing, [])


@pytest.mark.parametrize(("key", "seats", "tables"), [("mycity", 2, 10), ("pointcity", 3, 10), ("mycity", 4, 5)])
def test_every_choice_of_levels_sits_down_together(key: str, seats: int, tables: int) -> None:
    climbing = Ladder(key, seats, decks=2)
    assert len({levels for levels, _ in climbing.tasks}) == tables
    assert len(climbing.tasks) == tables * seats * 2
    assert {climbing.contest(*task).setup.seats for task in climbing.tasks} == {seats}


def test_a_ladder_needs_as_many_levels_as_seats() -> None:
    for key, seats, most in (("pointcity", 1, 4), ("mycity", 5, 4), ("rollwrite", 6, 5)):
        with pytest.raises(BadLadder, match=f"a ladder of {key} is for 2 to {most} seats, not {seats}"):
            Ladder(key, seats)
    with pytest.raises(BadLadder, match="there is no level 'novice'; there are level-1, "):
        Ladder("mycity", chosen=("novice", "master"))
    chosen = Ladder("mycity", decks=1, chosen=("master", "level-5"))
    assert {levels for levels, _ in chosen.tasks} == {("level-5", "master")}
    assert chosen.command.endswith("--seed ladder --levels level-5,master")


def between(number: int, scores: tuple[int, int], ranks: tuple[int, int]) -> ladder.Game:
    players = ("level-1", "level-2") if number % 2 == 0 else ("level-2", "level-1")
    return ladder.Game(("level-1", "level-2"), number, players, scores, ranks)


GAMES = [
    between(0, (10, 20), (2, 1)),
    between(1, (30, 20), (1, 2)),
    between(2, (10, 10), (1, 1)),
    between(3, (20, 0), (1, 2)),
]


@pytest.mark.usefixtures("_weak")
def test_the_table_tells_ratings_scores_and_shares_over_decks() -> None:
    two = Ladder("mycity", decks=2)
    told = ladder.table(two, GAMES)
    higher, lower = (ladder.ratings(GAMES)[name] for name in ("level-2", "level-1"))
    assert f"| level-2 | {higher.mean:.1f} ± {higher.margin:.1f} | 20.0 ± 63.5 | 88 % (40-99 %) |  |" in told
    assert f"| level-1 | {lower.mean:.1f} ± {lower.margin:.1f} | 10.0 ± 63.5 |  | 12 % (1-60 %) |" in told
    assert f"Made by `{two.command}`: the eternal game for 2, 4 games." in told


@pytest.mark.usefixtures("_weak")
def test_ratings_depend_on_the_games_and_not_on_when_they_were_played() -> None:
    found = ladder.ratings(GAMES)
    assert found["level-2"].mean > 25 > found["level-1"].mean
    assert ladder.ratings(GAMES[::-1]) == found


@pytest.mark.usefixtures("_weak")
def test_what_was_never_seen_may_still_be() -> None:
    always = [between(number, *(((20, 10), (1, 2)) if number % 2 else ((10, 20), (2, 1)))) for number in range(12)]
    assert "| 100 % (61-100 %) |" in ladder.table(Ladder("mycity", decks=6), always)


def test_at_a_larger_table_one_is_ahead_of_each_other_by_rank() -> None:
    three = ladder.Game(("level-1", "level-2", "level-3"), 5, ("level-2", "level-3", "level-1"), (7, 9, 7), (2, 1, 2))
    assert three.deck == 1
    assert three.ahead("level-3", "level-1") == 1.0
    assert three.ahead("level-1", "level-2") == 0.5
    assert three.ahead("level-2", "level-3") == 0.0


def test_a_ladder_is_written_between_its_marks() -> None:
    two, three = Ladder("mycity"), Ladder("mycity", 3)
    first = ladder.put("# A game\n", two, "one")
    assert first.startswith("# A game\n\n## How strong the levels are\n\n")
    second = ladder.put(first + "\nAfter it.\n", two, "two")
    assert second == first.replace("one", "two") + "\nAfter it.\n"
    some = ladder.put(second, Ladder("mycity", chosen=("master", "level-5")), "some")
    assert "<!-- ladder for 2 of level-5 master, written by `polyopolis ladder` -->\nsome\n" in some
    assert some.startswith(second.rstrip()), "beside the one of all levels"
    both = ladder.put(second, three, "three")
    assert both.count("## How strong") == 1
    assert ladder.put(both, two, "new") == both.replace("two\n", "new\n")
