"""A pytest plugin that writes the result of each test to a file, one JSON object per line, as soon as it is known.

Usage: `pytest -p tools.pytest_events --events-file=out/logs/quick-tests.json`
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--events-file", type=Path, help="write the result of each test to this file")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--events-file")
    if path and not hasattr(config, "workerinput"):  # pytest-xdist hands all results to its controller
        config.pluginmanager.register(EventWriter(path))


class EventWriter:
    """Writes an event with the number of tests, and one for each test or module that has a result."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")
        self._failures: defaultdict[str, list[str]] = defaultdict(list)
        self._skips: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self._write(total=len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._write(total=len(ids))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write(id=report.nodeid, outcome="failed", text=report.longreprtext)
        elif report.skipped:
            self._write(id=report.nodeid, outcome="skipped", text=_reason(report))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid
        if report.failed:
            captured = (f"--- {title} ---\n{text}" for title, text in report.sections)
            self._failures[name].append("\n".join((report.longreprtext, *captured)))
        elif report.skipped:
            self._skips[name] = _reason(report)
        if report.when in ("setup", "call"):
            return  # teardown follows, or the report that a worker has died, which belongs to no phase
        failures, reason = self._failures.pop(name, []), self._skips.pop(name, None)
        if failures:
            self._write(id=name, outcome="failed", text="\n".join(failures))
        elif reason is not None:
            self._write(id=name, outcome="skipped", text=reason)
        else:
            self._write(id=name, outcome="passed")

    def pytest_unconfigure(self) -> None:
        self._file.close()

    def _write(self, **event: Any) -> None:
        self._file.write(json.dumps(event) + "\n")
        self._file.flush()


def _reason(report: pytest.CollectReport | pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return f"expected failure: {report.wasxfail.removeprefix('reason: ')}"
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    return text.removeprefix("Skipped: ")
