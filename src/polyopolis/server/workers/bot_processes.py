"""Runs bots in worker processes, with fallback and retry.

Workers receive public information only, never the dealer's seed.
"""

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
from polyopolis.bots.roster import FALLBACK_BOT, LAST_RESORT_BOT, Roster
from polyopolis.kernels.runtime.jit import FAST, PLAIN_ENV_VAR
from polyopolis.kernels.warmup import cache_environment, warm
from polyopolis.play.errors import Busy
from polyopolis.play.protocols import BotDecision, BotRequest
from polyopolis.play.wire.explanation import Explanation
from polyopolis.server.limits.fair_queue import IDLE_PRIORITY, FairQueue, FairShareKey, Job, QueueLimits
from polyopolis.server.ops.metrics import THOUGHT_SECONDS, THOUGHT_WAIT_SECONDS
from polyopolis.server.workers.match_sync import MatchDelta, MatchSyncReceiver, MatchSyncSender, UnknownBase
from polyopolis.server.workers.worker_process import WorkerProcess

logger = logging.getLogger(__name__)

DECISION_TIMEOUT_SECONDS = 30.0
"""A worker process that takes longer is replaced."""
MAX_TRIES = 2
BOT_QUEUE_BOUNDS = QueueLimits(2_000, 240, 60, "too many bot requests are queued; try again later", wait=10)


@dataclass(eq=False)
class BotJob(Job):
    """A request to a bot. Its result is JSON."""

    task: Callable[..., bytes]
    bot: str
    request: BotRequest
    effort: int
    """The number of simulations."""
    tries: int = 0
    queued_at: float = field(default_factory=monotonic)

    @property
    def priority(self) -> int:
        if self.request.idle:
            return IDLE_PRIORITY
        return 0 if self.request.watched() else 1

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        used = round(address, 2), round(person, 2), round(table, 2)
        return self.priority, *used, self.effort, self.number


class BotProcess:
    """A worker process and the record of the matches it has received. It runs one job at a time."""

    def __init__(self, worker: WorkerProcess) -> None:
        self.worker = worker
        self.sync = MatchSyncSender()
        self.busy = False

    async def run(self, job: BotJob) -> bytes:
        """Runs a job. The timeout starts when the process is ready, after any time in the queue."""
        try:
            return await self._execute(job)
        except UnknownBase:
            self.sync.forget(job.request.place)
            return await self._execute(job)

    async def _execute(self, job: BotJob) -> bytes:
        request = job.request
        about = job.bot, self.sync.brief(request.place, request.match), request.seat, request.seed
        await self.worker.begun()
        future = asyncio.get_running_loop().run_in_executor(self.worker.pool, job.task, *about)
        return await asyncio.wait_for(future, DECISION_TIMEOUT_SECONDS)


