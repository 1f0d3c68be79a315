"""The loader refuses invalid content with file, key and reason."""

from pathlib import Path

import pytest

from polyopolis.games.content_loader import ContentError
from polyopolis.games.rollwrite.content import NEWEST, content, load
from tests.games.corrupted_content import copy_content, edit, load_error


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_content("rollwrite", tmp_path)


def refusal(folder: Path) -> ContentError:
    return load_error(load, folder)


def test_a_copy_of_the_content_is_read_like_the_original(folder: Path) -> None:
    read = load(folder)
    assert list(read.episodes) == list(range(1, 13))
    assert {n: (episode.rules, episode.board) for n, episode in read.episodes.items()} == {
        n: (episode.rules, episode.board) for n, episode in content().episodes.items()
    }
    assert read.dice.odds == content().dice.odds
    assert read.campaign == content().campaign


def test_the_material_is_read_once() -> None:
    assert content() is content(NEWEST)


RISING = "every title is higher than the one before"


@pytest.mark.parametrize(
    ("file", "change", "key", "reason"),
    [
        (
            "episode-01.toml",
            ('start = "river"', 'start = "river"\nwind = 3'),
            "",
            "Object contains unknown field `wind`",
        ),
        ("episode-04.toml", ("circles = 2", "rings = 2"), "compass", "Object contains unknown field `rings`"),
        (
            "episode-07.toml",
            ("points = 5 }", "points = 5, who = 1 }"),
            "races[0]",
            "Object contains unknown field `who`",
        ),
        (
            "episode-07.toml",
            ("purses = 1 }", "purses = 1, who = 1 }"),
            "purses[0]",
            "Object contains unknown field `who`",
        ),
        ("dice.toml", ("[types]", "[kinds]"), "", "Object contains unknown field `kinds`"),
        ("dice.toml", ("sides = 1", "faces = 1"), "first[...]", "Object contains unknown field `faces`"),
        ("buildings.toml", ("[shapes]", "[churches]"), "", "Object contains unknown field `churches`"),
        ("campaign.toml", ("[total]", "[sum]"), "", "Object contains unknown field `sum`"),
        ("episode-01.toml", ('start = "river" ', ""), "", "Object missing required field `start`"),
        ("episode-01.toml", ('"river"', '"bridge"'), "start", "Invalid enum value 'bridge'"),
        ("episode-01.toml", ('"trees"', '"flowers"'), "counting[0].line", "Invalid enum value 'flowers'"),
        ("episode-07.toml", ('race = "plains"', 'race = "hills"'), "races[0].race", "Invalid enum value 'hills'"),
        ("episode-07.toml", ('"never-passed"', '"always"'), "purses[0].purse", "Invalid enum value 'always'"),
        ("episode-08.toml", ('["forest"]', '["mountain"]'), "builds_on[0]", "Invalid enum value 'mountain'"),
        (
            "episode-04.toml",
            ('builds = "church"', 'builds = "temple"'),
            "compass.builds",
            "Invalid enum value 'temple'",
        ),
        ("dice.toml", ("residential = 2", "rural = 2"), "types", "Object contains unknown field `rural`"),
        ("episode-01.toml", (". . 2 .", ". . ? ."), "drawing", "no terrain has the sign '?'"),
        ("episode-01.toml", (". . 2 . .", ". . 2 ."), "drawing", "row 2 has 11 cells and row 1 has 10"),
        ("episode-01.toml", ("[3, 7], [3, 8]]", "[3, 7]]"), "river", "the river does not reach two borders"),
        ("episode-01.toml", ("[5, 0], [5, 1]", "[5, 0], [5, 2], [5, 1]"), "river", "the river meets itself"),
        (
            "episode-06.toml",
            ('start = "church"', 'start = "river" '),
            "start",
            "a church is printed, but is not the start",
        ),
        ("episode-01.toml", ('start = "river"', 'start = "fort" '), "start", "no fort is printed"),
        ("episode-01.toml", ("-3, -5", "-5, -3"), "passing", "every circle costs more than the one before"),
        ("episode-01.toml", ("[-1, -2", "[1, -2"), "passing", "every circle costs more than the one before"),
        ("episode-04.toml", ('["i2", "plus", "l3", "t4"]', "[]"), "compass.row", "a row has at least one building"),
        ("episode-04.toml", ('"plus"', '"star"'), "compass.row", "there is no shape 'star'"),
        ("episode-04.toml", ("circles = 2", "circles = 7"), "compass.circles", "there are only 6 circles"),
        ("episode-04.toml", ("circles = 2", "circles = 0"), "compass.circles", "there are only 6 circles"),
        ("episode-01.toml", ('"rocks"', '"trees"'), "counting", "a line is named twice"),
        ("episode-07.toml", ('race = "plains"', 'race = "gold"'), "races", "the sheet has no gold to build on"),
        ("episode-07.toml", ('race = "plains"', 'race = "forest"'), "races", "the sheet has no forest to build on"),
        ("episode-07.toml", ('purse = "plains"', 'purse = "gold"'), "purses", "the sheet has no gold to build on"),
        ("episode-07.toml", ('purse = "plains"', 'purse = "never-passed"'), "purses", "one is named twice"),
        ("dice.toml", ("#.\n##", "#.\n###"), "first.corner.drawing", "a face is two rows of two signs, '#' or '.'"),
        ("dice.toml", ("#.\n##", "#.\n#x"), "first.corner.drawing", "a face is two rows of two signs, '#' or '.'"),
        ("dice.toml", ("..\n.#", "..\n#."), "second.single", "the squares of the shape are not connected"),
        ("dice.toml", ("sides = 2", "sides = 0"), "first.single", "a face is on at least one side"),
        ("dice.toml", ("sides = 2", "sides = 3"), "first", "a die has six sides"),
        ("dice.toml", ("industrial = 2", "industrial = 3"), "types", "a die has six sides"),
        ("dice.toml", ("industrial = 2", "industrial = -2"), "types.industrial", "a face is on at least one side"),
        ("dice.toml", ("industrial = 2\n", ""), "types", "Object missing required field `industrial`"),
        ("dice.toml", ("second.compass", "second.needle"), "second", "no side is the compass"),
        (
            "buildings.toml",
            (".#.\n###\n.#.", ".#.\n#.#\n.#."),
            "shapes.plus",
            "the squares of the shape are not connected",
        ),
        ("buildings.toml", ('"##"', '".."'), "shapes.i2", "a shape has at least one square"),
        ("campaign.toml", ("mini = [3, 6, 12]", "mini = [3, 6, 13]"), "plans.mini", "there is no episode 13"),
        ("campaign.toml", ("mini = [3, 6, 12]", "mini = []"), "plans.mini", "it names at least one episode"),
        (
            "campaign.toml",
            ("episodes = [4, 5, 6]", "episodes = [4, 5, 0]"),
            "chapters[1].episodes",
            "there is no episode 0",
        ),
        (
            "campaign.toml",
            ("episodes = [4, 5, 6]", "episodes = [3, 4, 5]"),
            "chapters",
            "an episode is in two chapters",
        ),
        (
            "episode-11.toml",
            ("r . 2 . . . . x", "r . 2 . . r . x"),
            "drawing",
            "f1 is not empty, but a bandit can be carried over there from episode 10",
        ),
        ("campaign.toml", ("[0, 80, 110", "[0, 110, 80"), "total.titles", RISING),
        ("campaign.toml", ("[0, 20, 28", "[0, 20, 20"), "chapters[2].titles", RISING),
        ("campaign.toml", ("[0, 20, 28", "[0, 28"), "chapters[2].titles", "all lists of titles have the same length"),
    ],
)
def test_one_wrong_line_is_named_with_file_key_and_reason(
    folder: Path, file: str, change: tuple[str, str], key: str, reason: str
) -> None:
    edit(folder / file, *change)
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == (file, key, reason)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "dice.toml").unlink()
    error = refusal(folder)
    assert (error.file, error.reason) == ("dice.toml", "there is no such file")


def test_a_missing_episode_is_reported_where_it_is_named(folder: Path) -> None:
    (folder / "episode-05.toml").unlink()
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == ("campaign.toml", "plans.campaign", "there is no episode 5")


@pytest.mark.parametrize("name", ["weather.toml", "episode-x.toml", "episode-1.toml"])
def test_an_unknown_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("rain = 1", "utf-8")
    error = refusal(folder)
    assert (error.file, error.reason) == (name, "unknown file")


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path / "v9")
    assert (error.file, error.reason) == ("v9", "there is no content of this version")
