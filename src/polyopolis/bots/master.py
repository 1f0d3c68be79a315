"""The sixth level: a search by a net that has learnt, where there is one; where there is none, the fifth level.

Both of these bots are there as soon as any net is."""

from dataclasses import dataclass

from polyopolis.bots.levels import LEVELS, SIGHT, Level, Ranked
from polyopolis.bots.nets import judge_of, nets
from polyopolis.engine import Rng
from polyopolis.kernels.cities import CityPosition, Consultation
from polyopolis.kernels.compiled import Floats
from polyopolis.kernels.luck import luck_of
from polyopolis.kernels.positions import Position

FIFTH = LEVELS["level-5"]


@dataclass(frozen=True)
class Master(Level):
    """A level with a net. Without simulations it does what the net says comes to most."""

    horizon: int = 0
    """Decisions that a simulation plays before the net says the rest; 0: all of them."""
    trust: int = 0
    """What the net says of a choice counts as much as so many simulations."""

    def ranked(self, position: Position, weights: Floats, rng: Rng) -> tuple[int, Ranked]:
        judge = judge_of(position.net) if isinstance(position, CityPosition) else None
        if judge is None or not isinstance(position, CityPosition):
            return (FIFTH if self.simulations else SIGHT).ranked(position, weights, rng)
        if not self.simulations:
            games, found = 0, position.gazed(judge)
        elif (ways := position.futures(limit := FIFTH.limit)) < limit:
            games, found = ways, position.solved()
        else:
            games = self._affordable
            way = Consultation(games, self.width, self.horizon, self.trust)
            found = position.consulted(judge, way, luck_of(rng.below(2**64)))
        return games, sorted([*found, *position.stopping], key=lambda pair: -pair[0])


GAZE = Master()
"""What the net is worth without a search: a yardstick."""
MASTER = Master(simulations=384, width=8, trust=8)
LEARNT: dict[str, Level] = {"gaze": GAZE, "master": MASTER} if nets() else {}
