"""The log handler: repeated warnings and errors are counted."""

import io
import json
import logging
from typing import Any

import pytest

from polyopolis.server.ops import logs
from polyopolis.server.ops.logs import REPEAT_SECONDS, JsonLines, LimitedHandler, TextLines


class Log:
    """A log with a manual clock."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.time = 1_000.0
        self._stream = io.StringIO()
        self.handler = LimitedHandler(self._stream, lambda: self.time)
        self.handler.setFormatter(formatter)
        self.logger = logging.Logger("polyopolis.part")
        self.logger.addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        """Lines written since the last read."""
        found = self._stream.getvalue().splitlines()
        self._stream.seek(0)
        self._stream.truncate()
        return found


@pytest.fixture
def log() -> Log:
    return Log(TextLines())


def fail(log: Log, problem: Any) -> None:
    try:
        raise ValueError(problem)
    except ValueError:
        log.logger.exception("POST /api/tables: ValueError")


def without_times(lines: list[str]) -> list[str]:
    return [line.partition(" ")[2] for line in lines]


FAILED = "ERROR polyopolis.part: POST /api/tables: ValueError"


def test_an_error_is_written_once_and_counted_for_a_minute(log: Log) -> None:
    for number in range(12_000):
        fail(log, number)
    first = log.lines
    assert without_times(first)[0] == FAILED
    assert first[-1] == "ValueError: 0"
    assert len(first) < 10
    log.time += REPEAT_SECONDS - 1
    fail(log, "again")
    assert log.lines == []
    log.time += 1
    fail(log, "again")
    assert without_times(log.lines) == [f"{FAILED} (12,001 times more in 60 seconds)"]
    log.time += REPEAT_SECONDS
    fail(log, "alone")
    assert log.lines[-1] == "ValueError: alone", "no repetition since"


def test_the_count_is_written_with_the_next_record_and_on_close(log: Log) -> None:
    for _ in range(3):
        fail(log, "x")
    log.lines  # noqa: B018
    log.time += 2 * REPEAT_SECONDS
    log.logger.info("closed")
    assert without_times(log.lines) == [f"{FAILED} (2 times more in 120 seconds)", "INFO polyopolis.part: closed"]
    for _ in range(2):
        fail(log, "x")
    log.lines  # noqa: B018
    log.handler.close()
    assert without_times(log.lines) == [f"{FAILED} (1 time more in 0 seconds)"]


def test_a_count_has_its_own_time_and_no_request(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "time", lambda: 1_800_000_000.0)
    token = logs._context.set({"request": "POST /api/tables"})
    try:
        for _ in range(2):
            log.logger.warning("it failed")
        (first,) = log.lines
        assert first.endswith("it failed request=POST /api/tables")
        log.time += REPEAT_SECONDS
        log.logger.warning("it failed")
    finally:
        logs._context.reset(token)
    (count,) = log.lines
    assert count.endswith("it failed (2 times more in 60 seconds)")
    assert count.startswith("2027-01-15T08:00:00")


def test_a_record_that_cannot_be_formatted_raises_no_error(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.logger.warning("%d tables", "many")
    assert "--- Logging error ---" in capsys.readouterr().err


def test_each_cause_is_counted_separately(log: Log) -> None:
    def other() -> None:
        try:
            raise ValueError("elsewhere")
        except ValueError:
            log.logger.exception("POST /api/tables: ValueError")

    for _ in range(2):
        log.logger.warning("node %s is gone", "a")
        log.logger.warning("node %s is gone", "b")
        log.logger.error("node %s is gone", "a")
        fail(log, "x")
        other()
    assert len([line for line in log.lines if "polyopolis.part" in line]) == 5


def test_records_below_warning_are_never_suppressed(log: Log) -> None:
    for _ in range(3):
        log.logger.info("GET /api/hello")
    assert len(log.lines) == 3


def test_the_handler_drops_causes_that_do_not_repeat(log: Log) -> None:
    for number in range(1_000):
        log.logger.warning("table %s cannot be read", number)
    log.time += REPEAT_SECONDS
    log.logger.info("on")
    assert len(log.lines) == 1_001
    assert not log.handler.repeated


def test_a_count_is_a_line_of_json() -> None:
    log = Log(JsonLines())
    for _ in range(3):
        fail(log, "x")
    log.time += REPEAT_SECONDS
    fail(log, "x")
    first, count = map(json.loads, log.lines)
    assert "ValueError: x" in first["error"]
    assert count["message"] == "POST /api/tables: ValueError (3 times more in 60 seconds)"
    assert "error" not in count
