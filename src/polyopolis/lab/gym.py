"""Gymnasium environments: one agent alone, or against a bot. Importing this module registers them.

import gymnasium, polyopolis.lab.gym

table = gymnasium.make("polyopolis/mycity-eternal-v0", against="level-2")
"""

from typing import Any

import gymnasium

from polyopolis.bots import bot
from polyopolis.lab.action_numbers import IllegalActionNumber, action_of
from polyopolis.lab.environment_ids import NAMESPACE, UnknownEnvironment, offer_of, offers
from polyopolis.lab.episode_seeds import EpisodeSeeds
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.rewards_per_seat import ILLEGAL_REWARD, reward_function, rewards_between
from polyopolis.lab.spaces import SeatObservation, action_space, observation_space, observe_seat
from polyopolis.lab.text_rendering import render_table

DEFAULT_OPPONENT = "level-1"
"""Bot in the other seats unless another one is named."""


class Against(gymnasium.Env[SeatObservation, int]):  # type: ignore[misc]
    """One seat of a table; a bot plays all others. Bots decide before the agent is asked again."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"]}

    def __init__(  # noqa: PLR0913, PLR0917 - gymnasium.make passes them by name
        self,
        name: str,
        seats: int | None = None,
        against: str = DEFAULT_OPPONENT,
        seat: int = 0,
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        self.offer, self.seat, self.reward, self.render_mode = offer_of(name), seat, reward, render_mode
        reward_function(reward)
        self.bot = bot(against)
        self.seats = self.offer.seats[0] if seats is None else seats
        self.table = GameTable.begun(self.offer, self.seats)
        if seat not in range(self.seats):
            raise UnknownEnvironment(f"seat {seat} does not exist at a table for {self.seats}")
        self.action_space = action_space(self.offer)
        self.observation_space = observation_space(self.offer, self.seats)
        self.seeds = EpisodeSeeds()
        self.luck = self.bots = b""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SeatObservation, dict[str, Any]]:
        super().reset(seed=seed)
        self.seeds.begin(seed)
        self.luck, self.bots = self.seeds.next()
        self.table = self._until_asked(GameTable.begun(self.offer, self.seats))
        return observe_seat(self.table, self.seat), {}

    def step(self, action: int) -> tuple[SeatObservation, float, bool, bool, dict[str, Any]]:
        before = self.table
        try:
            decided = before.decide(self.seat, action_of(before, self.seat, action))
        except IllegalActionNumber:
            return observe_seat(before, self.seat), ILLEGAL_REWARD, True, False, {"illegal": True}
        self.table = self._until_asked(decided)
        reward = rewards_between(self.reward, before, self.table)[self.seat]
        return observe_seat(self.table, self.seat), reward, self.table.over, False, {}

    def render(self) -> str | None:
        text = render_table(self.table)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _until_asked(self, table: GameTable) -> GameTable:
        """Applies chance events and bot decisions until the agent is due or the table is over."""
        while True:
            table = table.dealt(self.luck)
            if table.over or self.seat in table.due:
                return table
            for other in sorted(table.due):
                table = table.decide(other, table.asked(self.bot, other, self.bots))


def register() -> None:
    """Registers all ids once."""
    for name in offers():
        if f"{NAMESPACE}/{name}" not in gymnasium.registry:
            entry = "polyopolis.lab.gym:Against"
            gymnasium.register(f"{NAMESPACE}/{name}", entry, kwargs={"name": name}, disable_env_checker=True)


register()
