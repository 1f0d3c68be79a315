"""Levels depend only on the state and the seed, and higher levels are stronger."""

from statistics import fmean
from typing import Any

import pytest

from polyopolis.bots import LEVELS, bot, choose, opponents
from polyopolis.bots.feature_weights import (
    BadWeights,
    PartWeights,
    WeightsFile,
    default_weights,
    flat_weights,
    format_weights,
    read_weights,
    weights_for,
)
from polyopolis.bots.learned_level import MASTER_GAMES
from polyopolis.bots.levels import BotLevel
from polyopolis.bots.tournaments.arena import Contest, bot_summaries, play, run_contest
from polyopolis.engine import CHANCE, Match, seed_of
from polyopolis.games import GAME_SPECS, game
from polyopolis.games.mycity.actions import Reveal, Stop
from polyopolis.kernels.city_arrays import CitySite, city_site
from polyopolis.kernels.city_position import greedy_outcomes, position_of, random_scores
from polyopolis.kernels.positions import features_of, require_kernel
from polyopolis.kernels.runtime.rng import future_seeds, new_rng
from tests.games.rollwrite.positions import city, field, roll, table

mycity, rollwrite = game("mycity"), game("rollwrite")
KEYS = [key for key, sign in GAME_SPECS.items() if sign.kernel]
QUICK = BotLevel(simulations=40, width=8)


def eternal() -> Any:
    return mycity.start(mycity.Setup(seats=2)).episode


def test_five_levels_are_ordered_by_simulations() -> None:
    assert list(LEVELS) == [f"level-{number}" for number in range(1, 6)]
    simulations = [level.simulations for level in LEVELS.values()]
    assert simulations == sorted(simulations)


@pytest.mark.parametrize("name", ["level-1", "level-2", "level-3"])
def test_levels_play_to_the_end(name: str) -> None:
    assert play(mycity, mycity.Setup(seats=2), (name, "random"), seed_of("play"), seed_of("bots")).over
    assert play(rollwrite, rollwrite.Setup(seats=1, episode=12), (name,), seed_of("play"), seed_of("bots")).over


def test_a_choice_depends_only_on_the_seed_and_the_match() -> None:
    match = Match.start(mycity, mycity.Setup(seats=2)).decide(CHANCE, Reveal("blue-u5"))
    chosen = {choose(QUICK, match, 0, seed_of("same")) for _ in range(3)}
    assert len(chosen) == 1


def test_a_search_stops_when_no_points_are_left() -> None:
    full = field(". .|. .")
    match = roll(table(full, city(full, "A A|B B", A="residential", B="industrial")), "i1")
    assert choose(bot("sight"), match, 0, seed_of("x")) == Stop()
    assert choose(QUICK, match, 0, seed_of("x")) == Stop()


@pytest.mark.parametrize("key", KEYS)
def test_every_game_with_a_kernel_offers_its_levels(key: str) -> None:
    learnt = ("master",) if key in MASTER_GAMES else ()
    assert opponents(key) == ("novice", *LEVELS, *learnt, "greedy", "random")


def test_weights_are_better_than_random_play_in_every_part() -> None:
    lands = [
        (key, part, site)
        for key in KEYS
        for part, site in require_kernel(key).parts().items()
        if isinstance(site, CitySite)
    ]
    assert {key for key, _, _ in lands} == {"mycity", "rollwrite"}
    for key, part, site in lands:
        tuned = fmean(greedy_outcomes(site, flat_weights(weights_for(key, part, site)), future_seeds(0, 40)))
        random_play = fmean(float(score) for score in random_scores(site, 40, new_rng(1))[0])
        assert tuned > random_play + 10, (key, part)


def test_each_part_names_the_command_and_the_figures_that_made_it() -> None:
    for key in KEYS:
        for part in read_weights(key).parts.values():
            assert part.command.startswith(f"polyopolis tune {key}")
            assert "mean" in part.figures
            assert set(part.weights) <= set(features_of(key))


def test_weights_files_round_trip(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    part = PartWeights("polyopolis tune mycity", "mean 1", {"trees": (0.5, 1.0)})
    (tmp_path / "mycity.toml").write_text(format_weights({"all": part}))
    (tmp_path / "rollwrite.toml").write_text(format_weights({"all": PartWeights("c", "f", {"luck": (1.0, 1.0)})}))
    monkeypatch.setattr("polyopolis.bots.feature_weights.weights_folder", lambda: tmp_path)
    read_weights.cache_clear()
    assert read_weights("mycity") == WeightsFile({"all": part})
    assert read_weights("pointcity") == WeightsFile({})
    with pytest.raises(BadWeights, match=r"rollwrite.toml: all: there is no feature 'luck'"):
        read_weights("rollwrite")
    read_weights.cache_clear()


def test_an_unknown_part_has_the_weights_of_the_whole_game() -> None:
    state = mycity.start(mycity.Setup(mode="episode", episode=1, seats=2))
    position = position_of("mycity", state, 0)
    site = position.site
    assert position.part == "episode-1"
    assert weights_for("mycity", "nowhere", site) == weights_for("mycity", "all", site)
    assert "wells" not in default_weights(site)
    assert "wells" in weights_for("mycity", "all", city_site("mycity", eternal()))
    assert "wells" not in weights_for("mycity", "all", site), "features that do not count have no weight"


@pytest.mark.soak
def test_a_search_is_stronger_than_no_search() -> None:
    contest = Contest("mycity", mycity.Setup(seats=2), ("level-3", "sight"), 20, "levels")
    first, second = bot_summaries(run_contest(contest))
    assert (first.bot, second.bot) == ("level-3", "sight")
