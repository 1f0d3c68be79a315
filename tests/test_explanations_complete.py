"""Things on a table, lines of the score sheet, refusal reasons, grounds and rules have explanations in English."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.mycity import appearance
from polyopolis.games.rollwrite import content, view
from tests.games.test_rule_ids import rule_ids
from tests.test_rules_covered import rules_of

CLIENT = Path(__file__).parents[1] / "client" / "src"
GAMES = CLIENT / "games"
KEYS = [sign.key for sign in BUILTIN_SPECS]
every_game = pytest.mark.parametrize("key", KEYS)


def words_in(*files: Path) -> dict[str, Any]:
    return {key: text for file in files for key, text in json.loads(file.read_text("utf-8")).items()}


@cache
def english() -> dict[str, Any]:
    """Returns all English texts, with books and sealed chapters. Client tests compare the keys of other languages."""
    folder = CLIENT / "i18n" / "en"
    return words_in(*folder.rglob("*.json"), *(GAMES / "mycity" / "chapters").glob("*/en.json"))


def kinds_in(path: str, name: str) -> list[str]:
    """Returns the kinds of things listed in a constant of the client."""
    found = re.search(rf"{name} = \[(.*?)\] as const", (CLIENT / path).read_text("utf-8"), re.DOTALL)
    assert found, f"{path} has no {name}"
    return re.findall(r"'([\w-]+)'", found[1])


THINGS = {
    "table": ("lib/match/things.ts", "TABLE_THINGS"),
    "building": ("games/placing/things.ts", "PLACING_THINGS"),
    "mycity": ("games/mycity/things.ts", "MYCITY_THINGS"),
    "rollwrite": ("games/rollwrite/things.ts", "ROLLWRITE_THINGS"),
    "pointcity": ("games/pointcity/things.ts", "THINGS"),
}
BY_WHICH = {("building", "line"), ("mycity", "race")}
"""Kinds whose items are explained one by one."""


@pytest.mark.parametrize("place", THINGS)
def test_every_thing_is_explained(place: str) -> None:
    kinds = [kind for kind in kinds_in(*THINGS[place]) if (place, kind) not in BY_WHICH]
    assert kinds
    assert [kind for kind in kinds if not {f"about.{place}.{kind}", f"{place}.about.{kind}"} & english().keys()] == []


def test_components_set_data_thing_only_through_functions_that_check_the_kind() -> None:
    by_hand = [
        file.name
        for file in CLIENT.rglob("*.svelte")
        if re.search(r"data-thing=(?!\{(?:thing|tableThing|boardThing|small \? undefined : thing)\()", file.read_text())
    ]
    assert by_hand == []


@every_game
def test_every_line_is_explained(key: str) -> None:
    sign = next(sign for sign in BUILTIN_SPECS if sign.key == key)
    tokens = set(getattr(sign.content(sign.versions[-1]), "tokens", ()))
    missing = [
        line
        for line in rule_ids(sign).lines
        if not {f"about.{key}.line.{line}", f"{key}.line.{line}.about", f"about.{key}.line.{line}.automa"}
        & english().keys()
        and line not in tokens | {"groups"}
    ]
    assert missing == []
    assert not tokens or "about.pointcity.line" in english()


@every_game
def test_every_reason_has_words(key: str) -> None:
    sign = next(sign for sign in BUILTIN_SPECS if sign.key == key)
    missing = [
        reason
        for reason in rule_ids(sign).reasons
        if not {f"{key}.reason.{reason}", f"building.reason.{reason}"} & english().keys()
    ]
    assert missing == ([] if key != "rollwrite" else ["flipped"])  # not shown: all shapes may be flipped


def test_every_ground_and_building_is_explained() -> None:
    kinds = {*appearance.GROUNDS, *get_args(appearance.BuildingKind), *get_args(appearance.Roof)} - {"neutral"}
    said = english().keys()
    assert [kind for kind in sorted(kinds) if not {f"about.mycity.on.{kind}", f"mycity.about.{kind}"} & said] == []
    drawn = {*view.GROUNDS, *get_args(content.Kind), "bandit", "caught"}
    assert [kind for kind in sorted(drawn) if f"about.rollwrite.on.{kind}" not in said] == []


def told(key: str, rule: str) -> bool:
    """Whether a rule has a text: in the rules, in an explanation, or in the letter of its episode."""
    if f"rules.{key}.{rule}" in english() or f"{key}.about.{rule}" in english():
        return True
    episode = re.fullmatch(r"MC-E(\d+)", rule)
    return bool(episode) and f"mycity.rule.{episode[1]}.1" in english() if episode else False


@every_game
def test_every_rule_has_a_text(key: str) -> None:
    assert [rule for rule in rules_of(key) if not told(key, rule)] == []


@every_game
def test_every_rule_has_a_place_on_the_rules_page(key: str) -> None:
    placed = re.findall(r"'([A-Z]+-\d+)'", (GAMES / key / "rules" / "book.ts").read_text("utf-8"))
    assert sorted(placed) == sorted(rule for rule in rules_of(key) if "-E" not in rule)
