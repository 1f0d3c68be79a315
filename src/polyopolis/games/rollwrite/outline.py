"""What is known of Roll & Write before anybody plays it: its chapters and the ways to play it."""

from msgspec import Struct

from polyopolis.games.modes import Mode, RuleIds, in_a_row, single_episodes
from polyopolis.games.rollwrite.campaign_rules import plans
from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.printed_sheet import Paper, paper
from polyopolis.games.rollwrite.rule_ids import LINES, REASONS


class Outline(Struct, frozen=True):
    content: int
    modes: tuple[Mode, ...]
    rules: RuleIds
    chapters: dict[int, int]
    """For each episode its chapter."""
    papers: dict[int, Paper]
    """For each episode what stands beside its sheet on paper."""


def outline(version: int) -> Outline:
    material = content(version)
    several = in_a_row(plans(version))
    return Outline(
        content=version,
        modes=(*single_episodes(tuple(material.episodes)), *several["chapter"], *several["campaign"]),
        rules=RuleIds(REASONS, LINES),
        chapters={
            episode: number
            for number, chapter in enumerate(material.campaign.chapters, start=1)
            for episode in chapter.episodes
        },
        papers={episode: paper(material, episode) for episode in material.episodes},
    )
