"""The boards that an episode starts from (MC-30, MC-E28), and what cannot lie on one."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import BadSetup
from polyopolis.games.arms import Arms
from polyopolis.games.mycity.content import Alone, Content, Episode, content
from polyopolis.games.mycity.rewards import room_for, triangle, with_stickers
from polyopolis.games.mycity.state import Legacy, Setup
from polyopolis.geometry import bits

GROUND = {"tree": ".r#", "rock": ".#", "meadow": "#", "forest-tree": "#"}
"""The printed ground of each sticker. A rock may have become a park, and forest meadow, before it came."""


def boards_of(setup: Setup, episode: Episode) -> tuple[Legacy, ...]:
    """What lies on each board when the episode begins; nothing ever does in the eternal game."""
    if setup.episode is UNSET:
        return ()
    _check(setup, episode)
    boards = (_alone(episode.rules.alone),) * setup.seats if setup.boards is UNSET else setup.boards
    return tuple(_with_gifts(board, episode) for board in boards)


def named(setup: Setup, arms: Sequence[Arms]) -> Setup:
    """A campaign's setup with these arms on its boards (MC-30), or without any."""
    if setup.play != "campaign" or setup.episode is UNSET:
        return setup
    bare = _alone(content(setup.content).episodes[f"episode-{setup.episode:02}"].rules.alone)
    boards = (bare,) * setup.seats if setup.boards is UNSET else setup.boards
    signs: list[dict[str, Any]] = [{"city": borne.city, "animal": borne.animal} for borne in arms]
    bearing = zip(boards, signs or [{"city": UNSET, "animal": UNSET}] * len(boards), strict=True)
    return replace(setup, boards=tuple(replace(board, **sign) for board, sign in bearing))


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


def _check(setup: Setup, episode: Episode) -> None:
    material = content(setup.content)
    for seat, board in enumerate(setup.boards or ()):
        if wrong := _what_is_wrong(board, episode, material):
            raise BadSetup(f"the board of seat {seat} cannot be: {wrong}")
    for name in setup.triangles or ():
        if name not in _boxes(material):
            raise BadSetup(f"no shaft has the box {name}")


def _boxes(material: Content) -> set[str]:
    return {triangle(colour, box) for colour, shaft in material.campaign.shafts.items() for box in shaft.rewards}


def _what_is_wrong(board: Legacy, episode: Episode, material: Content) -> str | None:
    for cell, kind in board.stickers.items():
        if cell not in episode.board.grid or not episode.board.grid.mask([cell]) & episode.board.where(GROUND[kind]):
            return f"no {kind} can lie on {cell}"
    if board.church is not UNSET and board.church not in episode.fourth:
        return f"there is no church {board.church}"
    for shape in board.gears:
        if f"blue-{shape}" not in material.cards or board.gears.count(shape) > 1:
            return f"no gear can lie on {shape}"
    for colour, boxes in board.shafts.items():
        if not 0 <= boxes <= material.campaign.shafts[colour].boxes:
            return f"the {colour} shaft has no {boxes} boxes"
    return "less than nothing" if min(board.circles, board.nuggets) < 0 else None
