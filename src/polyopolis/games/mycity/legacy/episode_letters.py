"""In which episodes a rule of the letters is in force.

A rule is named by the episode that brings it and a number, as `4.2`. Its words are sealed with the chapter of that
episode (docs/decisions/0006-sealed-envelopes.md); here it is a name and a question to the content of an episode.
"""

from collections.abc import Callable, Mapping

from polyopolis.games.mycity.content import FOURTH, EpisodeFile

Holds = Callable[[EpisodeFile], bool]


def counts(line: str) -> Holds:
    return lambda rules: (
        line in [*(counting.line for counting in rules.counting), *(once.line for once in rules.at_once)]
    )


def races(name: str) -> Holds:
    return lambda rules: name in [race.race for race in rules.races]


def says(key: str, value: object) -> Holds:
    return lambda rules: getattr(rules, key) == value


def lists(key: str, name: str) -> Holds:
    return lambda rules: name in getattr(rules, key)


def gives(*rewards: str) -> Holds:
    return lambda rules: any(
        not set(rewards).isdisjoint(given)
        for given in (rules.rewards.first, rules.rewards.second, rules.rewards.others)
    )


def fails(holds: Holds) -> Holds:
    return lambda rules: not holds(rules)


def always(_: EpisodeFile) -> bool:
    return True


RULES: Mapping[str, Holds] = {
    "1.1": always,
    "1.2": says("start", "river"),
    "1.3": always,
    "1.4": says("passing", -1),
    "1.5": says("marker", 10),
    "1.6": counts("trees"),
    "1.7": counts("empty"),
    "1.8": says("limit", 50),
    "1.9": always,
    "1.10": always,
    "2.1": counts("wells"),
    "3.1": counts("groups"),
    "4.1": lists("must_build", "church"),
    "4.2": lists("deck", "block"),
    "4.3": fails(counts("churches")),
    "4.4": fails(says("fourth_church", None)),
    "5.1": lists("deck", FOURTH),
    "5.2": counts("churches"),
    "6.1": says("passing", None),
    "7.1": says("flooded", True),
    "7.2": always,
    "7.3": gives("meadow", "forest-tree"),
    "8.1": counts("dykes"),
    "9.1": says("passing", None),
    "10.1": always,
    "10.2": races("gold"),
    "10.3": always,
    "11.1": says("start", "sawmill"),
    "11.2": says("forest", True),
    "12.1": races("forest"),
    "13.1": always,
    "13.2": says("marker", 0),
    "13.3": counts("investor"),
    "13.4": fails(says("gifts", ())),
    "13.5": gives("gear"),
    "14.1": counts("factories"),
    "15.1": fails(counts("empty")),
    "16.1": lists("shafts", "blue"),
    "16.2": fails(says("shafts", ())),
    "17.1": lists("shafts", "red"),
    "18.1": lists("shafts", "yellow"),
    "19.1": always,
    "19.2": counts("track"),
    "20.1": counts("port"),
    "21.1": counts("chain"),
    "22.1": lists("only_with_gear", "blue"),
    "22.2": says("start", "palace"),
    "22.3": counts("parks"),
    "23.1": fails(says("kiosks", 0)),
    "24.1": counts("groups"),
    "24.2": always,
}
"""Whether an episode holds a rule, once it was brought; in the order of the letters."""

ONCE = frozenset({"7.2", "10.1", "13.1", "19.1"})
"""What changes with the episode that says so, and need not be said again."""
ANEW = {"6.1": "9.1", "3.1": "24.1"}
"""Rules that a later letter brings anew, in words of its own."""


def bringer(rule: str) -> int:
    """The episode that brings a rule."""
    return int(rule.partition(".")[0])


def brought(episode: int) -> tuple[str, ...]:
    """The rules that are new in an episode."""
    return tuple(rule for rule in RULES if bringer(rule) == episode)


def in_force(episode: int, rules: EpisodeFile) -> tuple[str, ...]:
    """The rules that hold in an episode, the oldest first."""
    return tuple(rule for rule, holds in RULES.items() if _is_current(rule, episode) and holds(rules))


def _is_current(rule: str, episode: int) -> bool:
    """It was brought, and no later letter has taken its place."""
    last = bringer(rule) if rule in ONCE else bringer(ANEW[rule]) - 1 if rule in ANEW else episode
    return bringer(rule) <= episode <= last
