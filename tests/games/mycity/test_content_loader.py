"""The loader refuses invalid content with file, key and reason."""

import re
from pathlib import Path

import pytest

from polyopolis.games.content_loader import ContentError
from polyopolis.games.mycity.content import NEWEST, content, load
from tests.games.corrupted_content import copy_content, edit, load_error


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_content("mycity", tmp_path)


def refusal(folder: Path) -> ContentError:
    return load_error(load, folder)


def test_a_copy_of_the_content_is_read_like_the_original(folder: Path) -> None:
    read = load(folder)
    assert list(read.cards) == list(content().cards)
    assert list(read.episodes) == [*(f"episode-{number:02}" for number in range(1, 25)), "eternal"]
    assert read.boards == content().boards
    assert {name: episode.rules for name, episode in read.episodes.items()} == {
        name: episode.rules for name, episode in content().episodes.items()
    }


def test_the_material_is_read_once() -> None:
    assert content() is content(NEWEST)


RIVER = "[2, 10], [2, 11]]"


@pytest.mark.parametrize(
    ("file", "change", "key", "reason"),
    [
        ("episode-01.toml", ("marker = 10", "marker = 10\nwind = 3"), "", "Object contains unknown field `wind`"),
        ("buildings.toml", ("[churches]", "[temples]"), "", "Object contains unknown field `temples`"),
        ("board-front.toml", ("squares =", "triangles ="), "", "Object contains unknown field `triangles`"),
        (
            "eternal.toml",
            ("points = 3 }]", "points = 3, who = 1 }]"),
            "races[0]",
            "Object contains unknown field `who`",
        ),
        ("eternal.toml", ("marker = 10", ""), "", "Object missing required field `marker`"),
        ("episode-01.toml", ("marker = 10", 'marker = "10"'), "marker", "Expected `int`, got `str`"),
        ("episode-01.toml", ('"trees"', '"flowers"'), "counting[0].line", "Invalid enum value 'flowers'"),
        ("eternal.toml", ('"gold"', '"silver"'), "races[0].race", "Invalid enum value 'silver'"),
        ("eternal.toml", ('"church", "block"', '"temple", "block"'), "deck[3]", "Invalid enum value 'temple'"),
        (
            "board-front.toml",
            (RIVER, "[2, 10], [2, 12]]"),
            "river",
            "the corner (2, 12) of the river is not on the board",
        ),
        ("board-front.toml", (RIVER, "[2, 10]]"), "river", "the river does not reach two borders"),
        (
            "board-front.toml",
            ("[5, 0], [5, 2]", "[5, 0], [6, 2]"),
            "river",
            "the river goes from (5, 0) to (6, 2), which is not along one grid line",
        ),
        ("board-front.toml", ("[5, 0], [5, 2]", "[5, 0], [5, 3], [5, 2]"), "river", "the river meets itself"),
        (
            "board-front.toml",
            (RIVER, "[2, 10], [2, 11], [0, 11]]"),
            "river",
            "the river runs along or beyond the border at (2, 11)",
        ),
        (
            "board-front.toml",
            (". . 2 . . . . . . . r", ". . 2 . . . . . . r"),
            "drawing",
            "row 2 has 11 cells and row 1 has 10",
        ),
        ("board-front.toml", (". . 2 .", ". . x ."), "drawing", "no terrain has the sign 'x'"),
        ("board-front.toml", ('"g1", ', '"c1", '), "squares", "c1 is not an empty meadow cell"),
        ("board-front.toml", ('"g1", ', '"z9", '), "squares", "z9 is not an empty meadow cell"),
        ("board-front.toml", ('"g1", ', '"i1", '), "squares", "a cell is named twice"),
        ("buildings.toml", (".##\n##.", "##.\n..#"), "buildings.s4", "the squares of the shape are not connected"),
        (
            "buildings.toml",
            ("##.\n.##", "##\n.##"),
            "churches.z4",
            "the rows of the drawing '##\\n.##' differ in length",
        ),
        ("buildings.toml", ('"####"', '"##*#"'), "buildings.i4", "a shape is drawn with '#' and '.', not with '*'"),
        ("buildings.toml", ('"####"', '"...."'), "buildings.i4", "a shape has at least one square"),
        ("episode-01.toml", ('"front"', '"side"'), "board", "there is no board 'side'"),
        ("episode-01.toml", ('["yellow", "red", "blue"]', "[]"), "deck", "a deck has at least one kind of card"),
        ("eternal.toml", ('"yellow", "red"', '"yellow", "yellow"'), "deck", "a kind of card is named twice"),
        ("eternal.toml", ('["church"]', '["church", "church"]'), "must_build", "a kind of card is named twice"),
        ("eternal.toml", ('"church", "block"', '"block"'), "must_build", "no card of the deck is church"),
        ("episode-01.toml", ('"rocks"', '"trees"'), "counting", "a line is named twice"),
        ("episode-01.toml", ("marker = 10", "marker = -1"), "marker", "the marker starts at 0 or higher"),
        ("episode-01.toml", ("passing = -1", "passing = 1"), "passing", "passing never gains points"),
        ("eternal.toml", ('"eternal"', '"front"'), "races", "the board 'front' has no goal for the race 'gold'"),
        ("board-front.toml", ('"k1", ', '"z1", '), "reserved", "there is no cell z1"),
        ("board-front.toml", ('"k1", ', '"g1", '), "reserved", "g1 has a square for a sticker"),
        ("campaign.toml", ("box = 3", "box = 7"), "shafts.blue", "rewards lie in boxes 1 to 15, in rising order"),
        ("campaign.toml", ("boxes = 15", "boxes = 14"), "shafts.blue", "rewards lie in boxes 1 to 14, in rising order"),
        ("campaign.toml", ('"most-trees"', '"most-fun"'), "final[1].bonus", "Invalid enum value 'most-fun'"),
        ("episode-01.toml", ('"rock"]', '"cake"]'), "rewards.first[2]", "Invalid enum value 'cake'"),
        ("episode-02.toml", ('h6 = "well"', 'z6 = "well"'), "terrain.z6", "there is no cell z6"),
        ("episode-02.toml", ('h6 = "well"', 'g1 = "well"'), "terrain.g1", "g1 may have a sticker"),
        ("episode-02.toml", ('h6 = "well"', 'h6 = "pond"'), "terrain[...]", "Invalid enum value 'pond'"),
        ("episode-04.toml", ('"z5"', '"x5"'), "fourth_church", "there is no fourth church 'x5'"),
        ("episode-05.toml", ('church = "p5"', 'church = "x5"'), "alone.church", "there is no fourth church 'x5'"),
        ("episode-05.toml", ('church = "p5"', ""), "alone.church", "there is no fourth church None"),
        ("episode-11.toml", ('h11 = "sawmill"', ""), "start", "there is no sawmill on the board"),
        ("episode-12.toml", ("forest = true", ""), "races", "the board 'front' has no goal for the race 'forest'"),
        ("episode-12.toml", ('"forest", goal', '"gold", goal'), "races", "a line is named twice"),
        ("episode-14.toml", ('"o4"', '"z4"'), "alone.gears", "there is no blue building 'z4'"),
        ("episode-14.toml", ("g1 =", "a1 ="), "alone.stickers", "a1 is no square for a sticker"),
        ("episode-16.toml", ('a2 = "blue-entrance"', ""), "shafts", "there is no blue entrance on the board"),
        ("episode-20.toml", ('e3 = "port"', ""), "counting", "there is no port for the line 'port'"),
        ("episode-22.toml", ('e6 = "palace"', 'e6 = "port"'), "terrain", "there is one port"),
        ("episode-23.toml", ("kiosks = 2", "kiosks = -1"), "kiosks", "the number of kiosks is 0 or higher"),
    ],
)
def test_one_wrong_line_is_named_with_file_key_and_reason(
    folder: Path, file: str, change: tuple[str, str], key: str, reason: str
) -> None:
    edit(folder / file, *change)
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == (file, key, reason)


