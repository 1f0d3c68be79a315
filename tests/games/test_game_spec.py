"""The sign of a game: one place that says what the house asks of it."""

import sys
from pathlib import Path

import pytest

from polyopolis.games import GAME_SPECS, UnknownGame, content_digest, game, spec_of
from polyopolis.games.city_emblems import ANIMALS, CityEmblem, first_arms
from polyopolis.games.content_loader import ContentError, digest_of
from polyopolis.games.game_spec import BadGameSpec, GameSpec, UnknownContent
from tests.games.corrupted_content import copied, edit

every_sign = pytest.mark.parametrize("sign", GAME_SPECS.values(), ids=GAME_SPECS)


def test_a_game_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownGame, match=r"^there is no game 'chess'; there is mycity, pointcity, rollwrite"):
        spec_of("chess")


@every_sign
def test_all_content_of_all_versions_can_be_read(sign: GameSpec) -> None:
    for version in sign.versions:
        assert sign.content(version)


@every_sign
def test_there_are_as_many_versions_as_folders(sign: GameSpec) -> None:
    assert {folder.name for folder in sign.folder.iterdir()} == {f"v{version}" for version in sign.versions}


@every_sign
def test_every_episode_of_a_plan_can_be_the_first_of_a_campaign(sign: GameSpec) -> None:
    for version in sign.versions:
        for plan in sign.plans(version).values():
            setup = sign.rules.Setup(seats=sign.rules.seats[0], content=version, episode=plan[0], **sign.planned)
            assert sign.rules.to_act(sign.rules.start(setup))


# What the content is


@every_sign
def test_the_digest_of_a_content_is_that_of_its_files(sign: GameSpec) -> None:
    for version in sign.versions:
        assert content_digest(sign.key, version) == digest_of(sign.folder / f"v{version}")


def test_games_have_different_digests() -> None:
    assert len({content_digest(key, 1) for key in GAME_SPECS}) == len(GAME_SPECS)


def test_comments_and_spaces_do_not_change_a_digest(tmp_path: Path) -> None:
    folder = copied("mycity", tmp_path)
    file = folder / "campaign.toml"
    file.write_text("# Another comment.\n\n" + file.read_text("utf-8").replace(" = ", "  =  "), "utf-8")
    assert digest_of(folder) == content_digest("mycity", 1)


def test_a_value_a_name_and_an_order_change_a_digest(tmp_path: Path) -> None:
    folder = copied("mycity", tmp_path)
    found = [content_digest("mycity", 1)]
    edit(folder / "episode-01.toml", "marker = 10", "marker = 11")
    found.append(digest_of(folder))
    (folder / "episode-24.toml").rename(folder / "episode-25.toml")
    found.append(digest_of(folder))
    for text in ("[deck]\nsun = 1\nrain = 2\n", "[deck]\nrain = 2\nsun = 1\n"):
        (folder / "weather.toml").write_text(text)
        found.append(digest_of(folder))
    assert len(set(found)) == len(found), "cards are dealt in the order in which they are written down"


def test_a_content_that_is_not_installed_has_no_digest() -> None:
    with pytest.raises(UnknownContent, match=r"^mycity has content 1 to 1, not 9$"):
        content_digest("mycity", 9)


def test_a_file_that_cannot_be_read_has_no_digest(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("= 1")
    with pytest.raises(ContentError, match=r"^broken.toml: not TOML"):
        digest_of(tmp_path)


# What lives upstairs


@every_sign
def test_whatever_a_sign_names_is_there(sign: GameSpec) -> None:
    for name in filter(None, (sign.kernel, sign.values, sign.terminal)):
        assert sign.upstairs(name).__name__ == name


def test_a_module_that_is_not_there_is_named() -> None:
    sign = spec_of("mycity")
    for name in ("polyopolis.cli.nowhere", "nowhere.at.all"):
        with pytest.raises(BadGameSpec, match=rf"^the sign of mycity names the module {name}, which is not there$"):
            sign.upstairs(name)


def test_a_module_that_lacks_something_itself_says_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_a_terminal.py").write_text("import nothing_of_this_name\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        spec_of("mycity").upstairs("half_a_terminal")


# Arms


def test_no_two_cities_of_a_table_bear_the_same() -> None:
    arms = [first_arms(seat) for seat in range(4)]
    assert len({own.city for own in arms}) == len({own.animal for own in arms}) == 4
    assert {own.animal for own in arms} <= set(ANIMALS)


@pytest.mark.parametrize("key", ["pointcity", "rollwrite"])
def test_a_game_without_names_leaves_a_setup_as_it_is(key: str) -> None:
    setup = game(key).Setup(seats=2)
    assert spec_of(key).named(setup, [CityEmblem("Here", "fox")] * 2) == setup
