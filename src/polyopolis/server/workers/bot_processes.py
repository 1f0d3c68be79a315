"""Bots think in processes of their own, off the event loop. They get what everybody knows: never the dealer's seed."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from polyopolis import bots
from polyopolis.bots import DEFAULT, bot
from polyopolis.bots.roster import FALLBACK, LAST, Roster
from polyopolis.kernels.runtime.jit import FAST, PLAIN
from polyopolis.kernels.warmup import cache_in, warm
from polyopolis.play.errors import Busy
from polyopolis.play.protocols import BotDecision, BotRequest
from polyopolis.play.wire.explanation import Explanation
from polyopolis.server.limits.fair_queue import IDLE_PRIORITY, FairQueue, FairShareKey, Job, QueueLimits
from polyopolis.server.ops.metrics import THOUGHT_SECONDS, THOUGHT_WAIT_SECONDS
from polyopolis.server.workers.match_sync import MatchDelta, MatchSyncReceiver, MatchSyncSender, UnknownBase
from polyopolis.server.workers.worker_process import WorkerProcess

logger = logging.getLogger(__name__)

DECISION_TIMEOUT_SECONDS = 30.0
"""Seconds after which a mind counts as lost."""
TRIES = 2
THOUGHTS = QueueLimits(2_000, 240, 60, "so many bots think that this one has to wait", wait=10)
"""Thoughts that may wait."""


@dataclass(eq=False)
class Thought(Job):
    """What a bot is to think. Its answer is JSON."""

    task: Callable[..., bytes]
    bot: str
    question: BotRequest
    effort: int
    """Simulations."""
    tries: int = 0
    asked: float = field(default_factory=monotonic)

    @property
    def priority(self) -> int:
        if self.question.idle:
            return IDLE_PRIORITY
        return 0 if self.question.watched() else 1

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        used = round(address, 2), round(person, 2), round(table, 2)
        return self.priority, *used, self.effort, self.number


class BotProcess:
    """A process that thinks, and what it was told. It thinks one thought at a time."""

    def __init__(self, worker: WorkerProcess) -> None:
        self.worker = worker
        self.teller = MatchSyncSender()
        self.busy = False

    async def think(self, thought: Thought) -> bytes:
        """The clock runs once it is thought, however long it has waited and its process has taken to be born."""
        try:
            return await self._answer(thought)
        except UnknownBase:
            self.teller.forget(thought.question.place)
            return await self._answer(thought)

    async def _answer(self, thought: Thought) -> bytes:
        question = thought.question
        about = thought.bot, self.teller.brief(question.place, question.match), question.seat, question.seed
        await self.worker.begun()
        asked = asyncio.get_running_loop().run_in_executor(self.worker.pool, thought.task, *about)
        return await asyncio.wait_for(asked, DECISION_TIMEOUT_SECONDS)


class BotProcessPool(Roster):
    """A `Thinker` that asks processes with their kernels ready; until there are some, one that runs plain Python."""

    def __init__(
        self,
        workers: int,
        cache: Path | None = None,
        warm: Callable[[], None] = warm,
        address_of: Callable[[str], str] = lambda person: person,
    ) -> None:
        self._environment = cache_in(cache) if cache else {}
        self._warm = warm
        self._address_of = address_of
        self._minds = [self._born() for _ in range(workers)]
        self._plain: BotProcess | None = None
        self._queue = FairQueue[Thought](THOUGHTS)
        self._running = set[asyncio.Task[None]]()
        self._closed = False

    def _born(self) -> BotProcess:
        return BotProcess(WorkerProcess(self._environment, self._warm))

    @property
    def ready(self) -> bool:
        """Whether kernels are compiled; without numba there is nothing to wait for."""
        return not FAST or all(mind.worker.ready for mind in self._minds)

    @property
    def waiting(self) -> int:
        """Thoughts that nobody thinks yet."""
        return len(self._queue)

    def is_manned(self) -> bool:
        """Whether somebody could think now. An idle mind that has died is replaced: nobody else would notice."""
        dead = [mind for mind in self._minds if not mind.worker.alive]
        for mind in dead:
            if not mind.busy:
                self._replace(mind)
        return len(dead) < len(self._minds) or (self._plain is not None and self._plain.worker.alive)

    def close(self) -> None:
        self._closed = True
        for task in self._running:
            task.cancel()
        for mind in [*self._minds, *([self._plain] if self._plain else [])]:
            mind.worker.close()

    # What they think

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        """What the bot does; what `greedy` would do if it fails, or here and now if even that fails."""
        for candidate in (bot, FALLBACK):
            try:
                return BotDecision(
                    _legal(candidate, question, await self._ask(_choose, candidate, question)), candidate
                )
            except Busy:
                raise
            except Exception:
                logger.exception("the bot %s failed in seat %s of %s", candidate, question.seat, question.place)
        return BotDecision(bots.choose(bots.bot(LAST), question.match, question.seat, question.seed), LAST)

    async def explain(self, question: BotRequest) -> Explanation | None:
        """What the usual level would do in this seat, and why; or `greedy` if it fails."""
        for candidate in (DEFAULT, FALLBACK):
            try:
                return msgspec.json.decode(await self._ask(_explain, candidate, question), type=Explanation)
            except Busy as error:
                logger.warning("%s: a hint has to wait: %s", question.place, error)
                return None
            except Exception:
                logger.exception("the bot %s cannot explain itself in %s", candidate, question.place)
        return None

    async def _ask(self, task: Callable[..., bytes], bot: str, question: BotRequest) -> bytes:
        thought = Thought(self._share(question), task, bot, question, bots.effort(bot))
        self._queue.put(thought)
        self._begin()
        answer: bytes = await thought.answer
        return answer

    def _share(self, question: BotRequest) -> FairShareKey:
        person = question.people[0] if question.people else question.place
        return FairShareKey(self._address_of(person), person, question.place)

    def _begin(self) -> None:
        """Whoever has nothing to do begins with what is due."""
        while not self._closed and (idle := [mind for mind in self._thinking_minds() if not mind.busy]):
            thought = self._queue.next()
            if thought is None:
                return
            mind = next((mind for mind in idle if mind.teller.knows(thought.question.place)), idle[0])
            mind.busy = True
            THOUGHT_WAIT_SECONDS.observe(monotonic() - thought.asked)
            task = asyncio.create_task(self._think(mind, thought))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _think(self, mind: BotProcess, thought: Thought) -> None:
        begun = monotonic()
        try:
            answer = await mind.think(thought)
        except (BrokenProcessPool, TimeoutError) as error:
            self._replace(mind)
            self._again(thought, error)
        except Exception as error:
            _answered(thought, error)
        else:
            _answered(thought, answer)
        finally:
            mind.busy = False
            seconds = monotonic() - begun
            self._queue.done(thought, seconds)
            THOUGHT_SECONDS.labels(thought.bot).observe(seconds)
        self._begin()

    def _again(self, thought: Thought, error: Exception) -> None:
        """A mind that hung or died takes its thought with it: another one thinks it, once."""
        thought.tries += 1
        if thought.tries < TRIES:
            logger.warning("a mind was lost over %s in %s: %r", thought.bot, thought.question.place, error)
            self._queue.put(thought)
        else:
            _answered(thought, error)

    def _thinking_minds(self) -> list[BotProcess]:
        if self.ready:
            self._retire_plain()
            return self._minds
        if self._plain is None:
            self._plain = BotProcess(WorkerProcess({PLAIN: "1"}, _nothing))
        return [self._plain]

    def _retire_plain(self) -> None:
        if self._plain:
            self._plain.worker.retire()
            self._plain = None

    def _replace(self, broken: BotProcess) -> None:
        """Once, whoever notices first."""
        broken.worker.close()
        if broken is self._plain:
            self._plain = None
        elif broken in self._minds:
            self._minds[self._minds.index(broken)] = self._born()


def _answered(thought: Thought, answer: bytes | Exception) -> None:
    if thought.answer.done():
        return
    if isinstance(answer, Exception):
        thought.answer.set_exception(answer)
    else:
        thought.answer.set_result(answer)


def _nothing() -> None:
    """To begin with nothing but what is imported."""


def _legal(bot: str, question: BotRequest, answer: bytes) -> Any:
    action = msgspec.json.decode(answer, type=question.match.game.Action)
    if reason := question.match.why_not(question.seat, action):
        raise ValueError(f"{bot} wants {action}: {reason}")
    return action


_listener = MatchSyncReceiver()
"""In a worker: what it was told."""


def _choose(name: str, brief: MatchDelta, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.choose(bot(name), _listener.match(brief), seat, seed))


def _explain(name: str, brief: MatchDelta, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.explain(name, _listener.match(brief), seat, seed))
