"""The boards that an episode starts from (MC-30, MC-E28)."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.games.city_emblems import CityEmblem
from polyopolis.games.mycity.content import Alone, Episode, content
from polyopolis.games.mycity.legacy.carryover_limits import check
from polyopolis.games.mycity.legacy.rewards import room_for, with_stickers
from polyopolis.games.mycity.state import Legacy, Setup
from polyopolis.geometry import bits


def boards_of(setup: Setup, episode: Episode) -> tuple[Legacy, ...]:
    """What lies on each board when the episode begins; nothing ever does in the eternal game."""
    if setup.episode is UNSET:
        return ()
    check(setup, episode)
    boards = (_alone(episode.rules.alone),) * setup.seats if setup.boards is UNSET else setup.boards
    return tuple(_with_gifts(board, episode) for board in boards)


def named(setup: Setup, arms: Sequence[CityEmblem]) -> Setup:
    """A campaign's setup with these arms on its boards (MC-30), or without any."""
    if setup.play != "campaign" or setup.episode is UNSET:
        return setup
    bare = _alone(content(setup.content).episodes[f"episode-{setup.episode:02}"].rules.alone)
    boards = (bare,) * setup.seats if setup.boards is UNSET else setup.boards
    signs: list[dict[str, Any]] = [{"city": borne.city, "animal": borne.animal} for borne in arms]
    bearing = zip(boards, signs or [{"city": UNSET, "animal": UNSET}] * len(boards), strict=True)
    return replace(setup, boards=tuple(replace(board, **sign) for board, sign in bearing))


def arms(setup: Setup) -> tuple[CityEmblem, ...]:
    """Those that the cities of a campaign bear (MC-30), if all do."""
    boards = () if setup.boards is UNSET else setup.boards
    found = tuple(CityEmblem(board.city, board.animal) for board in boards if board.city and board.animal)
    return found if len(found) == setup.seats else ()


def alike(setup: Setup, other: Setup) -> bool:
    """Cities may be called anew between two episodes (MC-30)."""
    return named(setup, ()) == named(other, ())


def _alone(alone: Alone) -> Legacy:
    """The board of an episode that is played on its own (MC-E28)."""
    return Legacy(stickers=alone.stickers, church=alone.church or UNSET, gears=alone.gears)


def _with_gifts(board: Legacy, episode: Episode) -> Legacy:
    """Stickers for everybody at the start, on the first places there are (MC-E13)."""
    for kind in episode.rules.gifts:
        for cell in bits(room_for(episode, board, kind)):
            board = with_stickers(episode, board, {episode.board.grid.cells(cell)[0]: kind})
            break
    return board
