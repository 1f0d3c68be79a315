"""The setup of the next episode, and the standings of a campaign (MC-17, MC-20, MC-30, MC-E26)."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import Line, Result, Sheet, ranks
from polyopolis.games.mycity.actions import Geared, Lost, Planted, RaceWon, Received, Stuck, Ticked, TookChurch
from polyopolis.games.mycity.content import NEWEST, Bonus, content
from polyopolis.games.mycity.legacy.rewards import rewards_by_rank
from polyopolis.games.mycity.scoring import total
from polyopolis.games.mycity.state import Legacy, Setup, State
from polyopolis.geometry import Mask

LASTING_EVENTS = (Geared, Lost, Planted, RaceWon, Received, Stuck, Ticked, TookChurch)
"""Events that stay relevant after an episode: changes of the boards, and their causes."""


def plans(version: int = NEWEST) -> dict[str, tuple[int, ...]]:
    """Returns the plans of campaigns by name: all episodes, or those of one chapter (MC-30, MC-31)."""
    material = content(version)
    chapters: dict[str, tuple[int, ...]] = {}
    for number in material.numbers:
        name = f"chapter-{material.episode(number).rules.chapter}"
        chapters[name] = (*chapters.get(name, ()), number)
    return {"campaign": material.numbers, **chapters}


def circles(state: State) -> tuple[int, ...]:
    """Returns the circles that each seat gains in a finished episode: by rank (MC-20), and by the limit (MC-17)."""
    return tuple(rewards.count("circle") for rewards in rewards_by_rank(state))


def onward(setup: Setup, state: State) -> Setup | None:
    """Returns the setup of the next episode of a campaign, with the boards after this one; None after the last."""
    if setup.play != "campaign" or setup.episode is UNSET or _is_last(setup):
        return None
    return replace(setup, episode=setup.episode + 1, boards=state.boards, triangles=state.triangles or UNSET)


def carried(setup: Setup) -> bool:
    """Returns whether the setup contains the result of an earlier episode."""
    return setup.boards is not UNSET or setup.triangles is not UNSET


def _is_last(setup: Setup) -> bool:
    return setup.episode == content(setup.content).numbers[-1]


def standings(first: Setup, played: Sequence[State]) -> Result:
    """Ranks seats by circles, then nuggets (MC-30). Sheets have a line for each episode and for the final bonuses."""
    before = (Legacy(),) * first.seats if first.boards is UNSET else first.boards
    boards = [before, *(state.boards for state in played)]
    final = _final(played[-1]) if played and _is_last(played[-1].setup) else [()] * first.seats
    sheets = tuple(
        (
            Line("before", 1, before[seat].circles),
            *(
                Line(f"episode-{state.setup.episode}", 1, new[seat].circles - old[seat].circles)
                for state, (old, new) in zip(played, pairwise(boards), strict=True)
            ),
            *final[seat],
        )
        for seat in range(first.seats)
    )
    totals = tuple(total(sheet) for sheet in sheets)
    order = [(-points, -board.nuggets) for points, board in zip(totals, boards[-1], strict=True)]
    return Result(totals, ranks(order), sheets)


def _final(state: State) -> list[Sheet]:
    """Returns the final bonuses: circles for all seats with the most, or fewest, of each kind (MC-E26)."""
    counts = {
        "most-nuggets": [board.nuggets for board in state.boards],
        "most-trees": [_on_board(state, board)[0] for board in state.boards],
        "fewest-rocks": [_on_board(state, board)[1] for board in state.boards],
    }
    bonuses = content(state.setup.content).campaign.final
    return [tuple(_bonus(bonus, counts[bonus.bonus], seat) for bonus in bonuses) for seat in range(state.setup.seats)]


def _bonus(bonus: Bonus, counts: Sequence[int], seat: int) -> Line:
    best = min(counts) if bonus.bonus.startswith("fewest") else max(counts)
    return Line(bonus.bonus, counts[seat], bonus.circles if counts[seat] == best else 0)


def _on_board(state: State, board: Legacy) -> tuple[int, int]:
    """Returns the numbers of trees and rocks on the cleared board."""
    site = state.episode.site_with(board.stickers, board.church or None, board.gears)
    return _number(site.trees), _number(site.rocks)


def _number(things: Sequence[tuple[Mask, int]]) -> int:
    return sum(where.bit_count() * each for where, each in things)
