"""The games, each a folder with the same files."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.mycity import campaign as mycity_campaign
from polyopolis.games.mycity import outline as mycity_outline
from polyopolis.games.mycity import rules as mycity
from polyopolis.games.pointcity import outline as pointcity_outline
from polyopolis.games.pointcity import rules as pointcity
from polyopolis.games.rollwrite import outline as rollwrite_outline
from polyopolis.games.rollwrite import rules as rollwrite

GAMES: dict[str, AnyGame] = {game.key: game for game in [mycity, pointcity, rollwrite]}
PLANS: dict[str, Callable[[int], Mapping[str, tuple[int, ...]]]] = {
    mycity.key: mycity.plans,
    rollwrite.key: rollwrite.plans,
}
"""For a version of the content: the ways to play several episodes in a row, by name."""
PLANNED: dict[str, Mapping[str, str]] = {mycity.key: {"mode": "episode", "play": "campaign"}}
"""What the setup of such an episode says besides its number."""

OUTLINES: dict[str, Callable[..., Struct]] = {
    mycity.key: mycity_outline.outline,
    pointcity.key: pointcity_outline.outline,
    rollwrite.key: rollwrite_outline.outline,
}
"""What is known of a game before anybody plays it, for a version of the content; without one of the newest."""

LASTING: dict[str, tuple[type[Struct], ...]] = {mycity.key: mycity_campaign.LASTING}
"""The events of an episode that a campaign goes on telling."""


class UnknownGame(PolyopolisError):
    """There is no game with this key."""


def game(key: str) -> AnyGame:
    if key not in GAMES:
        raise UnknownGame(f"there is no game {key!r}; there is {', '.join(sorted(GAMES))}")
    return GAMES[key]
