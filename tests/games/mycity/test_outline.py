"""The outline of My City."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from polyopolis.games.mycity import rules
from polyopolis.games.mycity.content import NEWEST, content
from polyopolis.games.mycity.legacy.episode_letters import RULES, introducing_episode
from polyopolis.games.mycity.outline import Outline, outline
from polyopolis.games.mycity.state import Legacy

CHAPTERS = Path(__file__).parents[3] / "client/src/games/mycity/chapters"
KNOWN = outline(NEWEST)
END = 24

IN_FORCE: dict[str, list[tuple[int, int]]] = {
    "1.1": [(1, END)],
    "1.2": [(1, 10), (13, 21)],
    "1.3": [(1, END)],
    "1.4": [(1, 5), (7, 8), (10, END)],
    "1.5": [(1, 12)],
    "1.6": [(1, END)],
    "1.7": [(1, 14)],
    "1.8": [(1, END)],
    "1.9": [(1, END)],
    "1.10": [(1, END)],
    "2.1": [(2, 12)],
    "3.1": [(3, 12)],
    "4.1": [(4, END)],
    "4.2": [(4, END)],
    "4.3": [(4, 4)],
    "4.4": [(4, 4)],
    "5.1": [(5, END)],
    "5.2": [(5, END)],
    "6.1": [(6, 6)],
    "7.1": [(7, 9)],
    "7.2": [(7, 7)],
    "7.3": [(7, 9)],
    "8.1": [(8, 9)],
    "9.1": [(9, 9)],
    "10.1": [(10, 10)],
    "10.2": [(10, 12)],
    "10.3": [(10, END)],
    "11.1": [(11, 12)],
    "11.2": [(11, 12)],
    "12.1": [(12, 12)],
    "13.1": [(13, 13)],
    "13.2": [(13, END)],
    "13.3": [(13, 18)],
    "13.4": [(13, 13)],
    "13.5": [(13, 15)],
    "14.1": [(14, END)],
    "15.1": [(15, END)],
    "16.1": [(16, 18)],
    "16.2": [(16, 18)],
    "17.1": [(17, 18)],
    "18.1": [(18, 18)],
    "19.1": [(19, 19)],
    "19.2": [(19, END)],
    "20.1": [(20, END)],
    "21.1": [(21, END)],
    "22.1": [(22, END)],
    "22.2": [(22, END)],
    "22.3": [(22, END)],
    "23.1": [(23, END)],
    "24.1": [(24, END)],
    "24.2": [(24, END)],
}
"""The first and last episodes in which a rule is in force."""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_in_force_in_the_episodes_that_hold_it(rule: str) -> None:
    spans = {number for first, last in IN_FORCE[rule] for number in range(first, last + 1)}
    assert {episode.episode for episode in KNOWN.episodes if rule in episode.rules} == spans


def test_every_episode_introduces_a_rule_that_is_in_force() -> None:
    for episode in KNOWN.episodes:
        assert episode.brings
        assert set(episode.brings) <= set(episode.rules)
        assert list(episode.rules) == [rule for rule in IN_FORCE if rule in episode.rules]


def test_the_text_of_a_rule_is_in_the_chapter_that_introduces_it() -> None:
    chapter_of = {episode.episode: episode.chapter for episode in KNOWN.episodes}
    for chapter in set(chapter_of.values()):
        words = json.loads((CHAPTERS / str(chapter) / "en.json").read_text("utf-8"))
        written = [rule for key in words for rule in re.findall(r"^mycity\.rule\.(.+)$", key)]
        assert written == [rule for rule in RULES if chapter_of[introducing_episode(rule)] == chapter]


def test_the_outline_of_an_episode_contains_only_numbers() -> None:
    for episode in msgspec.to_builtins(KNOWN.episodes):
        assert set(episode) == {"episode", "chapter", "rules", "brings"}
        assert all(re.fullmatch(r"\d+\.\d+", rule) for rule in (*episode["rules"], *episode["brings"]))


def test_chapters_hold_three_episodes_each() -> None:
    assert [episode.chapter for episode in KNOWN.episodes] == [1 + n // 3 for n in range(END)]


def test_every_mode_can_be_played() -> None:
    for mode in KNOWN.modes:
        setup = msgspec.convert({"seats": 2, **mode.setup}, rules.Setup)
        assert rules.start(setup).acting
    plans = [mode.plan for mode in KNOWN.modes if mode.plan]
    assert sorted(plans) == sorted(rules.plans(NEWEST).values())
    assert [mode.setup["episode"] for mode in KNOWN.modes if mode.group == "episode"] == list(content(NEWEST).numbers)
    assert KNOWN.modes[0].group == "eternal"


def test_a_city_name_may_have_the_maximum_length() -> None:
    name = "x" * KNOWN.longest_name
    assert msgspec.convert({"city": name, "animal": KNOWN.animals[0]}, Legacy).city == name
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"city": name + "x"}, Legacy)


def test_the_outline_round_trips_through_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(KNOWN), type=Outline) == KNOWN
