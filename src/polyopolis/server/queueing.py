"""Thoughts that wait for a mind: nobody's bots wait because somebody else has many.

Time to think is shared by address, then by person, then by table; what is quickly thought goes before what takes long,
and what somebody waits for before what nobody sees. Last comes what nobody waits for.
"""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from polyopolis.engine import PolyopolisError
from polyopolis.play.needs import Question

MOST, MOST_OF_ADDRESS, MOST_OF_PERSON = 2_000, 240, 60
"""Thoughts that may wait, in all, for those at one address and for one person."""
HALF = 30.0
"""Seconds after which half of the time that somebody has used is forgotten."""
GUESS = 0.1
"""Seconds that a thought is taken to need until it is over."""


class Overloaded(PolyopolisError):
    """More thoughts wait than may; whoever has this one asks again later."""


@dataclass(frozen=True)
class Share:
    """Whose time a thought costs."""

    address: Hashable
    person: Hashable
    table: Hashable

    @property
    def accounts(self) -> tuple[Hashable, ...]:
        return ("address", self.address), ("person", self.person), ("table", self.table)


class Used:
    """Seconds that somebody has had of what is shared; forgotten by and by."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used: dict[Hashable, tuple[float, float]] = {}

    def charge(self, share: Share, seconds: float) -> None:
        now = self._clock()
        for account in share.accounts:
            self._used[account] = max(self._left(account, now) + seconds, 0.0), now

    def of(self, share: Share) -> tuple[float, ...]:
        """By the address, the person and the table."""
        now = self._clock()
        return tuple(self._left(account, now) for account in share.accounts)

    def forget(self) -> None:
        """Accounts on which hardly anything is left."""
        now = self._clock()
        self._used = {account: used for account, used in self._used.items() if self._left(account, now) > GUESS}

    def _left(self, account: Hashable, now: float) -> float:
        used, since = self._used.get(account, (0.0, now))
        return float(used * 0.5 ** ((now - since) / HALF))


@dataclass(eq=False)
class Thought:
    task: Callable[..., bytes]
    bot: str
    question: Question
    share: Share
    effort: int
    """Simulations."""
    answer: asyncio.Future[bytes] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0
    number: int = 0
    since: float = field(default_factory=monotonic)
    """When it began to wait."""


class FairQueue:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._waiting: list[Thought] = []
        self._numbers = count()
        self._used = Used(clock)

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, thought: Thought) -> None:
        """It waits; one that was begun before and has to be thought again keeps its place."""
        if not thought.tries:
            near = [other.share for other in self._waiting if other.share.address == thought.share.address]
            own = sum(share.person == thought.share.person for share in near)
            if len(self._waiting) >= MOST or len(near) >= MOST_OF_ADDRESS or own >= MOST_OF_PERSON:
                raise Overloaded("so many bots think that this one has to wait")
            thought.number = next(self._numbers)
        self._waiting.append(thought)

    def next(self) -> Thought | None:
        """Who is due; those whom nobody waits for any more are dropped."""
        self._waiting = [thought for thought in self._waiting if not thought.answer.done()]
        if not self._waiting:
            self._used.forget()
            return None
        found = min(self._waiting, key=self._turn)
        self._waiting.remove(found)
        self.charge(found.share, GUESS)
        return found

    def done(self, thought: Thought, seconds: float) -> None:
        """What it took instead of what it was taken for."""
        self.charge(thought.share, seconds - GUESS)

    def charge(self, share: Share, seconds: float) -> None:
        self._used.charge(share, seconds)

    def _turn(self, thought: Thought) -> tuple[bool, bool, float, float, float, int, int]:
        question = thought.question
        address, person, table = (round(used, 2) for used in self._used.of(thought.share))
        return question.idle, not question.watched(), address, person, table, thought.effort, thought.number
