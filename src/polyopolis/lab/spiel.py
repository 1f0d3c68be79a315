"""The games for OpenSpiel. Importing this registers them: `pyspiel.load_game("polyopolis_mycity_eternal_v0(seats=2)")`.

Luck is chance nodes, with the odds of the rules. Seats that decide at once do so one after the other, unseen.
"""

from typing import Any

import numpy
import pyspiel

from polyopolis.engine import CHANCE, describe_action, name_of
from polyopolis.lab.action_numbers import action_of, mask_of, numbering_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations import observer_of
from polyopolis.lab.text_rendering import drawn

MOST_POINTS = 2000.0
"""Nobody scores more, or less than its opposite, in whatever can be played here."""
MOST_DECISIONS = 500
"""Of one seat in one match: no building is built twice, and who passes has circles for it."""


def short_name(offer: EnvironmentId) -> str:
    """The id as OpenSpiel wants names."""
    return f"polyopolis_{offer.id.replace('-', '_')}"


def type_of(offer: EnvironmentId) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(offer),
        long_name=f"Polyopolis: {offer.id}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=offer.seats[-1],
        min_num_players=offer.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": offer.seats[0]},
    )


class State(pyspiel.State):  # type: ignore[misc]
    """A table, and whose turn it is."""

    def __init__(self, game: "Game") -> None:
        super().__init__(game)
        self.table = GameTable.begun(game.offer, game.seats)

    def current_player(self) -> int:
        if self.table.over:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = min(self.table.due)
        return int(pyspiel.PlayerId.CHANCE) if seat == CHANCE else seat

    def is_terminal(self) -> bool:
        return self.table.over

    def _legal_actions(self, player: int) -> list[int]:
        return [int(number) for number in numpy.flatnonzero(mask_of(self.table, player))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.table.rules.odds(self.table.state)
        whole = sum(weight for _, weight in odds)
        return sorted((self._chance(luck), weight / whole) for luck, weight in odds)

    def _chance(self, luck: Any) -> int:
        return numbering_of(self.table.offer.key).chance(self.table.state, luck)

    def _apply_action(self, action: int) -> None:
        seat = min(self.table.due)
        self.table = self.table.decide(seat, self._named(seat, action))

    def _named(self, seat: int, action: int) -> Any:
        if seat != CHANCE:
            return action_of(self.table, seat, action)
        return next(luck for luck, _ in self.table.rules.odds(self.table.state) if self._chance(luck) == action)

    def _action_to_string(self, player: int, action: int) -> str:
        return describe_action(self._named(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action))

    def returns(self) -> list[float]:
        """The score, at the end."""
        return [float(score) for score in self.table.scores] if self.table.over else [0.0] * self.table.seats

    def __str__(self) -> str:
        return drawn(self.table)


class Observed:
    """What OpenSpiel asks of one who observes: numbers, and a text of all that a seat has seen and done."""

    def __init__(self, offer: EnvironmentId, seats: int, recalls: bool) -> None:
        self._observer, self._recalls = observer_of(offer.key, seats), recalls
        self.tensor = numpy.zeros(0 if recalls else self._observer.size, dtype=numpy.float32)
        parts = {} if recalls else self._observer.slices
        self.dict = {name: self.tensor[at].reshape(shape) for name, (at, shape) in parts.items()}

    def set_from(self, state: State, player: int) -> None:
        if not self._recalls:
            self.tensor[:] = self._observer.observe(state.table, player)

    def string_from(self, state: State, player: int) -> str:
        return recalled(state.table, player) if self._recalls else observed(state.table, player)


def observed(table: GameTable, seat: int) -> str:
    """The table, and what one has decided oneself; what the others have is not open yet."""
    own = table.match.staged.get(seat)
    return f"{drawn(table)}\n{name_of(seat)} {'waits' if own is None else describe_action(own)}"


def recalled(table: GameTable, seat: int) -> str:
    """All that happened openly, and what one has decided oneself."""
    before = table.campaign.matches if table.campaign else ()
    matches = before if before and table.over else (*before, table.match)
    moves = [f"{name_of(move.seat)} {describe_action(move.action)}" for match in matches for move in match.moves]
    own = table.match.staged.get(seat)
    return "\n".join(
        [f"{name_of(seat)}:", *moves, *([] if own is None else [f"{name_of(seat)} {describe_action(own)}"])]
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """One of what is offered; which one says the class made for it."""

    offer: EnvironmentId

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.seats = int((params or {}).get("seats", self.offer.seats[0]))
        self.offer.setup(self.seats)
        numbers, matches = numbering_of(self.offer.key), max(len(self.offer.plan), 1)
        about = pyspiel.GameInfo(
            num_distinct_actions=numbers.COUNT,
            max_chance_outcomes=numbers.CHANCES,
            num_players=self.seats,
            min_utility=-MOST_POINTS,
            max_utility=MOST_POINTS,
            max_game_length=MOST_DECISIONS * self.seats * matches,
        )
        super().__init__(type_of(self.offer), about, params or {})

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observed:
        return Observed(self.offer, self.seats, bool(iig_obs_type and iig_obs_type.perfect_recall))


def register() -> None:
    """All of them, once."""
    known = set(pyspiel.registered_names())
    for offer in offers().values():
        if short_name(offer) not in known:
            pyspiel.register_game(type_of(offer), type("Game", (Game,), {"offer": offer}))


register()
