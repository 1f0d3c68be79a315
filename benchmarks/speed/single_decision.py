"""Decides a position with the strongest level and measures the time. Also runs in the page, with its packages only."""

from time import perf_counter

import msgspec

from polyopolis.bots import bot, choose
from polyopolis.engine import Match, Move, seed_of
from polyopolis.games import game

LEVEL = "level-5"


def decided(key: str, setup: str, moves: str, seat: int) -> str:
    """Returns milliseconds and the choice as JSON."""
    rules = game(key)
    played = msgspec.json.decode(moves, type=list[Move])
    match = Match.replay(
        rules,
        msgspec.json.decode(setup, type=rules.Setup),
        [Move(move.seat, msgspec.convert(move.action, rules.Action)) for move in played],
    )
    start = perf_counter()
    action = choose(bot(LEVEL), match, seat, seed_of("page"))
    return msgspec.json.encode([1000 * (perf_counter() - start), action]).decode()
