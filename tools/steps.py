"""Runs commands as steps: one line for each on the screen, the output in a log."""

import os
import re
import shlex
import shutil
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal, TextIO

from tools.processes import Child, Interruption
from tools.reports import Counts, PytestReport, Report, VitestReport

LOGS = Path("out", "logs")
TAIL_LINES = 40
FAILURE_LINES = 300
POLL_SECONDS = 0.1
LINE_SECONDS = 30.0
"""Interval between status lines of a running step if the output is not a terminal."""


@dataclass(frozen=True)
class Step:
    """A command with a title. `report` is the kind of report that it writes to `report_file(title)`."""

    title: str
    command: Sequence[str]
    report: Literal["pytest", "vitest"] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    accepted_codes: Sequence[int] = (0,)
    is_optional: bool = False

    @property
    def log(self) -> Path:
        return LOGS / f"{_file_name(self.title)}.log"


@dataclass(frozen=True)
class Result:
    step: Step
    code: int
    seconds: float
    counts: Counts | None

    @property
    def ok(self) -> bool:
        return self.code in self.step.accepted_codes

    def __str__(self) -> str:
        outcome = ""
        if not self.ok:
            outcome = f"not possible, see {self.step.log}" if self.step.is_optional else f"FAILED with code {self.code}"
        counts = str(self.counts) if self.counts else ""
        return ", ".join(filter(None, (outcome, counts, duration(self.seconds))))


class Interrupted(Exception):
    def __init__(self, exit_code: int) -> None:
        super().__init__()
        self.exit_code = exit_code


class Display:
    """Prints lines and the state of running steps: on a terminal in a changing last line, else every 30 seconds."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_terminal = out.isatty() and os.environ.get("TERM") != "dumb"
        self._status = ""
        self._printed_at = time.monotonic()

    def line(self, text: str = "") -> None:
        self._out.write(f"{self._cleared()}{text}\n")
        self._out.flush()
        self._printed_at = time.monotonic()

    def status(self, text: str) -> None:
        if self._is_terminal and text != self._status:
            shown = text[: shutil.get_terminal_size().columns - 1]
            self._out.write(self._cleared() + shown)
            self._out.flush()
            self._status = text
        elif not self._is_terminal and time.monotonic() - self._printed_at >= LINE_SECONDS:
            self.line(text)

    def _cleared(self) -> str:
        if not self._status:
            return ""
        self._status = ""
        return "\r\x1b[K"


class RunningStep:
    def __init__(self, step: Step, *, verbose: bool) -> None:
        LOGS.mkdir(parents=True, exist_ok=True)
        self.step = step
        self.new_failures: list[str] = []
        self._verbose = verbose
        self._started = time.monotonic()
        self._report = _report(step)
        self._log: IO[str] | None = None if verbose else step.log.open("w", encoding="utf-8")
        if self._log:
            self._log.write(f"$ {shlex.join(step.command)}\n")
            self._log.flush()
        self._child = Child(step.command, self._log, environment=_environment(step))

    def poll(self) -> Result | None:
        """Returns the result, or None while the command runs."""
        code = self._child.poll()
        if self._report:
            known = len(self._report.counts.failed)
            self._report.update(ended=code is not None)
            self.new_failures = list(self._report.counts.failed)[known:]
        if code is None:
            return None
        self._close_log()
        return Result(self.step, code, self._seconds, self._report.counts if self._report else None)

    def end(self) -> None:
        self._child.end()
        self._close_log()

    def _close_log(self) -> None:
        if self._log:
            self._log.close()

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._started

    def __str__(self) -> str:
        progress = ""
        if self._report and self._report.counts.total:
            counts = self._report.counts
            progress = f"{counts.done} of {counts.total} tests, {len(counts.failed)} failed, "
        return f"{self.step.title} ... {progress}{duration(self._seconds)}"


class Runner:
    """Runs steps and prints a line for each; for a failed step also the error and the path of its log."""

    def __init__(self, display: Display, *, verbose: bool = False) -> None:
        self._display = display
        self._verbose = verbose
        self._interruption = Interruption()

    def run(self, steps: Sequence[Step], *, jobs: int = 1) -> list[Result]:
        """Runs all steps, at most `jobs` at the same time; raises `Interrupted` when this process must end."""
        waiting, running, results = deque(steps), list[RunningStep](), list[Result]()
        try:
            while waiting or running:
                while waiting and len(running) < (1 if self._verbose else jobs):
                    running.append(self._start(waiting.popleft()))
                time.sleep(POLL_SECONDS)
                if self._interruption.exit_code is not None:
                    self._display.line("Interrupted.")
                    raise Interrupted(self._interruption.exit_code)
                for step in tuple(running):
                    if result := self._poll(step):
                        running.remove(step)
                        results.append(result)
                if running and not self._verbose:
                    self._display.status("; ".join(map(str, running)))
        finally:
            for step in running:
                step.end()
        return sorted(results, key=lambda result: steps.index(result.step))

    def _start(self, step: Step) -> RunningStep:
        if self._verbose:
            self._display.line(f"{step.title}: {shlex.join(step.command)}")
        return RunningStep(step, verbose=self._verbose)

    def _poll(self, step: RunningStep) -> Result | None:
        result = step.poll()
        for name in step.new_failures:
            self._display.line(f"FAILED {name}")
        if result:
            self._show(result)
        return result

    def _show(self, result: Result) -> None:
        self._display.line(f"{result.step.title} ... {result}")
        if not result.ok and not self._verbose and not result.step.is_optional:
            for line in failure_lines(result):
                self._display.line(f"    {line}".rstrip())
            self._display.line(f"    Log: {result.step.log}")


def failure_lines(result: Result) -> list[str]:
    """Returns the texts of failed tests, and the end of the log if they do not explain the exit code."""
    failed = result.counts.failed if result.counts else {}
    lines = [line for name, text in failed.items() for line in (f"--- {name}", *text.splitlines())]
    if len(lines) > FAILURE_LINES:
        lines[FAILURE_LINES:] = [f"... {len(lines) - FAILURE_LINES} more lines"]
    if not lines or result.code != 1:
        lines += result.step.log.read_text("utf-8", errors="replace").splitlines()[-TAIL_LINES:]
    return lines


def report_file(title: str) -> Path:
    """Returns the path of the report of the step with this title."""
    return LOGS / f"{_file_name(title)}.json"


def duration(seconds: float) -> str:
    """Formats a duration in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _report(step: Step) -> Report | None:
    match step.report:
        case "pytest":
            return PytestReport(report_file(step.title))
        case "vitest":
            return VitestReport(report_file(step.title))
    return None


def _environment(step: Step) -> dict[str, str]:
    """Returns the environment of this process with the programs of its virtual environment first in PATH."""
    path = os.pathsep.join((str(Path(sys.prefix, "bin")), os.environ.get("PATH", os.defpath)))
    return {**os.environ, "PATH": path, "DEBIAN_FRONTEND": "noninteractive", **step.environment}
