"""Detects dead nodes by heartbeat counters.

Each node increments a counter; a node whose counter has not changed for `DEAD_AFTER_SECONDS` is dead. Times are
measured by the observer's monotonic clock, so node clocks need not agree.
"""

from collections.abc import Callable, Mapping
from time import monotonic

HEARTBEAT_SECONDS = 1.0
"""Interval of the heartbeats of a node."""
DEAD_AFTER_SECONDS = 5.0
"""Without a heartbeat for this long, other nodes take over."""


class HeartbeatMonitor:
    """Observes the counters of all nodes."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[int, float]] = {}
        self._checked = clock()

    def dead_nodes(self, beats: Mapping[str, int]) -> dict[str, int]:
        """Returns the dead nodes with their counters."""
        now = self._clock()
        if now - self._checked > DEAD_AFTER_SECONDS / 2:  # this node was suspended: its observations are stale
            self._seen = {}
        self._checked = now
        self._seen = {node: self._seen.get(node, (-1, now)) for node in beats}
        for node, number in beats.items():
            if self._seen[node][0] != number:
                self._seen[node] = number, now
        return {node: number for node, (number, since) in self._seen.items() if now - since >= DEAD_AFTER_SECONDS}
