"""Whatever a bot weighs can be said to a player, in every language of the screens."""

import json
from pathlib import Path

import pytest

from polyopolis.bots.evaluation import mycity, rollwrite, values_of
from polyopolis.bots.explanation_phrases import topic
from polyopolis.bots.feature_weights import read
from polyopolis.engine import Match
from polyopolis.games import BUILTIN_SPECS, game
from polyopolis.kernels.city_arrays import LANDS
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.placing.layout import FEATURES

CATALOGUES = Path(__file__).parents[2] / "client" / "src" / "i18n"
CHAPTERS = CATALOGUES.parent / "games"
LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir() if path.is_dir())
ELSEWHERE = {
    "mycity": {"bandits", "complete", "never-passed", "all-trees", "no-rocks", "no-empty"},
    "rollwrite": {
        "dykes", "factories", "works", "gained", "beside", "forest", "felled", "port", "chain", "links", "parks",
        "hedges",
    },
}  # fmt: skip
"""What is in the other game alone."""
VALUED = {*mycity.FEATURES, *rollwrite.FEATURES, "prospects", "buildings", "stock", "luck"}
"""What only those weigh who look one step ahead."""


def words(language: str, name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((CATALOGUES / language / "books" / f"{name}.json").read_text("utf-8"))
    return found


def sealed(language: str, key: str) -> dict[str, str]:
    """What a game says only once its chapters are open."""
    files = CHAPTERS.glob(f"{key}/chapters/*/{language}.json")
    return {name: text for file in files for name, text in json.loads(file.read_text("utf-8")).items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", LANDS)
def test_placing_games_have_words_for_every_feature(language: str, key: str) -> None:
    shared, own = words(language, "building"), words(language, key) | sealed(language, key)
    features = {*FEATURES, *mycity.FEATURES, *rollwrite.FEATURES, "prospects", "purses"}
    for name in features - ELSEWHERE[key]:
        assert {f"building.feature.{name}", f"{key}.line.{name}"} & {*shared, *own}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_point_city_has_words_for_every_feature(language: str) -> None:
    rules = game("pointcity")
    match = Match.start(rules, rules.Setup(seats=2))
    assert {f"pointcity.feature.{name}" for name in values_of("pointcity")(match.state, 0)} <= words(
        language, "pointcity"
    ).keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [sign.key for sign in BUILTIN_SPECS])
def test_whatever_has_a_weight_has_words(language: str, key: str) -> None:
    topic = "building" if key in LANDS else key
    known = {**words(language, topic), **words(language, key), **sealed(language, key)}
    for part in read(key).parts.values():
        for name in part.weights:
            assert f"{topic}.feature.{name}" in known or f"{key}.line.{name}" in known, name


@pytest.mark.parametrize("key", [sign.key for sign in BUILTIN_SPECS])
def test_whatever_has_a_weight_can_be_said_for_a_choice(key: str) -> None:
    """In English; that the other languages say the same is a test of the client's."""
    family = "building" if key in LANDS else key
    said = {**words("en", "hints"), **sealed("en", key)}
    weighed = {name for part in read(key).parts.values() for name in part.weights}
    spoken = {name for name in weighed for how in ("gains", "keeps") if f"{family}.because.{name}.{how}" in said}
    assert weighed - spoken == set()


def test_what_is_said_is_about_something_that_is_weighed() -> None:
    weighed = {topic(name) for name in (*FEATURES, *layout.FEATURES, *VALUED)}
    for name in [*words("en", "hints"), *sealed("en", "mycity")]:
        if ".because." in name:
            assert name.split(".")[2] in weighed, name
