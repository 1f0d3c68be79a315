"""Bots think in processes of their own, off the event loop. They get what everybody knows: never the dealer's seed."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import active_children, get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any

import msgspec

from polyopolis.bots import DEFAULT, Explanation, bot, choose, explain
from polyopolis.engine import Match, Move
from polyopolis.games import game
from polyopolis.kernels.compiled import FAST, PLAIN
from polyopolis.kernels.warming import cache_in, warm

logger = logging.getLogger(__name__)

FALLBACK = "greedy"
LONGEST = 30.0
"""Seconds after which a bot counts as failed."""


class Workers:
    """Processes that are born in an environment of their own and begin with a task."""

    def __init__(self, number: int, environment: Mapping[str, str], task: Callable[[], None]) -> None:
        self.pool = ProcessPoolExecutor(number, get_context("spawn"), signal, (SIGINT, SIG_IGN))
        others = set(active_children())
        with _environment(environment):  # a pool bears a process with each task that finds none idle
            self._begun = [self.pool.submit(task) for _ in range(number)]
        self._processes = set(active_children()) - others

    @property
    def ready(self) -> bool:
        return all(begun.done() for begun in self._begun)

    def close(self) -> None:
        """At once: nobody needs what they think any more."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.terminate()


class Thinker:
    """Asks bots in processes that have their kernels ready; until there are some, in one that runs plain Python."""

    def __init__(self, workers: int, cache: Path | None = None, warm: Callable[[], None] = warm) -> None:
        self._how = workers, cache_in(cache) if cache else {}, warm
        self._workers = Workers(*self._how)
        self._plain: Workers | None = None

    @property
    def ready(self) -> bool:
        """Whether kernels are compiled; without numba there is nothing to wait for."""
        return not FAST or self._workers.ready

    def _asked(self) -> Workers:
        if self.ready:
            self._retire_plain()
            return self._workers
        if self._plain is None:
            self._plain = Workers(1, {PLAIN: "1"}, _nothing)
        return self._plain

    def _retire_plain(self) -> None:
        """It thinks to the end what it was asked."""
        if self._plain:
            self._plain.pool.shutdown(wait=False)
            self._plain = None

    def close(self) -> None:
        self._workers.close()
        if self._plain:
            self._plain.close()

    async def choose(self, name: str, match: Match, seat: int, seed: bytes) -> Any:
        """What the bot does; what `greedy` would do if it fails, or here and now if even that fails."""
        for candidate in (name, FALLBACK):
            try:
                return _legal(candidate, match, seat, await self._ask(_choose, candidate, match, seat, seed))
            except Exception:
                logger.exception("the bot %s failed in seat %s after %s moves", candidate, seat, len(match.moves))
        return choose(bot("random"), match, seat, seed)

    async def explain(self, match: Match, seat: int, seed: bytes) -> Explanation | None:
        """What the usual level would do in this seat, and why; or `greedy` if it fails."""
        for candidate in (DEFAULT, FALLBACK):
            try:
                answer = await self._ask(_explain, candidate, match, seat, seed)
                return msgspec.json.decode(answer, type=Explanation)
            except Exception:
                logger.exception("the bot %s cannot explain itself after %s moves", candidate, len(match.moves))
        return None

    async def _ask(self, task: Callable[..., bytes], name: str, match: Match, seat: int, seed: bytes) -> bytes:
        position = Position(match.game.key, msgspec.json.encode(match.setup), msgspec.json.encode(match.moves))
        workers = self._asked()
        try:
            asked = asyncio.get_running_loop().run_in_executor(workers.pool, task, name, position, seat, seed)
            return await asyncio.wait_for(asked, LONGEST)
        except BrokenProcessPool:
            self._replace(workers)
            raise

    def _replace(self, broken: Workers) -> None:
        """Once, whoever notices first."""
        broken.close()
        if broken is self._workers:
            self._workers = Workers(*self._how)
        elif broken is self._plain:
            self._plain = None


def _nothing() -> None:
    """To begin with nothing but what is imported."""


def _legal(name: str, match: Match, seat: int, answer: bytes) -> Any:
    action = msgspec.json.decode(answer, type=match.game.Action)
    if reason := match.why_not(seat, action):
        raise ValueError(f"{name} wants {action}: {reason}")
    return action


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """For processes that are born meanwhile: what they import looks there."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Position(msgspec.Struct, frozen=True):
    """What a bot is told: everything but the seed."""

    game: str
    setup: bytes
    moves: bytes


def _choose(name: str, position: Position, seat: int, seed: bytes) -> bytes:
    """In the worker: the match from its moves, then the bot's choice."""
    return msgspec.json.encode(choose(bot(name), _match(position), seat, seed))


def _explain(name: str, position: Position, seat: int, seed: bytes) -> bytes:
    return msgspec.json.encode(explain(name, _match(position), seat, seed))


@lru_cache(64)
def _match(position: Position) -> Match:
    rules = game(position.game)
    moves = [
        Move(move.seat, msgspec.convert(move.action, rules.Action))
        for move in msgspec.json.decode(position.moves, type=list[Move])
    ]
    return Match.replay(rules, msgspec.json.decode(position.setup, type=rules.Setup), moves)
