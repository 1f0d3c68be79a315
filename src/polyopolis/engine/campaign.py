"""An immutable campaign: a plan of episodes played in order, with standings."""

from dataclasses import dataclass, replace
from typing import Any, Self

from msgspec.structs import replace as with_

from polyopolis.engine.core import AnyGame, PolyopolisError, Result
from polyopolis.engine.match import Match


class BadCampaign(PolyopolisError):
    """A match cannot continue the campaign, or the plan has an episode that cannot follow."""


@dataclass(frozen=True)
class Campaign:
    """A plan of episodes, the setup before the first episode, and the finished matches."""

    game: AnyGame
    plan: tuple[int, ...]
    first: Any
    matches: tuple[Match, ...] = ()

    @property
    def over(self) -> bool:
        return len(self.matches) == len(self.plan)

    def next_setup(self) -> Any | None:
        """Returns the setup of the next episode; None when all episodes of the plan are played."""
        if self.over:
            return None
        if not self.matches:
            return with_(self.first, episode=self.plan[0])
        last = self.matches[-1]
        onward = self.game.onward(last.setup, last.state)
        if onward is None:
            raise BadCampaign(f"no episode can follow episode {last.setup.episode}, but the plan has another one")
        return with_(onward, episode=self.plan[len(self.matches)])

    def add(self, match: Match) -> Self:
        """Returns the campaign with the next match added. Raises `BadCampaign` unless it is finished and fits."""
        if not match.over:
            raise BadCampaign(f"episode {len(self.matches) + 1} of the campaign is not finished")
        if match.game is not self.game or not self._follows(match.setup):
            raise BadCampaign(f"match {len(self.matches) + 1} does not start from the state of the campaign")
        return replace(self, matches=(*self.matches, match))

    def _follows(self, setup: Any) -> bool:
        """Returns whether a match with this setup can be the next one: it equals `next_setup` in all that rules use."""
        following = self.next_setup()
        return following is not None and self.game.alike(setup, following)

    def standings(self) -> Result:
        """Returns the score sheets of the campaign so far."""
        return self.game.standings(self.first, [match.state for match in self.matches])
