"""Episodes played one after the other, as a value."""

from dataclasses import dataclass, replace
from typing import Any, Self

from msgspec.structs import replace as with_

from polyopolis.engine.core import AnyGame, PolyopolisError, Result
from polyopolis.engine.match import Match


class BadCampaign(PolyopolisError):
    """The campaign cannot go on like this."""


@dataclass(frozen=True)
class Campaign:
    """A plan of episodes, the setup before the first, and the matches played so far."""

    game: AnyGame
    plan: tuple[int, ...]
    first: Any
    matches: tuple[Match, ...] = ()

    @property
    def over(self) -> bool:
        return len(self.matches) == len(self.plan)

    def next_setup(self) -> Any | None:
        """What the next episode starts from; None when the plan is played."""
        if self.over:
            return None
        if not self.matches:
            return with_(self.first, episode=self.plan[0])
        last = self.matches[-1]
        onward = self.game.onward(last.setup, last.state)
        if onward is None:
            raise BadCampaign(f"nothing follows episode {last.setup.episode}, but the plan goes on")
        return with_(onward, episode=self.plan[len(self.matches)])

    def add(self, match: Match) -> Self:
        """The campaign with its next match finished."""
        if not match.over:
            raise BadCampaign(f"episode {len(self.matches) + 1} of the campaign is not finished")
        if match.game is not self.game or not self._follows(match.setup):
            raise BadCampaign(f"match {len(self.matches) + 1} does not start from what the campaign left")
        return replace(self, matches=(*self.matches, match))

    def _follows(self, setup: Any) -> bool:
        """Whether a match starts from what the campaign left, in all that a rule asks for."""
        following = self.next_setup()
        return following is not None and self.game.alike(setup, following)

    def standings(self) -> Result:
        """The score sheets of the campaign so far."""
        return self.game.standings(self.first, [match.state for match in self.matches])
