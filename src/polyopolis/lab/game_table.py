"""A match or campaign as the value that environments step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from polyopolis.bots import Bot, choose
from polyopolis.engine import CHANCE, AnyGame, Campaign, Dealer, Match, derive_seed
from polyopolis.lab.environment_ids import EnvironmentId


@dataclass(frozen=True)
class GameTable:
    """A match, or a campaign with its current match."""

    offer: EnvironmentId
    match: Match
    campaign: Campaign | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Returns the table itself, because it is immutable."""
        return self

    @classmethod
    def begun(cls, offer: EnvironmentId, seats: int) -> Self:
        """Returns a table before its first chance event."""
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
        """Whether all is finished. In a campaign the next episode begins as soon as one is over."""
        return self.match.over

    @property
    def finished(self) -> int:
        """Number of finished matches."""
        return len(self.campaign.matches) if self.campaign else int(self.match.over)

    @property
    def scores(self) -> tuple[int, ...]:
        """Scores of the seats: of the match so far, or of the finished matches of a campaign."""
        result = self.campaign.standings() if self.campaign else self.match.result
        return result.scores[: self.seats]

    @property
    def ranks(self) -> tuple[int, ...]:
        result = self.campaign.standings() if self.campaign else self.match.result
        return result.ranks

    def legal(self, seat: int) -> Sequence[Any]:
        """Returns the legal actions of a seat; empty unless it is due."""
        return self.rules.legal(self.state, seat) if seat in self.due else ()

    def decide(self, seat: int, action: Any) -> Self:
        match, campaign = self.match.decide(seat, action), self.campaign
        if match.over and campaign:
            campaign = campaign.add(match)
            if not campaign.over:
                match = Match.start(self.rules, campaign.next_setup())
        return replace(self, match=match, campaign=campaign)

    def dealt(self, seed: bytes) -> Self:
        """Returns the table after all chance events that are due. Each episode has its own seed, as in an arena."""
        table = self
        while table.due == {CHANCE}:
            odds = table.rules.odds(table.state)
            table = table.decide(CHANCE, table.dealer(seed).pick(table.match.drawn, odds))
        return table

    def seed_now(self, seed: bytes) -> bytes:
        """Returns the seed of the current match."""
        return seed if self.campaign is None else derive_seed(seed, "match", len(self.campaign.matches))

    def dealer(self, seed: bytes) -> Dealer:
        return Dealer(self.seed_now(seed))

    def asked(self, bot: Bot, seat: int, seed: bytes) -> Any:
        """Returns the action of a bot for a seat."""
        return choose(bot, self.match, seat, self.seed_now(seed))
