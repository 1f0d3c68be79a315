"""Tunes the garbage collector after startup: permanent objects are excluded from later collections."""

import gc
import sys

from polyopolis.games import GAME_SPECS

YOUNG_THRESHOLD = 50_000
"""New objects before a collection of the youngest generation. Objects that live for one decision at hundreds of tables
stay below it and are freed by reference counting."""
MIDDLE_THRESHOLD = 2
"""Collections of the youngest generation before one of the middle generation, which so stays small."""

SWITCH_INTERVAL_SECONDS = 0.001
"""A short switch interval of the interpreter: reader threads must not delay the event loop."""


def tune_garbage_collector() -> None:
    """Loads the content of all games and excludes it from garbage collection.

    Content and code are most of the memory of the process, and a full collection of them takes too long.
    """
    for sign in GAME_SPECS.values():
        for version in sign.versions:
            sign.content(version)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
