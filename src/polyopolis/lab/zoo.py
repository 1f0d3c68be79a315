"""The games for PettingZoo: seat after seat (`env`), or all seats at once (`parallel_env`).

    from polyopolis.lab.zoo import env

    table = env("mycity-eternal-v0", seats=2)

Once this is imported PettingZoo's own `make("aec", "polyopolis/mycity-eternal-v0")` knows them, too, and likewise with
`"parallel"`.

Whoever decides on the same card decides unseen: what the others have done is observed when all have. In `parallel_env`
a seat that is not due has a mask of zeros, and what is given for it is left aside.
"""

from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as enlist
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from polyopolis.lab.action_numbers import NotAllowed, action_of
from polyopolis.lab.environment_ids import NAMESPACE, EnvironmentId, offer_of, offers
from polyopolis.lab.episode_seeds import Seeds
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.rewards_per_seat import ILLEGAL, rewarding, rewards_of
from polyopolis.lab.spaces import Seen, action_space, observation_space, seen
from polyopolis.lab.text_rendering import drawn

MODES = ["ansi", "human"]


def env(name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None) -> AECEnv:
    """Seat after seat, with the usual checks around it."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(name, seats, reward, render_mode)))


class _Seated:
    """What both kinds share: who sits there, what they may see and do, and the table itself."""

    def __init__(self, name: str, seats: int | None, reward: str, render_mode: str | None) -> None:
        self.offer: EnvironmentId = offer_of(name)
        rewarding(reward)
        number = self.offer.seats[0] if seats is None else seats
        self.table = GameTable.begun(self.offer, number)
        self.possible_agents = [f"seat_{seat}" for seat in range(number)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.reward = reward
        self.seeds = Seeds()
        self.luck = b""
        self._actions = {agent: action_space(self.offer) for agent in self.possible_agents}
        self._sights = {agent: observation_space(self.offer, number) for agent in self.possible_agents}

    def action_space(self, agent: str) -> Discrete:
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        return self._sights[agent]

    def begin(self, seed: int | None) -> None:
        self.seeds.begin(seed)
        self.luck, _ = self.seeds.next()
        self.agents = self.possible_agents[:]
        self.table = GameTable.begun(self.offer, len(self.agents)).dealt(self.luck)

    def seen(self, agent: str) -> Seen:
        return seen(self.table, self.seat_of[agent])

    def render(self) -> str | None:
        text = drawn(self.table)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""


class raw_env(_Seated, AECEnv):  # type: ignore[misc]  # noqa: N801 - as PettingZoo names it
    """Seat after seat, without the usual checks."""

    metadata: dict[str, Any] = {"name": "polyopolis", "render_modes": MODES, "is_parallelizable": False}

    def __init__(
        self, name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None
    ) -> None:
        AECEnv.__init__(self)
        _Seated.__init__(self, name, seats, reward, render_mode)
        self.metadata = {**type(self).metadata, "name": self.offer.id}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def observe(self, agent: str) -> Seen:
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
        except NotAllowed:
            self.rewards[agent] = ILLEGAL
            self.infos[agent]["illegal"] = True
            self.terminations = dict.fromkeys(self.agents, True)
            return
        for other, reward in zip(self.agents, rewards_of(self.reward, before, self.table), strict=True):
            self.rewards[other] = reward
        self.terminations = dict.fromkeys(self.agents, self.table.over)

    def _next(self) -> str:
        """The first seat that is due; anybody once the table is over."""
        return self.possible_agents[min(self.table.due, default=0)] if not self.table.over else self.agents[0]


class parallel_env(_Seated, ParallelEnv):  # type: ignore[misc]  # noqa: N801 - as PettingZoo names it
    """All seats at once."""

    metadata: dict[str, Any] = {"name": "polyopolis", "render_modes": MODES}

    def __init__(
        self, name: str, seats: int | None = None, reward: str = "points", render_mode: str | None = None
    ) -> None:
        _Seated.__init__(self, name, seats, reward, render_mode)
        self.metadata = {**type(self).metadata, "name": self.offer.id}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        self.begin(seed)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        before, agents = self.table, self.agents
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        rewards = self._decided(actions, infos)
        if not infos_tell_illegal(infos):
            self.table = self.table.dealt(self.luck)
            rewards = dict(zip(agents, rewards_of(self.reward, before, self.table), strict=True))
        over = self.table.over or infos_tell_illegal(infos)
        found = self._seen()
        if over:
            self.agents = []
        return found, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _decided(self, actions: dict[str, Any], infos: dict[str, dict[str, Any]]) -> dict[str, float]:
        """Whoever was due when the round began decides; who may not do what was given is told so."""
        rewards, table = dict.fromkeys(self.agents, 0.0), self.table
        for seat in sorted(self.table.due):
            agent = self.possible_agents[seat]
            try:
                table = table.decide(seat, action_of(table, seat, actions[agent]))
            except NotAllowed:
                rewards[agent], infos[agent]["illegal"] = ILLEGAL, True
        self.table = table
        return rewards

    def _seen(self) -> dict[str, Seen]:
        return {agent: self.seen(agent) for agent in self.agents}


def infos_tell_illegal(infos: dict[str, dict[str, Any]]) -> bool:
    return any(info.get("illegal") for info in infos.values())


def register() -> None:
    """All ids, once, where PettingZoo keeps a list of them."""
    for name in offers():
        known: dict[str, Any] = {"id": f"{NAMESPACE}/{name}", "kwargs": {"name": name}}
        if known["id"] not in aec_registry:
            enlist("aec", entry_point="polyopolis.lab.zoo:env", **known)
            enlist("parallel", entry_point="polyopolis.lab.zoo:parallel_env", **known)


register()
