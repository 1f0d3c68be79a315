"""The loader refuses invalid content with file, key and reason."""

from pathlib import Path

import pytest

from polyopolis.games.content_loader import ContentError
from polyopolis.games.pointcity.content import NEWEST, content, load
from tests.games.corrupted_content import copy_content, edit, load_error


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_content("pointcity", tmp_path)


def refusal(folder: Path) -> ContentError:
    return load_error(load, folder)


def test_a_copy_of_the_content_is_read_like_the_original(folder: Path) -> None:
    read = load(folder)
    assert list(read.cards) == list(content().cards)
    assert list(read.tokens) == list(content().tokens)
    assert read.layouts == content().layouts
    assert read.automa == content().automa


def test_the_material_is_read_once() -> None:
    assert content() is content(NEWEST)


@pytest.mark.parametrize(
    ("file", "change", "key", "reason"),
    [
        ("cards.toml", ('"ecology", "energy"]', '"ecology", "wind"]'), "rotation[4]", "Invalid enum value 'wind'"),
        ("cards.toml", ('"ecology", "energy"]', '"ecology", "economy"]'), "rotation", "a resource is named twice"),
        ("cards.toml", ("tier = 1, ", "tier = 4, "), "families.a1.tier", "Invalid enum value 4"),
        ("cards.toml", ("tier = 1, ", ""), "families.a1", "Object missing required field `tier`"),
        ("cards.toml", ("copies = 2", "copies = 0"), "families.a5.copies", "Expected `int` >= 1"),
        ("cards.toml", ("copies = 2", "twice = 2"), "families.a5", "Object contains unknown field `twice`"),
        ("cards.toml", ('"civic", ', '"fair", '), "families.a11.kind", "Invalid enum value 'fair'"),
        (
            "cards.toml",
            ("[0, 1, 1, 0, 0]", "[0, 1, 1, 0]"),
            "families.a1.cost",
            "Expected `array` of length 5, got 4",
        ),
        (
            "cards.toml",
            ("[0, 1, 1, 0, 0]", "[0, 0, 0, 0, 0]"),
            "families.a1.cost",
            "a building costs at least one symbol",
        ),
        ("cards.toml", ("[0, 1, 1, 0, 0]", "[1, 1, 0, 0, 0]"), "families.a1.cost", "no card costs what it grants"),
        (
            "cards.toml",
            ("[0, 3, 0, 0, 0], points = 0", "[0, 3, 0, 0, 0], points = 2"),
            "families.a11.points",
            "a civic building has no points",
        ),
        (
            "cards.toml",
            ('"single"', '"double"'),
            "families.a1.face",
            "faces are single in tier 1 and double in the others",
        ),
        ("tokens.toml", ('"flat"', '"round"'), "tokens.flat-5.counts", "Invalid enum value 'round'"),
        (
            "tokens.toml",
            ('"sets", of = ["community"]', '"flat", of = ["community"]'),
            "tokens.community.of",
            "exactly the tokens that count sets name resources",
        ),
        (
            "tokens.toml",
            ('["community", "ecology"]', '["ecology", "ecology"]'),
            "tokens.community-ecology.of",
            "a resource is named twice",
        ),
        ("tables.toml", ("4 = {", "5 = {"), "seats", "there is a line for 1, 2, 3 and 4 seats"),
        ("tables.toml", ("tokens = 14", "tokens = 23"), "seats.4.tokens", "there are only 22 tokens"),
        ("tables.toml", ("[1, 2, 7]", "[1, 2, 8]"), "seats.4.removed", "the turns of the players would differ"),
        ("tables.toml", ("[1, 2, 7]", "[66, 2, 7]"), "seats.4.removed", "more cards are left out than there are"),
        ("automa.toml", ('"a2"', '"e2"'), "start", "there is no cell e2 in the market"),
        ("automa.toml", ("hard = {", "brutal = {"), "levels", "Object contains unknown field `brutal`"),
        (
            "automa.toml",
            ("medium = { copies = [1, 2, 3], token = 5 }\n", ""),
            "levels",
            "Object missing required field `medium`",
        ),
        (
            "automa.toml",
            ("each = 1, ", "each = 1, copies = [1], "),
            "levels.easy",
            "permanents score either by `each` or by `copies`",
        ),
        (
            "automa.toml",
            ("each = 1, ", ""),
            "levels.easy",
            "permanents score either by `each` or by `copies`",
        ),
    ],
)
def test_one_wrong_line_is_named_with_file_key_and_reason(
    folder: Path, file: str, change: tuple[str, str], key: str, reason: str
) -> None:
    edit(folder / file, *change)
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == (file, key, reason)


def test_a_tier_without_cards_is_refused(folder: Path) -> None:
    file = folder / "cards.toml"
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("c")]
    file.write_text("\n".join(lines), "utf-8")
    error = refusal(folder)
    assert (error.file, error.key, error.reason) == ("cards.toml", "families", "no family is of tier 3")


def test_a_name_given_twice_is_refused(folder: Path) -> None:
    edit(folder / "cards.toml", "a2  =", "a1  =")
    error = refusal(folder)
    assert error.file == "cards.toml"
    assert error.reason.startswith("not TOML: ")


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "tokens.toml").unlink()
    error = refusal(folder)
    assert (error.file, error.reason) == ("tokens.toml", "there is no such file")


def test_an_unknown_file_is_refused(folder: Path) -> None:
    (folder / "weather.toml").write_text("rain = 1", "utf-8")
    error = refusal(folder)
    assert (error.file, error.reason) == ("weather.toml", "unknown file")


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path / "v9")
    assert (error.file, error.reason) == ("v9", "there is no content of this version")
