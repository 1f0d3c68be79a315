"""Memory that stays for good is looked through once, not again and again while people wait."""

import gc
import sys

from polyopolis.games import GAME_SPECS

YOUNG = 50_000
"""New objects after which the collector looks at the young ones: what hundreds of tables hold while a decision is kept
comes and goes without it."""
OLDER = 2
"""Times after which it looks at those that it has seen once, too, so that these are not many either."""


TURN = 0.001
"""Seconds after which a thread lets another one go on: who reads much must not keep the loop waiting at every step."""


def settle_in() -> None:
    """Boards, cards and code are read before the doors open, and the garbage collector leaves them alone from then on.

    They are most of what the process holds. A whole collection among them took longer than anybody should wait.
    """
    for sign in GAME_SPECS.values():
        for version in sign.versions:
            sign.content(version)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER)
    sys.setswitchinterval(TURN)
