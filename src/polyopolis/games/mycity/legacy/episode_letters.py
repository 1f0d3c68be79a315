"""Rules of the letters: which of them are in force in an episode.

A rule is named by the episode that introduces it and a number, such as `4.2`. Its text is sealed with the chapter of
that episode (docs/decisions/0006-sealed-envelopes.md); here it is a name and a condition on the content of an episode.
"""

from collections.abc import Callable, Mapping

from polyopolis.games.mycity.content import FOURTH_CHURCH, EpisodeFile

Condition = Callable[[EpisodeFile], bool]


def counts(line: str) -> Condition:
    return lambda rules: (
        line in [*(counting.line for counting in rules.counting), *(once.line for once in rules.at_once)]
    )


def races(name: str) -> Condition:
    return lambda rules: name in [race.race for race in rules.races]


def has_value(key: str, value: object) -> Condition:
    return lambda rules: getattr(rules, key) == value


def contains(key: str, name: str) -> Condition:
    return lambda rules: name in getattr(rules, key)


def gives(*rewards: str) -> Condition:
    return lambda rules: any(
        not set(rewards).isdisjoint(given)
        for given in (rules.rewards.first, rules.rewards.second, rules.rewards.others)
    )


def negated(holds: Condition) -> Condition:
    return lambda rules: not holds(rules)


def always(_: EpisodeFile) -> bool:
    return True


RULES: Mapping[str, Condition] = {
    "1.1": always,
    "1.2": has_value("start", "river"),
    "1.3": always,
    "1.4": has_value("passing", -1),
    "1.5": has_value("marker", 10),
    "1.6": counts("trees"),
    "1.7": counts("empty"),
    "1.8": has_value("limit", 50),
    "1.9": always,
    "1.10": always,
    "2.1": counts("wells"),
    "3.1": counts("groups"),
    "4.1": contains("must_build", "church"),
    "4.2": contains("deck", "block"),
    "4.3": negated(counts("churches")),
    "4.4": negated(has_value("fourth_church", None)),
    "5.1": contains("deck", FOURTH_CHURCH),
    "5.2": counts("churches"),
    "6.1": has_value("passing", None),
    "7.1": has_value("flooded", True),
    "7.2": always,
    "7.3": gives("meadow", "forest-tree"),
    "8.1": counts("dykes"),
    "9.1": has_value("passing", None),
    "10.1": always,
    "10.2": races("gold"),
    "10.3": always,
    "11.1": has_value("start", "sawmill"),
    "11.2": has_value("forest", True),
    "12.1": races("forest"),
    "13.1": always,
    "13.2": has_value("marker", 0),
    "13.3": counts("investor"),
    "13.4": negated(has_value("gifts", ())),
    "13.5": gives("gear"),
    "14.1": counts("factories"),
    "15.1": negated(counts("empty")),
    "16.1": contains("shafts", "blue"),
    "16.2": negated(has_value("shafts", ())),
    "17.1": contains("shafts", "red"),
    "18.1": contains("shafts", "yellow"),
    "19.1": always,
    "19.2": counts("track"),
    "20.1": counts("port"),
    "21.1": counts("chain"),
    "22.1": contains("only_with_gear", "blue"),
    "22.2": has_value("start", "palace"),
    "22.3": counts("parks"),
    "23.1": negated(has_value("kiosks", 0)),
    "24.1": counts("groups"),
    "24.2": always,
}
"""The condition on an episode under which each introduced rule applies, in the order of the letters."""

ONE_EPISODE_RULES = frozenset({"7.2", "10.1", "13.1", "19.1"})
"""Rules that are in force only in the episode that introduces them, such as a change of the board."""
REPLACED_BY = {"6.1": "9.1", "3.1": "24.1"}
"""Rules that a later letter replaces by a rule with other words."""


def introducing_episode(rule: str) -> int:
    """Returns the episode that introduces a rule."""
    return int(rule.partition(".")[0])


def rules_introduced(episode: int) -> tuple[str, ...]:
    """Returns the rules that an episode introduces."""
    return tuple(rule for rule in RULES if introducing_episode(rule) == episode)


def rules_in_force(episode: int, rules: EpisodeFile) -> tuple[str, ...]:
    """Returns the rules in force in an episode, the oldest first."""
    return tuple(rule for rule, holds in RULES.items() if _is_current(rule, episode) and holds(rules))


def _is_current(rule: str, episode: int) -> bool:
    """Returns whether the rule was introduced and is not replaced by a later letter."""
    first = introducing_episode(rule)
    if rule in ONE_EPISODE_RULES:
        return episode == first
    if rule in REPLACED_BY:
        return first <= episode < introducing_episode(REPLACED_BY[rule])
    return first <= episode
