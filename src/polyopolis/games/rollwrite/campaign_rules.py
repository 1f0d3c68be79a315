"""Setup of the next episode; chapters, purses and titles in the standings (RW-1, RW-18, RW-19, RW-29, RW-30)."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import Line, Result
from polyopolis.games.rollwrite.content import Bonus, Chapter, content
from polyopolis.games.rollwrite.scoring import free_bandits, purse_count, ranked_result, scores, total
from polyopolis.games.rollwrite.state import Setup, State


def plans(version: int) -> Mapping[str, tuple[int, ...]]:
    """Returns the plans of campaigns by name (RW-1)."""
    return content(version).campaign.plans


def onward(setup: Setup, state: State) -> Setup | None:
    """Returns the setup of the next episode, with the cells of the bandits that are still free (RW-30)."""
    if setup.episode == max(content(setup.content).episodes):
        return None
    cells = state.episode.site.grid.cells
    free = tuple(cells(free_bandits(city)) for city in state.cities)
    return replace(setup, episode=setup.episode + 1, bandits=free if state.episode.has_bandits else UNSET)


def carried(setup: Setup) -> bool:
    """Returns whether the setup contains the result of an earlier episode."""
    return setup.bandits is not UNSET


def alike(setup: Setup, other: Setup) -> bool:
    """Returns whether setups are equal; the rules use all fields."""
    return setup == other


def standings(first: Setup, played: Sequence[State]) -> Result:
    """Adds the points of episodes and purses. Chapters and titles are counts of lines without points."""
    chapters = content(first.content).campaign.chapters
    results = [scores(state).scores for state in played]
    sheets = []
    for seat in range(first.seats):
        lines = [
            line
            for number, chapter in enumerate(chapters, start=1)
            for line in _chapter(number, chapter, played, results, seat)
        ]
        sheets.append((*lines, *_whole(first, played, total(lines))))
    return ranked_result(tuple(sheets))


def _chapter(
    number: int, chapter: Chapter, played: Sequence[State], results: Sequence[Sequence[int]], seat: int
) -> Iterator[Line]:
    """Yields the lines of a chapter: episodes, purses and, when it is complete, score and solo title (RW-18, RW-19)."""
    own = [
        (state, result)
        for state, result in zip(played, results, strict=True)
        if state.setup.episode in chapter.episodes
    ]
    lines = [Line(f"episode-{state.setup.episode}", 1, result[seat]) for state, result in own]
    whole = {state.setup.episode for state, _ in own} == set(chapter.episodes)
    if chapter.bonus and own:
        gathered = _gathered([state for state, _ in own])
        lines.append(Line("purses", gathered[seat], _purse_points(chapter.bonus, gathered, seat) if whole else 0))
    yield from lines
    if whole:
        points = total(lines)
        yield Line(f"chapter-{number}", points, 0)
        if len(own[0][0].cities) == 1:
            yield Line(f"chapter-title-{number}", title_rank(chapter.titles, points), 0)


def _gathered(played: Sequence[State]) -> list[int]:
    """Returns the number of purses of each seat in these episodes."""
    by_episode = ([purse_count(state, city) for city in state.cities] for state in played)
    return [sum(own) for own in zip(*by_episode, strict=True)]


def _purse_points(bonus: Bonus, gathered: Sequence[int], seat: int) -> int:
    """Returns the points for the most purses or for the next lower number; ties score the same (RW-29)."""
    own = gathered[seat]
    if len(gathered) == 1:
        return max((step.points for step in bonus.alone if own >= step.purses), default=0)
    more = len({other for other in gathered if other > own})
    return (bonus.most, bonus.second, 0)[min(more, 2)]


def _whole(first: Setup, played: Sequence[State], points: int) -> Iterator[Line]:
    """Yields the score of a campaign over all episodes and, in solo, the title (RW-19)."""
    material = content(first.content)
    if {state.setup.episode for state in played} == set(material.episodes):
        yield Line("campaign", points, 0)
        if first.seats == 1:
            yield Line("title", title_rank(material.campaign.total.titles, points), 0)


def title_rank(limits: Sequence[int], points: int) -> int:
    """Returns the rank of a title, from 1; scores below the lowest limit have rank 1 too (RW-35)."""
    return max(1, bisect_right(limits, points))