def test_a_board_without_a_river_is_refused(folder: Path) -> None:
    board = folder / "board-front.toml"
    board.write_text(re.sub(r"river = .*", "river = []", board.read_text("utf-8")), "utf-8")
    error = refusal(folder)
    assert (error.file, error.key) == ("board-front.toml", "river")


def test_invalid_toml_is_refused(folder: Path) -> None:
    edit(folder / "eternal.toml", "marker = 10", "marker is 10")
    error = refusal(folder)
    assert error.file == "eternal.toml"
    assert error.reason.startswith("not TOML: ")
    assert "line 5" in error.reason


def test_bytes_that_are_not_text_are_refused(folder: Path) -> None:
    (folder / "eternal.toml").write_bytes(b"marker = \xff\xfe")
    error = refusal(folder)
    assert error.file == "eternal.toml"
    assert error.reason.startswith("not TOML: ")


def test_a_name_given_twice_is_refused(folder: Path) -> None:
    edit(folder / "buildings.toml", 'i2 = "##"', 'i4 = "##"')
    error = refusal(folder)
    assert error.file == "buildings.toml"
    assert error.reason.startswith("not TOML: ")


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "buildings.toml").unlink()
    error = refusal(folder)
    assert (error.file, error.reason) == ("buildings.toml", "there is no such file")


def test_a_missing_board_is_reported_where_it_is_named(folder: Path) -> None:
    (folder / "board-eternal.toml").unlink()
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == ("eternal.toml", "board", "there is no board 'eternal'")


def test_an_unknown_file_is_refused(folder: Path) -> None:
    (folder / "weather.toml").write_text("rain = 1", "utf-8")
    error = refusal(folder)
    assert (error.file, error.reason) == ("weather.toml", "unknown file")


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path / "v9")
    assert (error.file, error.reason) == ("v9", "there is no content of this version")


def test_an_unknown_shaft_is_refused(folder: Path) -> None:
    campaign = folder / "campaign.toml"
    campaign.write_text(campaign.read_text("utf-8").replace("[shafts.yellow]", "[shafts.blue-again]"), "utf-8")
    assert refusal(folder).file == "campaign.toml"
    text = campaign.read_text("utf-8")
    start, end = text.index("[shafts.blue-again]"), text.index("# After the last")
    campaign.write_text(text[:start] + text[end:], "utf-8")
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == ("episode-18.toml", "shafts", "there is no yellow shaft")
