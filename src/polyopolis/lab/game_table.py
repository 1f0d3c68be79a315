"""A match or a campaign being played, as a value: what all environments here hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from polyopolis.bots import Bot, choose
from polyopolis.engine import CHANCE, AnyGame, Campaign, Dealer, Match, derive_seed
from polyopolis.lab.environment_ids import EnvironmentId


@dataclass(frozen=True)
class GameTable:
    """What a match is, and after an episode of a plan the next one."""

    offer: EnvironmentId
    match: Match
    campaign: Campaign | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A value needs no copy: whoever copies an environment plays on from both."""
        return self

    @classmethod
    def begun(cls, offer: EnvironmentId, seats: int) -> Self:
        """Before any luck."""
        setup = offer.setup(seats)
        if not offer.plan:
            return cls(offer, Match.start(offer.rules, setup))
        campaign = Campaign(offer.rules, offer.plan, setup)
        return cls(offer, Match.start(offer.rules, campaign.next_setup()), campaign)

    @property
    def rules(self) -> AnyGame:
        return self.offer.rules

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def seats(self) -> int:
        return int(self.match.setup.seats)

    @property
    def due(self) -> frozenset[int]:
        return self.match.due

    @property
    def over(self) -> bool:
        """An episode that is over is followed by the next one at once, if there is one."""
        return self.match.over

    @property
    def finished(self) -> int:
        """How many matches of it are."""
        return len(self.campaign.matches) if self.campaign else int(self.match.over)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score sheets as they stand; those of a campaign are about what is finished."""
        result = self.campaign.standings() if self.campaign else self.match.result
        return result.scores[: self.seats]

    @property
    def ranks(self) -> tuple[int, ...]:
        result = self.campaign.standings() if self.campaign else self.match.result
        return result.ranks

    def legal(self, seat: int) -> Sequence[Any]:
        """What a seat may do: nothing unless it is due."""
        return self.rules.legal(self.state, seat) if seat in self.due else ()

    def decide(self, seat: int, action: Any) -> Self:
        match, campaign = self.match.decide(seat, action), self.campaign
        if match.over and campaign:
            campaign = campaign.add(match)
            if not campaign.over:
                match = Match.start(self.rules, campaign.next_setup())
        return replace(self, match=match, campaign=campaign)

    def dealt(self, seed: bytes) -> Self:
        """After all the luck that is due. Each episode has luck of its own, as in an arena."""
        table = self
        while table.due == {CHANCE}:
            odds = table.rules.odds(table.state)
            table = table.decide(CHANCE, table.dealer(seed).pick(table.match.drawn, odds))
        return table

    def seed_now(self, seed: bytes) -> bytes:
        """Of the match that is being played."""
        return seed if self.campaign is None else derive_seed(seed, "match", len(self.campaign.matches))

    def dealer(self, seed: bytes) -> Dealer:
        return Dealer(self.seed_now(seed))

    def asked(self, bot: Bot, seat: int, seed: bytes) -> Any:
        """What a bot does for a seat."""
        return choose(bot, self.match, seat, self.seed_now(seed))
