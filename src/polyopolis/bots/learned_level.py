"""Level 6 (`master`): search with a trained net or trained patterns.

There is a net for the eternal game of My City, and there are patterns for all episodes of My City and of Roll & Write.
In Point City no trained evaluation improved the search, so the level uses more simulations there. On a board without a
net or patterns it plays like level 5.
"""

from dataclasses import dataclass

from polyopolis.bots.levels import LEVELS, SIGHT, BotLevel, RankedChoices
from polyopolis.bots.net_files import load_model
from polyopolis.engine import Rng
from polyopolis.kernels import FAST
from polyopolis.kernels.city_position import CityPosition, ModelSearchSettings
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats
from polyopolis.kernels.runtime.rng import new_rng

LEVEL_5 = LEVELS["level-5"]
NET_EFFORT_FACTOR = 2
"""Cost of a simulated decision with a net, in simulations without one."""
MASTER_GAMES = ("mycity", "rollwrite", "pointcity")
"""Games in which the level is offered."""


@dataclass(frozen=True)
class LearnedLevel(BotLevel):
    """A level with a trained evaluation. Without search settings, and in plain Python, where nets are too slow for a
    search, it takes the choice with the highest evaluation."""

    net: ModelSearchSettings | None = None
    """Search with a net; `cards` and `dice` are the searches with patterns in games with cards and with dice."""
    cards: ModelSearchSettings | None = None
    dice: ModelSearchSettings | None = None
    drafting: BotLevel = SIGHT
    """Level for Point City, which has no trained evaluation."""

    @property
    def effort(self) -> int:
        return NET_EFFORT_FACTOR * self.net.decisions if self.net else 0

    def ranked(self, position: Position, weights: Floats, rng: Rng) -> tuple[int, RankedChoices]:
        if not isinstance(position, CityPosition):
            return self.drafting.ranked(position, weights, rng)
        if (model := load_model(position.net)) is None:
            return (LEVEL_5 if self.net else SIGHT).ranked(position, weights, rng)
        position = position.with_learned_purses
        by_patterns = self.dice if position.dice else self.cards
        way = by_patterns if len(model.patterns) else self.net
        if way is None:
            games, found = 0, position.model_values(model)
        elif (ways := position.count_continuations(limit := LEVEL_5.solve_limit)) < limit:
            games, found = ways, position.solve()
        elif not FAST:
            games, found = 0, position.model_values(model)
        else:
            games, found = position.model_search(model, way, new_rng(rng.below(2**64)))
        return games, sorted([*found, *position.stop_values], key=lambda pair: -pair[0])


GAZE = LearnedLevel()
"""The trained evaluation without search, for comparisons."""
MASTER = LearnedLevel(
    net=ModelSearchSettings(decisions=12_000, width=8, trust=16),
    cards=ModelSearchSettings(decisions=36_000, width=8, trust=16),
    dice=ModelSearchSettings(decisions=48_000, width=8, trust=16, horizon=10, max_simulations=4_800),
    drafting=BotLevel(simulations=16_000, width=24),
)
"""The budgets keep a decision below a second on one core. Scores 44.2 points alone in the eternal game; level 5 scores
40.2. With dice the horizon is short, because distant rolls say little about a choice, and near ones need more samples
than cards do. docs/training.md lists other settings that were tried."""
