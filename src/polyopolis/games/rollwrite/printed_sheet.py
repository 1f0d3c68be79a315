"""What a sheet needs besides its drawing to be played and scored with a pencil alone."""

from msgspec import Struct

from polyopolis.games.rollwrite.content import TYPES, Chapter, Content, Counting, Episode

ONCE = ("never-passed", "all-trees", "no-rocks", "no-empty")
"""Lines that one has or has not."""


class PaperLine(Struct, frozen=True):
    """A line of the scoring box."""

    line: str
    each: int | None
    """The points for each of what it counts; None where the sheet says it elsewhere, in the row of circles."""
    once: bool = False
    """One has it or has not: there is nothing to count."""


class PaperBonus(Struct, frozen=True):
    """Points for purses at the end of a chapter (RW-29)."""

    most: int
    second: int
    alone: dict[int, int]
    """Alone: points for at least so many purses."""


class Paper(Struct, frozen=True):
    """What is written down beside a sheet, during an episode and after it."""

    lines: tuple[PaperLine, ...]
    chapter: int
    episodes: tuple[int, ...]
    """Those of the chapter, which are counted together (RW-18)."""
    titles: tuple[int, ...]
    """Alone: the lower limits of the titles of the chapter (RW-19)."""
    bonus: PaperBonus | None
    """In the chapter of the purses."""
    bandits: tuple[str, ...]
    """Cells on which a bandit may be left from an earlier episode (RW-30)."""
    chapters: int
    """How many chapters a campaign has; 0 unless this is its last episode."""
    campaign: tuple[int, ...]
    """Alone: the lower limits of the titles of the campaign, on its last sheet."""


def paper(material: Content, number: int) -> Paper:
    """The paper of an episode."""
    episode = material.episodes[number]
    at, chapter = next(
        (at, chapter) for at, chapter in enumerate(material.campaign.chapters, start=1) if number in chapter.episodes
    )
    last = number == max(material.episodes)
    return Paper(
        lines=_lines(episode),
        chapter=at,
        episodes=chapter.episodes,
        titles=chapter.titles,
        bonus=_bonus(chapter),
        bandits=_earlier_bandits(material, number) if episode.has_bandits else (),
        chapters=len(material.campaign.chapters) if last else 0,
        campaign=material.campaign.total.titles if last else (),
    )


def _lines(episode: Episode) -> tuple[PaperLine, ...]:
    """In the order of the score sheet; purses are no points and have boxes of their own."""
    rules = episode.rules
    passes = [PaperLine("passes", None)] if rules.passing else []
    races = [PaperLine(race.race, race.points, once=True) for race in rules.races]
    return (*passes, *races, *(line for counting in rules.counting for line in _counting(counting)))


def _counting(counting: Counting) -> list[PaperLine]:
    if counting.line == "groups":
        return [PaperLine(f"group-{kind}", counting.points) for kind in TYPES]
    return [PaperLine(counting.line, counting.points, once=counting.line in ONCE)]


def _bonus(chapter: Chapter) -> PaperBonus | None:
    if chapter.bonus is None:
        return None
    most, second, alone = chapter.bonus.most, chapter.bonus.second, chapter.bonus.alone
    return PaperBonus(most, second, {place.purses: place.points for place in alone})


def _earlier_bandits(material: Content, number: int) -> tuple[str, ...]:
    """Where a bandit of an earlier sheet stood and none is printed on this one, in reading order."""
    site = material.episodes[number].site
    return site.grid.cells(site.grid.mask(material.bandits_before(number)) & ~site.bandits)
