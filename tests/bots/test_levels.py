"""Levels choose what is legal, depend on nothing but the state and their seed, and higher ones are stronger."""

from statistics import fmean
from typing import Any

import pytest

from polyopolis.bots import LEVELS, bot, choose, opponents
from polyopolis.bots.feature_weights import BadWeights, Part, WeightsFile, flat, guess, read, weights_for, written
from polyopolis.bots.learned_level import MASTERED
from polyopolis.bots.levels import Level
from polyopolis.bots.tournaments.arena import Contest, play, run, showings
from polyopolis.engine import CHANCE, Match, seed_of
from polyopolis.games import GAME_SPECS, game
from polyopolis.games.mycity.actions import Reveal, Stop
from polyopolis.kernels.city_arrays import Land, land_of
from polyopolis.kernels.city_position import good_outcomes, position_of, random_scores
from polyopolis.kernels.positions import features_of, needed
from polyopolis.kernels.runtime.rng import futures_of, luck_of
from tests.games.rollwrite.positions import city, field, roll, table

mycity, rollwrite = game("mycity"), game("rollwrite")
KEYS = [key for key, sign in GAME_SPECS.items() if sign.kernel]
QUICK = Level(simulations=40, width=8)


def eternal() -> Any:
    return mycity.start(mycity.Setup(seats=2)).episode


def test_there_are_five_levels_by_simulations() -> None:
    assert list(LEVELS) == [f"level-{number}" for number in range(1, 6)]
    simulations = [level.simulations for level in LEVELS.values()]
    assert simulations == sorted(simulations)


@pytest.mark.parametrize("name", ["level-1", "level-2", "level-3"])
def test_levels_play_to_the_end(name: str) -> None:
    assert play(mycity, mycity.Setup(seats=2), (name, "random"), seed_of("play"), seed_of("bots")).over
    assert play(rollwrite, rollwrite.Setup(seats=1, episode=12), (name,), seed_of("play"), seed_of("bots")).over


def test_a_level_depends_on_its_seed_and_the_match_alone() -> None:
    match = Match.start(mycity, mycity.Setup(seats=2)).decide(CHANCE, Reveal("blue-u5"))
    chosen = {choose(QUICK, match, 0, seed_of("same")) for _ in range(3)}
    assert len(chosen) == 1


def test_a_search_stops_when_nothing_is_left_to_gain() -> None:
    full = field(". .|. .")
    match = roll(table(full, city(full, "A A|B B", A="residential", B="industrial")), "i1")
    assert choose(bot("sight"), match, 0, seed_of("x")) == Stop()
    assert choose(QUICK, match, 0, seed_of("x")) == Stop()


@pytest.mark.parametrize("key", KEYS)
def test_every_game_with_a_kernel_offers_its_levels(key: str) -> None:
    learnt = ("master",) if key in MASTERED else ()
    assert opponents(key) == ("novice", *LEVELS, *learnt, "greedy", "random")


def test_weights_are_better_than_chance_in_every_part() -> None:
    lands = [(key, part, site) for key in KEYS for part, site in needed(key).parts().items() if isinstance(site, Land)]
    assert {key for key, _, _ in lands} == {"mycity", "rollwrite"}
    for key, part, site in lands:
        tuned = fmean(good_outcomes(site, flat(weights_for(key, part, site)), futures_of(0, 40)))
        anyhow = fmean(float(score) for score in random_scores(site, 40, luck_of(1))[0])
        assert tuned > anyhow + 10, (key, part)


def test_each_part_names_the_command_and_the_figures_that_made_it() -> None:
    for key in KEYS:
        for part in read(key).parts.values():
            assert part.command.startswith(f"polyopolis tune {key}")
            assert "mean" in part.figures
            assert set(part.weights) <= set(features_of(key))


def test_a_file_of_weights_is_read_as_it_was_written(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("polyopolis tune mycity", "mean 1", {"trees": (0.5, 1.0)})
    (tmp_path / "mycity.toml").write_text(written({"all": part}))
    (tmp_path / "rollwrite.toml").write_text(written({"all": Part("c", "f", {"luck": (1.0, 1.0)})}))
    monkeypatch.setattr("polyopolis.bots.feature_weights.folder", lambda: tmp_path)
    read.cache_clear()
    assert read("mycity") == WeightsFile({"all": part})
    assert read("pointcity") == WeightsFile({})
    with pytest.raises(BadWeights, match=r"rollwrite.toml: all: there is no feature 'luck'"):
        read("rollwrite")
    read.cache_clear()


def test_an_unknown_part_has_the_weights_of_the_whole_game() -> None:
    state = mycity.start(mycity.Setup(mode="episode", episode=1, seats=2))
    position = position_of("mycity", state, 0)
    site = position.site
    assert position.part == "episode-1"
    assert weights_for("mycity", "nowhere", site) == weights_for("mycity", "all", site)
    assert "wells" not in guess(site)
    assert "wells" in weights_for("mycity", "all", land_of("mycity", eternal()))
    assert "wells" not in weights_for("mycity", "all", site), "what counts for nothing is worth nothing"


@pytest.mark.soak
def test_a_search_is_ahead_of_a_look() -> None:
    contest = Contest("mycity", mycity.Setup(seats=2), ("level-3", "sight"), 20, "levels")
    first, second = showings(run(contest))
    assert (first.bot, second.bot) == ("level-3", "sight")
