"""Every feature that bots weigh has texts in every language of the client."""

import json
from pathlib import Path

import pytest

from polyopolis.bots.evaluation import evaluation_function, mycity, rollwrite
from polyopolis.bots.explanation_phrases import topic
from polyopolis.bots.feature_weights import read_weights
from polyopolis.engine import Match
from polyopolis.games import BUILTIN_SPECS, game
from polyopolis.kernels.city_arrays import SITE_BUILDERS
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
"""Features that exist only in the other game."""
VALUED = {*mycity.FEATURES, *rollwrite.FEATURES, "prospects", "buildings", "stock", "luck"}
"""Features of the greedy bot only."""


def words(language: str, name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((CATALOGUES / language / "books" / f"{name}.json").read_text("utf-8"))
    return found


def sealed(language: str, key: str) -> dict[str, str]:
    """Texts of the sealed chapters of a game."""
    files = CHAPTERS.glob(f"{key}/chapters/*/{language}.json")
    return {name: text for file in files for name, text in json.loads(file.read_text("utf-8")).items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", SITE_BUILDERS)
def test_placing_games_have_words_for_every_feature(language: str, key: str) -> None:
    shared, own = words(language, "building"), words(language, key) | sealed(language, key)
    features = {*FEATURES, *mycity.FEATURES, *rollwrite.FEATURES, "prospects", "purses"}
    for name in features - ELSEWHERE[key]:
        assert {f"building.feature.{name}", f"{key}.line.{name}"} & {*shared, *own}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_point_city_has_words_for_every_feature(language: str) -> None:
    rules = game("pointcity")
    match = Match.start(rules, rules.Setup(seats=2))
    assert {f"pointcity.feature.{name}" for name in evaluation_function("pointcity")(match.state, 0)} <= words(
        language, "pointcity"
    ).keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [sign.key for sign in BUILTIN_SPECS])
def test_every_weighted_feature_has_a_name(language: str, key: str) -> None:
    topic = "building" if key in SITE_BUILDERS else key
    known = {**words(language, topic), **words(language, key), **sealed(language, key)}
    for part in read_weights(key).parts.values():
        for name in part.weights:
            assert f"{topic}.feature.{name}" in known or f"{key}.line.{name}" in known, name


@pytest.mark.parametrize("key", [sign.key for sign in BUILTIN_SPECS])
def test_every_weighted_feature_has_a_phrase(key: str) -> None:
    """In English; tests of the client check that the other languages have the same texts."""
    family = "building" if key in SITE_BUILDERS else key
    said = {**words("en", "hints"), **sealed("en", key)}
    weighed = {name for part in read_weights(key).parts.values() for name in part.weights}
    spoken = {name for name in weighed for how in ("gains", "keeps") if f"{family}.because.{name}.{how}" in said}
    assert weighed - spoken == set()


def test_every_phrase_is_about_a_weighted_feature() -> None:
    weighed = {topic(name) for name in (*FEATURES, *layout.FEATURES, *VALUED)}
    for name in [*words("en", "hints"), *sealed("en", "mycity")]:
        if ".because." in name:
            assert name.split(".")[2] in weighed, name
