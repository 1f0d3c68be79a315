"""What the screen says is in force in an episode is what the content of the episode holds."""

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

EPISODES = range(1, 25)
RULES = Path(__file__).parents[3] / "client/src/games/mycity/chapters/rules.ts"
CONTENT = Path(str(files("polyopolis.games.mycity"))) / "content/v1"

Episode = dict[str, Any]
Holds = Callable[[Episode], bool]


def counts(line: str) -> Holds:
    return lambda episode: line in [entry["line"] for entry in episode["counting"] + episode.get("at_once", [])]


def races(name: str) -> Holds:
    return lambda episode: name in [entry["race"] for entry in episode.get("races", [])]


def says(key: str, value: Any) -> Holds:
    return lambda episode: episode.get(key, "river" if key == "start" else None) == value


def lists(key: str, name: str) -> Holds:
    return lambda episode: name in episode.get(key, [])


def gives(*rewards: str) -> Holds:
    return lambda episode: any(not set(rewards).isdisjoint(row) for row in episode["rewards"].values())


def fails(holds: Holds) -> Holds:
    return lambda episode: not holds(episode)


HOLDS: dict[str, Holds] = {
    "1.2": says("start", "river"),
    "1.4": says("passing", -1),
    "1.5": says("marker", 10),
    "1.6": counts("trees"),
    "1.7": counts("empty"),
    "1.8": says("limit", 50),
    "2.1": counts("wells"),
    "3.1 24.1": counts("groups"),
    "4.1": lists("must_build", "church"),
    "4.2": lists("deck", "block"),
    "5.1": lists("deck", "church-4th"),
    "5.2": counts("churches"),
    "6.1 9.1": says("passing", None),
    "7.1": says("flooded", True),
    "7.3": gives("meadow", "forest-tree"),
    "8.1": counts("dykes"),
    "10.2": races("gold"),
    "11.1": says("start", "sawmill"),
    "11.2": says("forest", True),
    "12.1": races("forest"),
    "13.2": says("marker", 0),
    "13.3": counts("investor"),
    "13.4": lambda episode: "gifts" in episode,
    "13.5": gives("gear"),
    "14.1": counts("factories"),
    "15.1": fails(counts("empty")),
    "16.1": lists("shafts", "blue"),
    "17.1": lists("shafts", "red"),
    "18.1": lists("shafts", "yellow"),
    "19.2": counts("track"),
    "20.1": counts("port"),
    "21.1": counts("chain"),
    "22.1": lists("only_with_gear", "blue"),
    "22.2": says("start", "palace"),
    "22.3": counts("parks"),
    "23.1": says("kiosks", 2),
}
"""By rules of the screen, one or several that say the same: whether an episode holds them."""


def told() -> dict[str, set[int]]:
    """The episodes in which the screen says that a rule is in force."""
    rows = re.findall(r"'(\d+\.\d+)': \[([^']*)\],\n", RULES.read_text("utf-8").replace("END", str(EPISODES[-1])))
    spans = {rule: re.findall(r"\[(\d+), (\d+)\]", text) for rule, text in rows}
    return {
        rule: {episode for first, last in found for episode in range(int(first), int(last) + 1)}
        for rule, found in spans.items()
    }


def episodes() -> dict[int, Episode]:
    return {number: tomllib.loads((CONTENT / f"episode-{number:02}.toml").read_text("utf-8")) for number in EPISODES}


@pytest.mark.parametrize("rules", HOLDS)
def test_a_rule_is_told_in_the_episodes_that_hold_it(rules: str) -> None:
    said = set[int]().union(*(told()[rule] for rule in rules.split()))
    assert said == {number for number, episode in episodes().items() if HOLDS[rules](episode)}


def test_every_episode_tells_rules_and_every_rule_is_told() -> None:
    assert all(told().values())
    assert set(EPISODES) <= set().union(*told().values())
