"""Results of test programs: events of `tools.pytest_events` and the JSON report of Vitest."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass
class Counts:
    """Results of tests so far. `failed` has the text of each failure, `skipped` the reason of each skip."""

    total: int = 0
    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return self.passed + len(self.failed) + len(self.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


class Report(Protocol):
    """Test counts read from a file that a running program writes."""

    counts: Counts

    def update(self, *, ended: bool) -> None:
        """Reads new results from the file."""


class PytestReport:
    """Follows the events of a pytest run."""

    def __init__(self, path: Path) -> None:
        path.write_text("")
        self.counts = Counts()
        self._file = path.open(encoding="utf-8")
        self._incomplete = ""

    def update(self, *, ended: bool) -> None:
        *lines, self._incomplete = (self._incomplete + self._file.read()).split("\n")
        for line in lines:
            self._add(json.loads(line))

    def _add(self, event: dict[str, Any]) -> None:
        match event:
            case {"total": total}:
                self.counts.total = total
            case {"id": test, "outcome": "failed", "text": text}:
                self.counts.failed[test] = text
            case {"id": test, "outcome": "skipped", "text": text}:
                self.counts.skipped[test] = text
            case _:
                self.counts.passed += 1


class VitestReport:
    """Reads the report that Vitest writes when it ends."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self.counts = Counts()
        self._path = path

    def update(self, *, ended: bool) -> None:
        if not ended or not self._path.exists():
            return
        self.counts = Counts()
        for file in json.loads(self._path.read_text("utf-8"))["testResults"]:
            for test in file["assertionResults"]:
                name = f"{Path(file['name']).name}: {test['fullName']}"
                if test["status"] == "passed":
                    self.counts.passed += 1
                elif test["status"] == "failed":
                    self.counts.failed[name] = "\n".join(test["failureMessages"])
                else:
                    self.counts.skipped[name] = f"marked as {test['status']}"
        self.counts.total = self.counts.done
