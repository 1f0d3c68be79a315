"""Several server processes behind one address, which share one database. A process that dies is replaced."""

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

MIN_LIFETIME_SECONDS = 1.0
"""A process that ended sooner is replaced only after this time."""
STOP_TIMEOUT_SECONDS = 15.0
"""A process that has not ended this long after it was terminated is killed."""

ServeFunction = Callable[[int, socket.socket], None]
"""Runs process number `n` on a listening socket. Must be picklable: a function of a module, or a partial of one."""


def serve_together(count: int, serve: ServeFunction, listener: socket.socket) -> None:
    """Runs `count` processes until this one is interrupted."""
    processes = [_start(serve, number, listener) for number in range(count)]
    started = [monotonic()] * count
    try:
        while True:
            wait([process.sentinel for process in processes])
            for number, process in enumerate(processes):
                if process.exitcode is None:
                    continue
                logger.warning("server process %s has ended with %s and is replaced", number, process.exitcode)
                sleep(max(0.0, MIN_LIFETIME_SECONDS - (monotonic() - started[number])))
                processes[number], started[number] = _start(serve, number, listener), monotonic()
    finally:
        _stop_all(processes)


def _start(serve: ServeFunction, number: int, listener: socket.socket) -> BaseProcess:
    process = get_context("spawn").Process(target=_run, args=(serve, number, listener), name=f"server-{number}")
    process.start()
    return process


def _stop_all(processes: list[BaseProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(STOP_TIMEOUT_SECONDS)
        process.kill()


def _run(serve: ServeFunction, number: int, listener: socket.socket) -> None:
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    serve(number, listener)


def _exit_with_parent() -> None:
    """Ends this process when its parent has been killed."""
    if parent := parent_process():
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
