"""The sixth level: a search by a net that has learnt, or by patterns. There is a net for My City's eternal game, and
patterns for all episodes of My City and of Roll & Write. In Point City, where what was learnt made no search better, it
thinks longer. On a board that it has not learnt it plays as the fifth level does."""

from dataclasses import dataclass

from polyopolis.bots.levels import LEVELS, SIGHT, Level, Ranked
from polyopolis.bots.net_files import judge_of
from polyopolis.engine import Rng
from polyopolis.kernels import FAST
from polyopolis.kernels.city_position import CityPosition, Consultation
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats
from polyopolis.kernels.runtime.rng import luck_of

FIFTH = LEVELS["level-5"]
LONGER = 2
"""A decision by a net takes as long as so many simulations without one."""
MASTERED = ("mycity", "rollwrite", "pointcity")
"""The games that it is offered for."""


@dataclass(frozen=True)
class LearnedLevel(Level):
    """A level that has learnt. If it plays nothing on it does what that says comes to most; so it does in plain Python,
    where a net takes too long to be asked again and again."""

    net: Consultation | None = None
    """How it searches by a net; by patterns where cards are left, and where dice are thrown."""
    cards: Consultation | None = None
    dice: Consultation | None = None
    drafting: Level = SIGHT
    """How it plays at one table, where there is nothing to consult."""

    @property
    def effort(self) -> int:
        return LONGER * self.net.decisions if self.net else 0

    def ranked(self, position: Position, weights: Floats, rng: Rng) -> tuple[int, Ranked]:
        if not isinstance(position, CityPosition):
            return self.drafting.ranked(position, weights, rng)
        if (judge := judge_of(position.net)) is None:
            return (FIFTH if self.net else SIGHT).ranked(position, weights, rng)
        position = position.as_learnt
        by_patterns = self.dice if position.dice else self.cards
        way = by_patterns if len(judge.patterns) else self.net
        if way is None:
            games, found = 0, position.gazed(judge)
        elif (ways := position.futures(limit := FIFTH.limit)) < limit:
            games, found = ways, position.solved()
        elif not FAST:
            games, found = 0, position.gazed(judge)
        else:
            games, found = position.consulted(judge, way, luck_of(rng.below(2**64)))
        return games, sorted([*found, *position.stopping], key=lambda pair: -pair[0])


GAZE = LearnedLevel()
"""What was learnt, without a search: a yardstick."""
MASTER = LearnedLevel(
    net=Consultation(decisions=12_000, width=8, trust=16),
    cards=Consultation(decisions=36_000, width=8, trust=16),
    dice=Consultation(decisions=48_000, width=8, trust=16, horizon=10, most=4_800),
    drafting=Level(simulations=16_000, width=24),
)
"""As many decisions as one core plays in less than a second: 44.2 points alone in the eternal game, where level 5 has
40.2. Rolls that are far off say nothing of a choice, and of luck that is near more is needed than of cards. What else
was tried is in docs/training.md."""
