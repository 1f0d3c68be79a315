"""Data of a printable score sheet, besides its drawing: lines, bonuses, titles."""

from msgspec import Struct

from polyopolis.games.rollwrite.content import TYPES, Chapter, Content, Counting, Episode

YES_NO_LINES = ("never-passed", "all-trees", "no-rocks", "no-empty")
"""Lines that score once or not at all."""


class PaperLine(Struct, frozen=True):
    """A line of the scoring box."""

    line: str
    each: int | None
    """The points per item; None for passes, whose points are in the row of circles."""
    once: bool = False
    """Whether the line scores once or not at all."""


class PaperBonus(Struct, frozen=True):
    """Points for purses at the end of a chapter (RW-29)."""

    most: int
    second: int
    alone: dict[int, int]
    """Points in a solo game by the minimum number of purses."""


class Paper(Struct, frozen=True):
    """The parts of a printed sheet that are filled in during an episode and after it."""

    lines: tuple[PaperLine, ...]
    chapter: int
    episodes: tuple[int, ...]
    """The episodes of the chapter, which are scored together (RW-18)."""
    titles: tuple[int, ...]
    """The lowest scores for the solo titles of the chapter (RW-19)."""
    bonus: PaperBonus | None
    """The bonus of the chapter with purses."""
    bandits: tuple[str, ...]
    """The cells on which a bandit may be left from an earlier episode (RW-30)."""
    chapters: int
    """The number of chapters of a campaign; 0 unless this is its last episode."""
    campaign: tuple[int, ...]
    """The lowest scores for the solo titles of the campaign, on its last sheet."""


def paper_of(material: Content, number: int) -> Paper:
    """Returns the printed parts of the sheet of an episode."""
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
    """Returns the lines in the order of the score sheet, without purses, which have boxes of their own."""
    rules = episode.rules
    passes = [PaperLine("passes", None)] if rules.passing else []
    races = [PaperLine(race.race, race.points, once=True) for race in rules.races]
    return (*passes, *races, *(line for counting in rules.counting for line in _counting(counting)))


def _counting(counting: Counting) -> list[PaperLine]:
    if counting.line == "groups":
        return [PaperLine(f"group-{kind}", counting.points) for kind in TYPES]
    return [PaperLine(counting.line, counting.points, once=counting.line in YES_NO_LINES)]


def _bonus(chapter: Chapter) -> PaperBonus | None:
    if chapter.bonus is None:
        return None
    most, second, alone = chapter.bonus.most, chapter.bonus.second, chapter.bonus.alone
    return PaperBonus(most, second, {place.purses: place.points for place in alone})


def _earlier_bandits(material: Content, number: int) -> tuple[str, ...]:
    """Returns the cells of bandits on earlier sheets that have none on this one, in reading order."""
    site = material.episodes[number].site
    return site.grid.cells(site.grid.mask(material.bandits_before(number)) & ~site.bandits)
