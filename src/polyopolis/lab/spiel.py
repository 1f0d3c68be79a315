"""OpenSpiel games. Importing this module registers them:
`pyspiel.load_game("polyopolis_mycity_eternal_v0(seats=2)")`.

Chance events are chance nodes with the probabilities of the rules. Seats that decide at the same time act in turn and
do not see each other's decision.
"""

from typing import Any

import numpy
import pyspiel

from polyopolis.engine import CHANCE, describe_action, seat_name
from polyopolis.lab.action_numbers import action_of, mask_of, numbering_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations import observer_of
from polyopolis.lab.text_rendering import render_table

MAX_POINTS = 2000.0
"""Upper limit of scores in all games; also of negative ones."""
MAX_DECISIONS_PER_MATCH = 500
"""Of one seat: buildings are unique, and passing needs circles."""


def short_name(offer: EnvironmentId) -> str:
    """Returns the id as a name for OpenSpiel."""
    return f"polyopolis_{offer.id.replace('-', '_')}"


def game_type(offer: EnvironmentId) -> pyspiel.GameType:
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


class TableState(pyspiel.State):  # type: ignore[misc]
    """A table as a state of OpenSpiel."""

    def __init__(self, game: "TableGame") -> None:
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
        """Returns the scores at the end, 0 before."""
        return [float(score) for score in self.table.scores] if self.table.over else [0.0] * self.table.seats

    def __str__(self) -> str:
        return render_table(self.table)


class SeatObserver:
    """Observer of OpenSpiel: an observation vector, or a text of the complete information of a seat."""

    def __init__(self, offer: EnvironmentId, seats: int, recalls: bool) -> None:
        self._observer, self._recalls = observer_of(offer.key, seats), recalls
        self.tensor = numpy.zeros(0 if recalls else self._observer.size, dtype=numpy.float32)
        parts = {} if recalls else self._observer.slices
        self.dict = {name: self.tensor[at].reshape(shape) for name, (at, shape) in parts.items()}

    def set_from(self, state: TableState, player: int) -> None:
        if not self._recalls:
            self.tensor[:] = self._observer.observe(state.table, player)

    def string_from(self, state: TableState, player: int) -> str:
        return information_text(state.table, player) if self._recalls else observation_text(state.table, player)


def observation_text(table: GameTable, seat: int) -> str:
    """Returns the table and the seat's own staged decision. Those of other seats are hidden."""
    own = table.match.staged.get(seat)
    return f"{render_table(table)}\n{seat_name(seat)} {'waits' if own is None else describe_action(own)}"


def information_text(table: GameTable, seat: int) -> str:
    """Returns all public moves and the seat's own staged decision."""
    before = table.campaign.matches if table.campaign else ()
    matches = before if before and table.over else (*before, table.match)
    moves = [f"{seat_name(move.seat)} {describe_action(move.action)}" for match in matches for move in match.moves]
    own = table.match.staged.get(seat)
    return "\n".join(
        [f"{seat_name(seat)}:", *moves, *([] if own is None else [f"{seat_name(seat)} {describe_action(own)}"])]
    )


class TableGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel. `register` makes a subclass per id."""

    offer: EnvironmentId

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.seats = int((params or {}).get("seats", self.offer.seats[0]))
        self.offer.setup(self.seats)
        numbers, matches = numbering_of(self.offer.key), max(len(self.offer.plan), 1)
        about = pyspiel.GameInfo(
            num_distinct_actions=numbers.COUNT,
            max_chance_outcomes=numbers.CHANCES,
            num_players=self.seats,
            min_utility=-MAX_POINTS,
            max_utility=MAX_POINTS,
            max_game_length=MAX_DECISIONS_PER_MATCH * self.seats * matches,
        )
        super().__init__(game_type(self.offer), about, params or {})

    def new_initial_state(self) -> TableState:
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        return SeatObserver(self.offer, self.seats, bool(iig_obs_type and iig_obs_type.perfect_recall))


def register() -> None:
    """Registers all ids once."""
    known = set(pyspiel.registered_names())
    for offer in offers().values():
        if short_name(offer) not in known:
            pyspiel.register_game(game_type(offer), type("Game", (TableGame,), {"offer": offer}))


register()
