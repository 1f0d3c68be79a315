"""Bots think in processes of their own, off the event loop. They get what everybody knows: never the dealer's seed."""

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any

import msgspec

from polyopolis.bots import bot, choose
from polyopolis.engine import Match, Move
from polyopolis.games import game
from polyopolis.kernels.warming import warm

logger = logging.getLogger(__name__)

FALLBACK = "greedy"
LONGEST = 30.0
"""Seconds after which a bot counts as failed."""


class Thinker:
    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._fresh_pool()

    def _fresh_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), _ready)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def choose(self, name: str, match: Match, seat: int, seed: bytes) -> Any:
        """What the bot does; what `greedy` would do if it fails, or here and now if even that fails."""
        for candidate in (name, FALLBACK):
            try:
                return await self._ask(candidate, match, seat, seed)
            except Exception:
                logger.exception("the bot %s failed in seat %s after %s moves", candidate, seat, len(match.moves))
        return choose(bot("random"), match, seat, seed)

    async def _ask(self, name: str, match: Match, seat: int, seed: bytes) -> Any:
        position = Position(match.game.key, msgspec.json.encode(match.setup), msgspec.json.encode(match.moves))
        asked = asyncio.get_running_loop().run_in_executor(self._pool, _think, name, position, seat, seed)
        try:
            answer = await asyncio.wait_for(asked, LONGEST)
        except BrokenProcessPool:
            self._pool = self._fresh_pool()
            raise
        action = msgspec.json.decode(answer, type=match.game.Action)
        if reason := match.why_not(seat, action):
            raise ValueError(f"{name} wants {action}: {reason}")
        return action


class Position(msgspec.Struct, frozen=True):
    """What a bot is told: everything but the seed."""

    game: str
    setup: bytes
    moves: bytes


def _ready() -> None:
    """In the worker: only the parent hears Ctrl-C. Kernels get ready beside bots that need none."""
    signal(SIGINT, SIG_IGN)
    Thread(target=warm, daemon=True).start()


def _think(name: str, position: Position, seat: int, seed: bytes) -> bytes:
    """In the worker: the match from its moves, then the bot's choice."""
    return msgspec.json.encode(choose(bot(name), _match(position), seat, seed))


@lru_cache(64)
def _match(position: Position) -> Match:
    rules = game(position.game)
    moves = [
        Move(move.seat, msgspec.convert(move.action, rules.Action))
        for move in msgspec.json.decode(position.moves, type=list[Move])
    ]
    return Match.replay(rules, msgspec.json.decode(position.setup, type=rules.Setup), moves)
