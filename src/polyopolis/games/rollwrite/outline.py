"""Static facts about Roll & Write that clients load before a match: chapters, modes of play, printable sheets."""

from msgspec import Struct

from polyopolis.games.modes import Mode, RuleIds, episode_modes, plan_modes
from polyopolis.games.rollwrite.campaign_rules import plans
from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.printable_sheet import Paper, paper_of
from polyopolis.games.rollwrite.rule_ids import LINES, REASONS


class Outline(Struct, frozen=True):
    content: int
    modes: tuple[Mode, ...]
    rules: RuleIds
    chapters: dict[int, int]
    """The chapter of each episode."""
    papers: dict[int, Paper]
    """The printable sheet of each episode, besides the drawing."""


def outline(version: int) -> Outline:
    material = content(version)
    several = plan_modes(plans(version))
    return Outline(
        content=version,
        modes=(*episode_modes(tuple(material.episodes)), *several["chapter"], *several["campaign"]),
        rules=RuleIds(REASONS, LINES),
        chapters={
            episode: number
            for number, chapter in enumerate(material.campaign.chapters, start=1)
            for episode in chapter.episodes
        },
        papers={episode: paper_of(material, episode) for episode in material.episodes},
    )
