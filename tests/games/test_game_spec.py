"""Specs of games: content, digests, named modules, emblems."""

import sys
from pathlib import Path

import pytest

from polyopolis.games import GAME_SPECS, UnknownGame, content_digest, game, spec_of
from polyopolis.games.city_emblems import ANIMALS, CityEmblem, default_emblem
from polyopolis.games.content_loader import ContentError, folder_digest
from polyopolis.games.game_spec import BadGameSpec, GameSpec, UnknownContent
from tests.games.corrupted_content import copy_content, edit

every_spec = pytest.mark.parametrize("spec", GAME_SPECS.values(), ids=GAME_SPECS)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(UnknownGame, match=r"^there is no game 'chess'; the games are mycity, pointcity, rollwrite"):
        spec_of("chess")


@every_spec
def test_all_content_of_all_versions_can_be_read(spec: GameSpec) -> None:
    for version in spec.versions:
        assert spec.content(version)


@every_spec
def test_there_are_as_many_versions_as_folders(spec: GameSpec) -> None:
    assert {folder.name for folder in spec.folder.iterdir()} == {f"v{version}" for version in spec.versions}


@every_spec
def test_every_episode_of_a_plan_can_be_the_first_of_a_campaign(spec: GameSpec) -> None:
    for version in spec.versions:
        for plan in spec.plans(version).values():
            setup = spec.rules.Setup(seats=spec.rules.seats[0], content=version, episode=plan[0], **spec.planned)
            assert spec.rules.to_act(spec.rules.start(setup))


# Digests of content


@every_spec
def test_the_digest_of_a_content_is_that_of_its_files(spec: GameSpec) -> None:
    for version in spec.versions:
        assert content_digest(spec.key, version) == folder_digest(spec.folder / f"v{version}")


def test_games_have_different_digests() -> None:
    assert len({content_digest(key, 1) for key in GAME_SPECS}) == len(GAME_SPECS)


def test_comments_and_spaces_do_not_change_a_digest(tmp_path: Path) -> None:
    folder = copy_content("mycity", tmp_path)
    file = folder / "campaign.toml"
    file.write_text("# Another comment.\n\n" + file.read_text("utf-8").replace(" = ", "  =  "), "utf-8")
    assert folder_digest(folder) == content_digest("mycity", 1)


def test_a_value_a_name_and_an_order_change_a_digest(tmp_path: Path) -> None:
    folder = copy_content("mycity", tmp_path)
    found = [content_digest("mycity", 1)]
    edit(folder / "episode-01.toml", "marker = 10", "marker = 11")
    found.append(folder_digest(folder))
    (folder / "episode-24.toml").rename(folder / "episode-25.toml")
    found.append(folder_digest(folder))
    for text in ("[deck]\nsun = 1\nrain = 2\n", "[deck]\nrain = 2\nsun = 1\n"):
        (folder / "weather.toml").write_text(text)
        found.append(folder_digest(folder))
    assert len(set(found)) == len(found), "cards are dealt in the order in which they are written down"


def test_an_unknown_version_has_no_digest() -> None:
    with pytest.raises(UnknownContent, match=r"^mycity has content 1 to 1, not 9$"):
        content_digest("mycity", 9)


def test_a_file_that_cannot_be_read_has_no_digest(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("= 1")
    with pytest.raises(ContentError, match=r"^broken.toml: not TOML"):
        folder_digest(tmp_path)


# Modules of upper layers


@every_spec
def test_all_modules_named_in_a_spec_exist(spec: GameSpec) -> None:
    for name in filter(None, (spec.kernel, spec.values, spec.terminal)):
        assert spec.load_module(name).__name__ == name


def test_a_missing_module_is_named() -> None:
    spec = spec_of("mycity")
    for name in ("polyopolis.cli.nowhere", "nowhere.at.all"):
        with pytest.raises(BadGameSpec, match=rf"^the spec of mycity names the module {name}, which does not exist$"):
            spec.load_module(name)


def test_a_module_with_a_missing_import_names_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_a_terminal.py").write_text("import missing_module\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="missing_module"):
        spec_of("mycity").load_module("half_a_terminal")


# Emblems


def test_default_emblems_of_a_table_differ() -> None:
    emblems = [default_emblem(seat) for seat in range(4)]
    assert len({own.city for own in emblems}) == len({own.animal for own in emblems}) == 4
    assert {own.animal for own in emblems} <= set(ANIMALS)


@pytest.mark.parametrize("key", ["pointcity", "rollwrite"])
def test_a_game_without_emblems_does_not_change_a_setup(key: str) -> None:
    setup = game(key).Setup(seats=2)
    assert spec_of(key).named(setup, [CityEmblem("Here", "fox")] * 2) == setup
