"""PettingZoo environments: seats in turn (`env`), or all seats in one step (`parallel_env`).

    from polyopolis.lab.zoo import env

    table = env("mycity-eternal-v0", seats=2)

After the import PettingZoo's `make("aec", "polyopolis/mycity-eternal-v0")` supports them, too, and `make("parallel",
...)`.

Simultaneous decisions are hidden from each other: they can be observed when all seats have decided. In `parallel_env`
a seat that is not due has a mask of zeros, and its action is ignored.
"""

from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as register_env
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from polyopolis.lab.action_numbers import IllegalActionNumber, action_of
from polyopolis.lab.environment_ids import NAMESPACE, EnvironmentId, offer_of, offers
from polyopolis.lab.episode_seeds import EpisodeSeeds
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.rewards_per_seat import ILLEGAL_REWARD, reward_function, rewards_between
from polyopolis.lab.spaces import SeatObservation, action_space, observation_space, observe_seat
from polyopolis.lab.text_rendering import render_table

RENDER_MODES = ["ansi", "human"]


def env(name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None) -> AECEnv:
    """Returns an environment with seats in turn and the usual checks of PettingZoo."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(name, seats, reward, render_mode)))


class _SeatedEnv:
    """Common part of both environments: seats, spaces, seeds and the table."""

    def __init__(self, name: str, seats: int | None, reward: str, render_mode: str | None) -> None:
        self.offer: EnvironmentId = offer_of(name)
        reward_function(reward)
        number = self.offer.seats[0] if seats is None else seats
        self.table = GameTable.begun(self.offer, number)
        self.possible_agents = [f"seat_{seat}" for seat in range(number)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.reward = reward
        self.seeds = EpisodeSeeds()
        self.luck = b""
        self._actions = {agent: action_space(self.offer) for agent in self.possible_agents}
        self._observations = {agent: observation_space(self.offer, number) for agent in self.possible_agents}

    def action_space(self, agent: str) -> Discrete:
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        return self._observations[agent]

    def begin(self, seed: int | None) -> None:
        self.seeds.begin(seed)
        self.luck, _ = self.seeds.next()
        self.agents = self.possible_agents[:]
        self.table = GameTable.begun(self.offer, len(self.agents)).dealt(self.luck)

    def seen(self, agent: str) -> SeatObservation:
        return observe_seat(self.table, self.seat_of[agent])

    def render(self) -> str | None:
        text = render_table(self.table)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """No resources are held."""


class raw_env(_SeatedEnv, AECEnv):  # type: ignore[misc]  # noqa: N801 - as PettingZoo names it
    """Seats in turn, without the usual checks."""

    metadata: dict[str, Any] = {"name": "polyopolis", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(
        self, name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None
    ) -> None:
        AECEnv.__init__(self)
        _SeatedEnv.__init__(self, name, seats, reward, render_mode)
        self.metadata = {**type(self).metadata, "name": self.offer.id}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def observe(self, agent: str) -> SeatObservation:
        return self.seen(agent)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decide(agent, action)
        self._accumulate_rewards()
        self.agent_selection = self._next()

    def _decide(self, agent: str, action: Any) -> None:
        seat, before = self.seat_of[agent], self.table
        try:
            self.table = before.decide(seat, action_of(before, seat, action)).dealt(self.luck)
        except IllegalActionNumber:
            self.rewards[agent] = ILLEGAL_REWARD
            self.infos[agent]["illegal"] = True
            self.terminations = dict.fromkeys(self.agents, True)
            return
        for other, reward in zip(self.agents, rewards_between(self.reward, before, self.table), strict=True):
            self.rewards[other] = reward
        self.terminations = dict.fromkeys(self.agents, self.table.over)

    def _next(self) -> str:
        """Returns the first seat that is due; any agent once the table is over."""
        return self.possible_agents[min(self.table.due, default=0)] if not self.table.over else self.agents[0]


class parallel_env(_SeatedEnv, ParallelEnv):  # type: ignore[misc]  # noqa: N801 - as PettingZoo names it
    """All seats in one step."""

    metadata: dict[str, Any] = {"name": "polyopolis", "render_modes": RENDER_MODES}

    def __init__(
        self, name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None
    ) -> None:
        _SeatedEnv.__init__(self, name, seats, reward, render_mode)
        self.metadata = {**type(self).metadata, "name": self.offer.id}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, SeatObservation], dict[str, dict[str, Any]]]:
        self.begin(seed)
        return self._observations_by_agent(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, SeatObservation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        before, agents = self.table, self.agents
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        rewards = self._apply_decisions(actions, infos)
        if not has_illegal_action(infos):
            self.table = self.table.dealt(self.luck)
            rewards = dict(zip(agents, rewards_between(self.reward, before, self.table), strict=True))
        over = self.table.over or has_illegal_action(infos)
        found = self._observations_by_agent()
        if over:
            self.agents = []
        return found, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _apply_decisions(self, actions: dict[str, Any], infos: dict[str, dict[str, Any]]) -> dict[str, float]:
        """Applies the decisions of all seats that were due at the start of the step. Illegal actions are reported in
        `infos`."""
        rewards, table = dict.fromkeys(self.agents, 0.0), self.table
        for seat in sorted(self.table.due):
            agent = self.possible_agents[seat]
            try:
                table = table.decide(seat, action_of(table, seat, actions[agent]))
            except IllegalActionNumber:
                rewards[agent], infos[agent]["illegal"] = ILLEGAL_REWARD, True
        self.table = table
        return rewards

    def _observations_by_agent(self) -> dict[str, SeatObservation]:
        return {agent: self.seen(agent) for agent in self.agents}


def has_illegal_action(infos: dict[str, dict[str, Any]]) -> bool:
    return any(info.get("illegal") for info in infos.values())


def register() -> None:
    """Registers all ids once."""
    for name in offers():
        known: dict[str, Any] = {"id": f"{NAMESPACE}/{name}", "kwargs": {"name": name}}
        if known["id"] not in aec_registry:
            register_env("aec", entry_point="polyopolis.lab.zoo:env", **known)
            register_env("parallel", entry_point="polyopolis.lab.zoo:parallel_env", **known)


register()
