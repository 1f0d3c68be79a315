"""Child processes that end with the process that started them."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import IO, Self

GRACE_SECONDS = 5.0
LAUNCHER = 'read -r _ && exec "$@" </dev/null'
"""A shell script that executes a command after it has received a line, and exits if its input is closed before."""
END_GROUP = """
kill -s TERM -- "-$1"
sleep "$2"
kill -s KILL -- "-$1"
"""
"""A shell script that ends a process group."""


class Guard:
    """Runs a shell script when this process ends, even if SIGKILL ends it: that closes the pipe to the guard."""

    def __init__(self, script: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", f"trap '' HUP INT TERM\nread -r _\n{script}", "sh", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @classmethod
    def of_group(cls, group: int, grace_seconds: float = GRACE_SECONDS) -> Self:
        """Returns a guard that ends a process group."""
        return cls(END_GROUP, str(group), str(grace_seconds))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def release(self) -> None:
        """Ends the guard without running its script."""
        self._process.kill()
        self._process.communicate()


class Child:
    """A command in a process group of its own, with all processes that it starts.

    The group ends when the command ends, when `end` is called, and when this process ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        output: IO[str] | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._grace_seconds = grace_seconds
        self._process = subprocess.Popen(
            ["sh", "-c", LAUNCHER, "sh", *command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
        )
        self._guard = Guard.of_group(self._process.pid, grace_seconds)
        assert self._process.stdin
        self._process.stdin.write(b"\n")  # the command starts only now, after its guard
        self._process.stdin.close()

    def poll(self) -> int | None:
        """Returns the exit code of the command, or None while it runs."""
        code = self._process.poll()
        if code is not None:
            self._release()
        return code

    def end(self) -> None:
        """Ends the group by SIGTERM, and by SIGKILL if the command has not ended after the grace period."""
        if self._process.poll() is None:
            self._signal_group(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(self._grace_seconds)
        self._release()
        self._process.wait()

    def _release(self) -> None:
        self._signal_group(signal.SIGKILL)
        self._guard.release()

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # macOS reports a group of zombies by EPERM
            os.killpg(self._process.pid, number)


class Interruption:
    """Records the signals that ask this process to end.

    It raises no exception, because that could come after a child has started and before it is assigned.
    """

    def __init__(self) -> None:
        self._parent = os.getppid()
        self._received: int | None = None
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._receive)

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self._received = number

    @property
    def exit_code(self) -> int | None:
        """The exit code of an interrupted run, or None. The death of the parent process counts as SIGTERM."""
        number = signal.SIGTERM if os.getppid() != self._parent else self._received
        return None if number is None else 128 + number
