"""Several processes that serve at one address: nodes of one database. One that dies is replaced."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep

logger = logging.getLogger(__name__)

BREATH = 1.0
"""Seconds that a process has lived at least when it is replaced at once; others wait for so long."""
PATIENCE = 15.0
"""Seconds in which a process that is told to end has ended."""

Serve = Callable[[int, socket.socket], None]
"""What the process of a number does; a function of a module, or a partial of one."""


def serve_together(count: int, serve: Serve, listener: socket.socket) -> None:
    """Until somebody ends it."""
    crew = [_hired(serve, number, listener) for number in range(count)]
    begun = [monotonic()] * count
    try:
        while True:
            wait([member.sentinel for member in crew])
            for number, member in enumerate(crew):
                if member.exitcode is None:
                    continue
                logger.warning(
                    "server process %s has ended with %s; another one takes its place", number, member.exitcode
                )
                sleep(max(0.0, BREATH - (monotonic() - begun[number])))
                crew[number], begun[number] = _hired(serve, number, listener), monotonic()
    finally:
        _dismiss(crew)


def _hired(serve: Serve, number: int, listener: socket.socket) -> BaseProcess:
    member = get_context("spawn").Process(target=_work, args=(serve, number, listener), name=f"server-{number}")
    member.start()
    return member


def _dismiss(crew: list[BaseProcess]) -> None:
    for member in crew:
        member.terminate()
    for member in crew:
        member.join(PATIENCE)
        member.kill()


def _work(serve: Serve, number: int, listener: socket.socket) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(number, listener)


def _end_with_parent() -> None:
    """Nobody serves on behind the back of a server that was killed."""
    if parent := parent_process():
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
