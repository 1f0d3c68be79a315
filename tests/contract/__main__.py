"""Plays some matches of every game and prints their moves and events, which are the same bytes in every process."""

import sys

import msgspec

from polyopolis.games import game
from tests.contract.examples import cases, setup_of
from tests.support.random_play import MOODS, finished


def printed() -> bytes:
    lines = []
    for key, number in cases():
        for mood in MOODS:
            match = finished(game(key), setup_of(key, number), f"{key} {number} {mood}", mood)
            lines.append(msgspec.json.encode([match.moves, match.events, match.result]))
    return b"\n".join(lines)


if __name__ == "__main__":
    sys.stdout.buffer.write(printed())