class BotProcessPool(Roster):
    """A `BotService` on worker processes. Until their kernels are compiled, one process runs plain Python instead."""

    def __init__(
        self,
        workers: int,
        cache: Path | None = None,
        warm: Callable[[], None] = warm,
        address_of: Callable[[str], str] = lambda person: person,
    ) -> None:
        self._environment = cache_environment(cache) if cache else {}
        self._warm = warm
        self._address_of = address_of
        self._processes = [self._new_process() for _ in range(workers)]
        self._plain_process: BotProcess | None = None
        self._queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS)
        self._running = set[asyncio.Task[None]]()
        self._closed = False

    def _new_process(self) -> BotProcess:
        return BotProcess(WorkerProcess(self._environment, self._warm))

    @property
    def ready(self) -> bool:
        """Whether all processes have compiled their kernels; always true without numba."""
        return not FAST or all(process.worker.ready for process in self._processes)

    @property
    def waiting(self) -> int:
        """The number of queued jobs."""
        return len(self._queue)

    def is_manned(self) -> bool:
        """Whether a process is alive. Replaces idle processes that have died, which no job would detect."""
        dead = [process for process in self._processes if not process.worker.alive]
        for process in dead:
            if not process.busy:
                self._replace(process)
        return len(dead) < len(self._processes) or (
            self._plain_process is not None and self._plain_process.worker.alive
        )

    def close(self) -> None:
        self._closed = True
        for task in self._running:
            task.cancel()
        for process in [*self._processes, *([self._plain_process] if self._plain_process else [])]:
            process.worker.close()

    # Requests

    async def choose(self, bot: str, request: BotRequest) -> BotDecision:
        """Returns the decision of the bot, or of a simpler one if it fails; the last resort runs in this process."""
        for candidate in (bot, FALLBACK_BOT):
            try:
                return BotDecision(
                    _decode_legal_action(candidate, request, await self._submit(_choose, candidate, request)),
                    candidate,
                )
            except Busy:
                raise
            except Exception:
                logger.exception("the bot %s failed in seat %s of %s", candidate, request.seat, request.place)
        return BotDecision(
            bots.choose(bots.bot(LAST_RESORT_BOT), request.match, request.seat, request.seed), LAST_RESORT_BOT
        )

    async def explain(self, request: BotRequest) -> Explanation | None:
        """Returns the decision of the default level with its reasons; of `greedy` if that fails, or None."""
        for candidate in (DEFAULT, FALLBACK_BOT):
            try:
                return msgspec.json.decode(await self._submit(_explain, candidate, request), type=Explanation)
            except Busy as error:
                logger.warning("%s: no hint: %s", request.place, error)
                return None
            except Exception:
                logger.exception("the bot %s cannot explain itself in %s", candidate, request.place)
        return None

    async def _submit(self, task: Callable[..., bytes], bot: str, request: BotRequest) -> bytes:
        job = BotJob(self._fair_share_key(request), task, bot, request, bots.effort(bot))
        self._queue.put(job)
        self._assign_jobs()
        answer: bytes = await job.answer
        return answer

    def _fair_share_key(self, request: BotRequest) -> FairShareKey:
        person = request.people[0] if request.people else request.place
        return FairShareKey(self._address_of(person), person, request.place)

    def _assign_jobs(self) -> None:
        """Assigns queued jobs to idle processes, preferably to one that knows the match."""
        while not self._closed and (idle := [process for process in self._active_processes() if not process.busy]):
            job = self._queue.next()
            if job is None:
                return
            process = next((process for process in idle if process.sync.knows(job.request.place)), idle[0])
            process.busy = True
            THOUGHT_WAIT_SECONDS.observe(monotonic() - job.queued_at)
            task = asyncio.create_task(self._run_job(process, job))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _run_job(self, process: BotProcess, job: BotJob) -> None:
        started = monotonic()
        try:
            answer = await process.run(job)
        except (BrokenProcessPool, TimeoutError) as error:
            self._replace(process)
            self._retry(job, error)
        except Exception as error:
            _resolve(job, error)
        else:
            _resolve(job, answer)
        finally:
            process.busy = False
            seconds = monotonic() - started
            self._queue.done(job, seconds)
            THOUGHT_SECONDS.labels(job.bot).observe(seconds)
        self._assign_jobs()

    def _retry(self, job: BotJob, error: Exception) -> None:
        """Queues a job again after its process has hung or died, up to `MAX_TRIES` attempts."""
        job.tries += 1
        if job.tries < MAX_TRIES:
            logger.warning("lost a worker process while it ran %s in %s: %r", job.bot, job.request.place, error)
            self._queue.put(job)
        else:
            _resolve(job, error)

    def _active_processes(self) -> list[BotProcess]:
        if self.ready:
            self._retire_plain_process()
            return self._processes
        if self._plain_process is None:
            self._plain_process = BotProcess(WorkerProcess({PLAIN_ENV_VAR: "1"}, _no_warmup))
        return [self._plain_process]

    def _retire_plain_process(self) -> None:
        if self._plain_process:
            self._plain_process.worker.retire()
            self._plain_process = None

    def _replace(self, broken: BotProcess) -> None:
        """Idempotent: several jobs may report the same process."""
        broken.worker.close()
        if broken is self._plain_process:
            self._plain_process = None
        elif broken in self._processes:
            self._processes[self._processes.index(broken)] = self._new_process()


def _resolve(job: BotJob, answer: bytes | Exception) -> None:
    if job.answer.done():
        return
    if isinstance(answer, Exception):
        job.answer.set_exception(answer)
    else:
        job.answer.set_result(answer)


def _no_warmup() -> None:
    """Initial task of the process that runs plain Python."""


def _decode_legal_action(bot: str, request: BotRequest, answer: bytes) -> Any:
    action = msgspec.json.decode(answer, type=request.match.game.Action)
    if reason := request.match.why_not(request.seat, action):
        raise ValueError(f"{bot} has chosen the illegal action {action}: {reason}")
    return action


_receiver = MatchSyncReceiver()
"""In a worker process: the matches that it has received."""


def _choose(name: str, delta: MatchDelta, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.choose(bot(name), _receiver.match(delta), seat, seed))


def _explain(name: str, delta: MatchDelta, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.explain(name, _receiver.match(delta), seat, seed))
