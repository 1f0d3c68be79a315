"""What is known of My City before anybody plays it. Of an episode that has not begun it tells numbers, and no word."""

from typing import Literal, get_args

from msgspec import Struct

from polyopolis.games.city_emblems import Animal, CityName
from polyopolis.games.modes import Mode, RuleIds, in_a_row, single_episodes
from polyopolis.games.mycity.appearance import BuildingKind, kind_of, shape_name
from polyopolis.games.mycity.campaign_rules import plans
from polyopolis.games.mycity.content import Card, Content, content
from polyopolis.games.mycity.legacy.episode_letters import brought, in_force
from polyopolis.games.mycity.rule_ids import LINES, REASONS


class EpisodeOutline(Struct, frozen=True):
    """An episode, its chapter, and the rules of its letter by their names."""

    episode: int
    chapter: int
    rules: tuple[str, ...]
    """In force, the oldest first."""
    brings: tuple[str, ...]


class CardOutline(Struct, frozen=True):
    """What a card is called by: its kind and the name of its shape."""

    kind: BuildingKind | Literal["block"]
    shape: str


class Outline(Struct, frozen=True):
    content: int
    modes: tuple[Mode, ...]
    rules: RuleIds
    cards: dict[str, CardOutline]
    episodes: tuple[EpisodeOutline, ...]
    circles: int
    """In each of the two rows of a board: one for each episode."""
    animals: tuple[Animal, ...]
    longest_name: int
    """Letters of the name of a city."""


def outline(version: int) -> Outline:
    material = content(version)
    several = in_a_row(plans(version), mode="episode", play="campaign")
    return Outline(
        content=version,
        modes=(
            Mode("eternal", {"mode": "eternal"}),
            *several["campaign"],
            *several["chapter"],
            *single_episodes(material.numbers, mode="episode"),
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
    return EpisodeOutline(number, rules.chapter or 0, in_force(number, rules), brought(number))
