"""Static facts about My City that clients load before a match. They contain no text of sealed episodes, only ids."""

from typing import Literal, get_args

from msgspec import Struct

from polyopolis.games.city_emblems import Animal, CityName
from polyopolis.games.modes import Mode, RuleIds, episode_modes, plan_modes
from polyopolis.games.mycity.appearance import BuildingKind, kind_of, shape_name
from polyopolis.games.mycity.campaign_rules import plans
from polyopolis.games.mycity.content import Card, Content, content
from polyopolis.games.mycity.legacy.episode_letters import rules_in_force, rules_introduced
from polyopolis.games.mycity.rule_ids import LINES, REASONS


class EpisodeOutline(Struct, frozen=True):
    """An episode, its chapter, and the names of its rules in the letters."""

    episode: int
    chapter: int
    rules: tuple[str, ...]
    """The rules in force, the oldest first."""
    brings: tuple[str, ...]
    """The rules that its letter introduces."""


class CardOutline(Struct, frozen=True):
    """The kind of a card and the name of its shape."""

    kind: BuildingKind | Literal["block"]
    shape: str


class Outline(Struct, frozen=True):
    content: int
    modes: tuple[Mode, ...]
    rules: RuleIds
    cards: dict[str, CardOutline]
    episodes: tuple[EpisodeOutline, ...]
    circles: int
    """The number of circles in each of the two rows of a board: one for each episode."""
    animals: tuple[Animal, ...]
    longest_name: int
    """The maximum length of the name of a city."""


def outline(version: int) -> Outline:
    material = content(version)
    several = plan_modes(plans(version), mode="episode", play="campaign")
    return Outline(
        content=version,
        modes=(
            Mode("eternal", {"mode": "eternal"}),
            *several["campaign"],
            *several["chapter"],
            *episode_modes(material.numbers, mode="episode"),
        ),
        rules=RuleIds(REASONS, LINES),
        cards={card.name: _card(card) for card in material.cards.values()},
        episodes=tuple(_episode(material, number) for number in material.numbers),
        circles=len(material.numbers),
        animals=get_args(Animal),
        longest_name=get_args(CityName)[1].max_length,
    )


def _card(card: Card) -> CardOutline:
    return CardOutline("block" if card.kind == "block" else kind_of(card), shape_name(card))


def _episode(material: Content, number: int) -> EpisodeOutline:
    rules = material.episodes[f"episode-{number:02}"].rules
    return EpisodeOutline(number, rules.chapter or 0, rules_in_force(number, rules), rules_introduced(number))
