"""Boards that an episode starts from: what earlier episodes left on them (MC-30, MC-E28)."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.games.city_emblems import CityEmblem
from polyopolis.games.mycity.content import Episode, StandaloneBoard, content
from polyopolis.games.mycity.legacy.carryover_limits import check_carryover
from polyopolis.games.mycity.legacy.rewards import sticker_cells, with_stickers
from polyopolis.games.mycity.state import Legacy, Setup
from polyopolis.geometry import bits


def starting_boards(setup: Setup, episode: Episode) -> tuple[Legacy, ...]:
    """Returns the permanent changes of each board at the start of an episode; empty in the eternal game."""
    if setup.episode is UNSET:
        return ()
    check_carryover(setup, episode)
    boards = (_alone(episode.rules.alone),) * setup.seats if setup.boards is UNSET else setup.boards
    return tuple(_with_gifts(board, episode) for board in boards)


def with_emblems(setup: Setup, emblems: Sequence[CityEmblem]) -> Setup:
    """Returns the setup of a campaign with these emblems on its boards (MC-30), or without any."""
    if setup.play != "campaign" or setup.episode is UNSET:
        return setup
    bare = _alone(content(setup.content).episodes[f"episode-{setup.episode:02}"].rules.alone)
    boards = (bare,) * setup.seats if setup.boards is UNSET else setup.boards
    fields: list[dict[str, Any]] = [{"city": emblem.city, "animal": emblem.animal} for emblem in emblems]
    pairs = zip(boards, fields or [{"city": UNSET, "animal": UNSET}] * len(boards), strict=True)
    return replace(setup, boards=tuple(replace(board, **named) for board, named in pairs))


def emblems_of(setup: Setup) -> tuple[CityEmblem, ...]:
    """Returns the emblems of the cities of a campaign (MC-30), or none unless all cities have one."""
    boards = () if setup.boards is UNSET else setup.boards
    found = tuple(CityEmblem(board.city, board.animal) for board in boards if board.city and board.animal)
    return found if len(found) == setup.seats else ()


def alike(setup: Setup, other: Setup) -> bool:
    """Returns whether setups are equal apart from emblems, which may change between two episodes (MC-30)."""
    return with_emblems(setup, ()) == with_emblems(other, ())


def _alone(alone: StandaloneBoard) -> Legacy:
    """Returns the board of an episode that is played on its own (MC-E28)."""
    return Legacy(stickers=alone.stickers, church=alone.church or UNSET, gears=alone.gears)


def _with_gifts(board: Legacy, episode: Episode) -> Legacy:
    """Returns the board with the stickers that all players get at the start, on the first possible cells (MC-E13)."""
    for kind in episode.rules.gifts:
        for cell in bits(sticker_cells(episode, board, kind)):
            board = with_stickers(episode, board, {episode.board.grid.cells(cell)[0]: kind})
            break
    return board
