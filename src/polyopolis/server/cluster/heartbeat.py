"""Who is alive: every node counts its own beats, and whose number stands still for too long is dead.

How long is told by the watch of whoever looks, which only goes forward. Nobody compares clocks.
"""

from collections.abc import Callable, Mapping
from time import monotonic

HEARTBEAT_SECONDS = 1.0
"""Seconds between two beats of a node."""
DEAD_AFTER_SECONDS = 5.0
"""Seconds without a beat after which others take over."""


class HeartbeatMonitor:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[int, float]] = {}
        self._looked = clock()

    def still(self, beats: Mapping[str, int]) -> dict[str, int]:
        """Those that have not beaten for too long, with the number at which they stand."""
        now = self._clock()
        if now - self._looked > DEAD_AFTER_SECONDS / 2:  # who was away itself can tell nothing of the others
            self._seen = {}
        self._looked = now
        self._seen = {node: self._seen.get(node, (-1, now)) for node in beats}
        for node, number in beats.items():
            if self._seen[node][0] != number:
                self._seen[node] = number, now
        return {node: number for node, (number, since) in self._seen.items() if now - since >= DEAD_AFTER_SECONDS}
