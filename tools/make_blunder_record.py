"""Records a game of level 5 with one blunder of the first seat: `python -m tools.make_blunder_record`.

The blunder is the choice with the lowest value. The record is stored because level 5 takes too long for a test.
"""

from pathlib import Path

from polyopolis.bots import bot, choose
from polyopolis.bots.levels import position_and_weights
from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.records import record_of, write

BLUNDER = Path(__file__).parents[1] / "tests" / "e2e" / "data" / "blunder.json"
AT = 6
"""Round of the blunder."""
MOVE = 18
"""Index of the blunder in the list of moves. A round has a card and two decisions; cards that no seat could build
were dealt as well."""
SEED = seed_of("a known blunder")


def played() -> Match:
    rules = game("mycity")
    dealer, match, decided = Dealer(SEED), Match.start(rules, rules.Setup(seats=2)), 0
    match = match.deal(dealer)
    while not match.over:
        decided += 1
        for seat in sorted(match.due):
            action = choose(bot("level-5"), match, seat, seed_of("bots"))
            if decided == AT and seat == 0:
                position, weights = position_and_weights("mycity", match.state, 0)
                action = position.action(min(position.choice_values(weights))[1])
            match = match.decide(seat, action)
        match = match.deal(dealer)
    return match


if __name__ == "__main__":
    write(record_of(played(), ("Ada", "level-5"), SEED), BLUNDER)
