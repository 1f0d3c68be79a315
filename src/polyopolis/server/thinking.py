"""Bots think in processes of their own, off the event loop. They get what everybody knows: never the dealer's seed."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec

from polyopolis import bots
from polyopolis.bots import DEFAULT, bot
from polyopolis.kernels.compiled import FAST, PLAIN
from polyopolis.kernels.warming import cache_in, warm
from polyopolis.play.explanation import Explanation
from polyopolis.play.needs import Question
from polyopolis.server.briefing import Brief, Forgotten, Listener, Teller
from polyopolis.server.workers import Worker

logger = logging.getLogger(__name__)

FALLBACK = "greedy"
LONGEST = 30.0
"""Seconds after which a bot counts as failed."""


class Mind:
    """A process that thinks, what it was told, and how much it has to do."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.teller = Teller()
        self.busy = 0

    async def ask(self, task: Callable[..., bytes], bot: str, question: Question) -> bytes:
        self.busy += 1
        try:
            return await self._answer(task, bot, question)
        except Forgotten:
            self.teller.forget(question.place)
            return await self._answer(task, bot, question)
        finally:
            self.busy -= 1

    async def _answer(self, task: Callable[..., bytes], bot: str, question: Question) -> bytes:
        about = bot, self.teller.brief(question.place, question.match), question.seat, question.seed
        asked = asyncio.get_running_loop().run_in_executor(self.worker.pool, task, *about)
        return await asyncio.wait_for(asked, LONGEST)


class ProcessThinker:
    """A `Thinker` that asks processes with their kernels ready; until there are some, one that runs plain Python."""

    stand_in = FALLBACK

    def __init__(self, workers: int, cache: Path | None = None, warm: Callable[[], None] = warm) -> None:
        self._environment = cache_in(cache) if cache else {}
        self._warm = warm
        self._minds = [self._born() for _ in range(workers)]
        self._plain: Mind | None = None

    def _born(self) -> Mind:
        return Mind(Worker(self._environment, self._warm))

    @property
    def ready(self) -> bool:
        """Whether kernels are compiled; without numba there is nothing to wait for."""
        return not FAST or all(mind.worker.ready for mind in self._minds)

    def close(self) -> None:
        for mind in [*self._minds, *([self._plain] if self._plain else [])]:
            mind.worker.close()

    # Which bots there are

    def opponents(self, game: str) -> tuple[str, ...]:
        return bots.opponents(game)

    def usual(self, game: str) -> str:
        return bots.usual(game)

    def beatable(self, game: str) -> str:
        return bots.beatable(game)

    def check(self, bot: str) -> None:
        bots.bot(bot)

    # What they think

    async def choose(self, bot: str, question: Question) -> Any:
        """What the bot does; what `greedy` would do if it fails, or here and now if even that fails."""
        for candidate in (bot, FALLBACK):
            try:
                return _legal(candidate, question, await self._ask(_choose, candidate, question))
            except Exception:
                logger.exception("the bot %s failed in seat %s of %s", candidate, question.seat, question.place)
        return bots.choose(bots.bot("random"), question.match, question.seat, question.seed)

    async def explain(self, question: Question) -> Explanation | None:
        """What the usual level would do in this seat, and why; or `greedy` if it fails."""
        for candidate in (DEFAULT, FALLBACK):
            try:
                return msgspec.json.decode(await self._ask(_explain, candidate, question), type=Explanation)
            except Exception:
                logger.exception("the bot %s cannot explain itself in %s", candidate, question.place)
        return None

    async def _ask(self, task: Callable[..., bytes], bot: str, question: Question) -> bytes:
        mind = self._mind(question.place)
        try:
            return await mind.ask(task, bot, question)
        except BrokenProcessPool:
            self._replace(mind)
            raise

    def _mind(self, place: str) -> Mind:
        """Whoever has least to do, the one who knows the match if it is the same to all."""
        if self.ready:
            self._retire_plain()
            return min(self._minds, key=lambda mind: (mind.busy, not mind.teller.knows(place)))
        if self._plain is None:
            self._plain = Mind(Worker({PLAIN: "1"}, _nothing))
        return self._plain

    def _retire_plain(self) -> None:
        if self._plain:
            self._plain.worker.retire()
            self._plain = None

    def _replace(self, broken: Mind) -> None:
        """Once, whoever notices first."""
        broken.worker.close()
        if broken is self._plain:
            self._plain = None
        elif broken in self._minds:
            self._minds[self._minds.index(broken)] = self._born()


def _nothing() -> None:
    """To begin with nothing but what is imported."""


def _legal(bot: str, question: Question, answer: bytes) -> Any:
    action = msgspec.json.decode(answer, type=question.match.game.Action)
    if reason := question.match.why_not(question.seat, action):
        raise ValueError(f"{bot} wants {action}: {reason}")
    return action


_listener = Listener()
"""In a worker: what it was told."""


def _choose(name: str, brief: Brief, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.choose(bot(name), _listener.match(brief), seat, seed))


def _explain(name: str, brief: Brief, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(bots.explain(name, _listener.match(brief), seat, seed))
