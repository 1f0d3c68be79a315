"""A game of level 5 in which the first seat once builds where it is worth least: `python -m tests.browser.blunder`.

It is kept, because level 5 thinks for longer than a test may take.
"""

from pathlib import Path

from polyopolis.bots import bot, choose
from polyopolis.bots.levels import seen
from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.records import record_of, write

BLUNDER = Path(__file__).parent / "data" / "blunder.json"
AT = 6
"""The round in which it happens."""
MOVE = 18
"""The number of that move: each round is a card and two decisions, and cards came that nobody could build."""
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
                position, weights = seen("mycity", match.state, 0)
                action = position.action(min(position.valued(weights))[1])
            match = match.decide(seat, action)
        match = match.deal(dealer)
    return match


if __name__ == "__main__":
    write(record_of(played(), ("Ada", "level-5"), SEED), BLUNDER)
