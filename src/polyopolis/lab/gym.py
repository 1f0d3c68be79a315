"""The games for Gymnasium: alone, or against a bot of the house. Importing this registers them.

import gymnasium, polyopolis.lab.gym

table = gymnasium.make("polyopolis/mycity-eternal-v0", against="level-2")
"""

from typing import Any

import gymnasium

from polyopolis.bots import bot
from polyopolis.lab.action_numbers import NotAllowed, action_of
from polyopolis.lab.environment_ids import NAMESPACE, UnknownOffer, offer_of, offers
from polyopolis.lab.episode_seeds import Seeds
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.rewards_per_seat import ILLEGAL, rewarding, rewards_of
from polyopolis.lab.spaces import Seen, action_space, observation_space, seen
from polyopolis.lab.text_rendering import drawn

AGAINST = "level-1"
"""Who sits in the other seats unless somebody else is named."""


class Against(gymnasium.Env[Seen, int]):  # type: ignore[misc]
    """One seat of a table; a bot has all others. Its turn is over before one is asked again."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"]}

    def __init__(  # noqa: PLR0913, PLR0917 - all of them by name, as gymnasium.make hands them on
        self,
        name: str,
        seats: int | None = None,
        against: str = AGAINST,
        seat: int = 0,
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        self.offer, self.seat, self.reward, self.render_mode = offer_of(name), seat, reward, render_mode
        rewarding(reward)
        self.bot = bot(against)
        self.seats = self.offer.seats[0] if seats is None else seats
        self.table = GameTable.begun(self.offer, self.seats)
        if seat not in range(self.seats):
            raise UnknownOffer(f"there is no seat {seat} at a table for {self.seats}")
        self.action_space = action_space(self.offer)
        self.observation_space = observation_space(self.offer, self.seats)
        self.seeds = Seeds()
        self.luck = self.bots = b""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed)
        self.seeds.begin(seed)
        self.luck, self.bots = self.seeds.next()
        self.table = self._until_asked(GameTable.begun(self.offer, self.seats))
        return seen(self.table, self.seat), {}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        before = self.table
        try:
            decided = before.decide(self.seat, action_of(before, self.seat, action))
        except NotAllowed:
            return seen(before, self.seat), ILLEGAL, True, False, {"illegal": True}
        self.table = self._until_asked(decided)
        reward = rewards_of(self.reward, before, self.table)[self.seat]
        return seen(self.table, self.seat), reward, self.table.over, False, {}

    def render(self) -> str | None:
        text = drawn(self.table)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _until_asked(self, table: GameTable) -> GameTable:
        """Luck and the bot, until one is due or all is over."""
        while True:
            table = table.dealt(self.luck)
            if table.over or self.seat in table.due:
                return table
            for other in sorted(table.due):
                table = table.decide(other, table.asked(self.bot, other, self.bots))


def register() -> None:
    """All ids, once."""
    for name in offers():
        if f"{NAMESPACE}/{name}" not in gymnasium.registry:
            entry = "polyopolis.lab.gym:Against"
            gymnasium.register(f"{NAMESPACE}/{name}", entry, kwargs={"name": name}, disable_env_checker=True)


register()
