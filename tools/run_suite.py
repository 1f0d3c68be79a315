"""Runs the parts of `make check`, `make test`, `make soak` and their single targets, and ends with a summary.

All parts run even if one of them fails. The last line of a suite with tests is `N passed, N failed, N skipped`.
"""

import argparse
import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.reports import Counts
from tools.steps import LOGS, Display, Interrupted, Result, Runner, Step, duration, report_file

PYTEST = ("python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", "--durations=100", "-p", "tools.pytest_events")
BROWSER = "tests/e2e"
"""These tests run in a separate process, because Playwright keeps its event loop running."""
EVERY = ("--ignore", BROWSER)
QUICK = ("-m", "not slow", "--ignore", BROWSER)
SLOW = ("-m", "slow", "--ignore", BROWSER)
SOAK = (
    "-o", "faulthandler_timeout=0",
    "tests/analysis", "tests/bots", "tests/contract", "tests/games", "tests/kernels", "tests/server", "tests/play",
)  # fmt: skip
NO_TESTS = 5
"""The exit code of pytest if it has selected no test."""
NPM = ("npm", "--prefix", "client")
SUMMARY = LOGS / "summary.log"


@dataclass(frozen=True)
class Suite:
    """Stages of steps: the steps of one stage run in parallel.

    `note` is printed first, and again in the summary of a failed run.
    """

    stages: Sequence[Sequence[Step]]
    budget_minutes: int | None = None
    note: str = ""


def pytest_step(title: str, *arguments: str, accepted_codes: Sequence[int] = (0,), **environment: str) -> Step:
    command = (*PYTEST, f"--events-file={report_file(title)}", *arguments)
    return Step(title, command, "pytest", environment, accepted_codes)


def vitest_step(title: str) -> Step:
    options = "--reporter=default", "--reporter=json", f"--outputFile=../{report_file(title)}"
    return Step(title, (*NPM, "test", "--", *options), "vitest")


LINT = (
    Step("Python types", ("mypy",)),
    Step("Python style", ("ruff", "check", ".")),
    Step("Python format", ("ruff", "format", "--check", ".")),
    Step("Import contracts", ("lint-imports",)),
    Step("Game content", ("polyopolis", "check-content")),
)
LINT_CLIENT = (Step("Client style", (*NPM, "run", "lint")),)
TRY_CLIENT = (Step("Client types", (*NPM, "run", "types")), vitest_step("Client tests"))


def suite_of(name: str, tests: Sequence[str] = (), seed: int = 0) -> Suite:
    """Returns the suite of a make target. If `tests` names paths, the suite runs only the tests there."""
    match name:
        case "lint":
            return Suite([LINT])
        case "lint-client":
            return Suite([LINT_CLIENT])
        case "try-client":
            return Suite([TRY_CLIENT])
        case "soak":
            return Suite([[step] for step in _soak(seed)], note=f"Repeat this run with: make soak SEED={seed}")
    quick = (("Quick tests", QUICK),)
    every = (("Python tests", EVERY),)
    slow = (("Slow tests", SLOW),)
    browser = (("Browser tests", (BROWSER,)),)
    parts, budget_minutes = {
        "check": (quick, 2),
        "test": ((*every, *browser), 10),
        "quick-tests": (quick, None),
        "slow-tests": (slow, None),
        "browser-tests": (browser, None),
    }[name]
    if tests:
        return Suite([[step] for step in _narrowed(parts, tests)])
    static = (*LINT_CLIENT, *LINT[:1], *TRY_CLIENT, *LINT[1:]) if budget_minutes else ()  # longest first
    return Suite([[*static, *(pytest_step(title, *arguments) for title, arguments in parts)]], budget_minutes)


def _narrowed(parts: Sequence[tuple[str, Sequence[str]]], tests: Sequence[str]) -> Iterator[Step]:
    for title, arguments in parts:
        is_browser = arguments == (BROWSER,)
        if selected := [test for test in tests if test.startswith(BROWSER) == is_browser]:
            options = () if is_browser else arguments
            yield pytest_step(title, *options, *selected, accepted_codes=(0, NO_TESTS))


def _soak(seed: int) -> Iterator[Step]:
    yield pytest_step("Exploration", f"--hypothesis-seed={seed}", *SOAK, POLYOPOLIS_SOAK="1")
    yield Step("Faults", ("python", "-m", "tests.fault_injection"))
    yield Step("Hostile input", ("python", "-m", "tests.hostile_input"))
    for game in ("mycity", "rollwrite", "pointcity"):
        for kind, options in (
            ("levels", "--games 12 --best 40"),
            ("sums", "--games 300"),
            ("luck", "--decks 1000"),
            ("trust", "--decisions 100"),
        ):
            command = ("python", "-m", "benchmarks.review_accuracy", kind, game, *options.split(), "--jobs", "2")
            yield Step(f"Reviews of {game}, {kind}", command)
    for game in ("mycity", "rollwrite"):
        command = ("python", "-m", "benchmarks.best_cities", game, "--decks", "200", "--jobs", "2")
        yield Step(f"Hindsight of {game}", command)
    yield Step("Notebook", ("python", "-m", "tools.run_notebook", "examples/learn-from-games.ipynb"))


def total_of(results: Sequence[Result]) -> Counts:
    """Returns the sum of all test results. A module that several parts have skipped counts once."""
    total = Counts()
    for result in results:
        if result.counts:
            total.passed += result.counts.passed
            total.failed |= result.counts.failed
            total.skipped |= result.counts.skipped
    return total


def summary(suite: Suite, results: Sequence[Result], seconds: float, setup_seconds: float) -> Iterator[str]:
    """Yields the lines of the summary. `seconds` is the total time, including the installation."""
    installation = ("Installation",) if setup_seconds >= 1 else ()
    width = max(map(len, (*installation, *(result.step.title for result in results))))
    yield "Summary"
    for title in installation:
        yield f"  {title:{width}}  {duration(setup_seconds):>12}"
    for result in results:
        outcome = str(result.counts or "ok") if result.ok else f"FAILED, see {result.step.log}"
        yield f"  {result.step.title:{width}}  {duration(result.seconds):>12}  {outcome}"
    yield f"  {'Total':{width}}  {duration(seconds):>12}"
    if suite.budget_minutes:
        used = seconds - setup_seconds
        excess = ", EXCEEDED" if used > suite.budget_minutes * 60 else ""
        yield f"  Budget on two cores, without installation: {duration(used)} of {suite.budget_minutes} min{excess}"
    total = total_of(results)
    if total.skipped:
        yield "Skipped"
        reasons = sorted(Counter(total.skipped.values()).items(), key=lambda item: (-item[1], item[0]))
        yield from (f"  {number:4}  {reason}" for reason, number in reasons)
    if total.failed:
        yield "Failed"
        yield from (f"  {name}" for name in total.failed)
    if suite.note and not all(result.ok for result in results):
        yield suite.note
    if any(result.counts for result in results):
        yield ""
        yield str(total)


def run(suite: Suite, display: Display, *, verbose: bool = False, started: float | None = None) -> bool:
    """Runs a suite, prints its summary and writes it to `SUMMARY`; returns whether all steps succeeded.

    `started` is the time at which the installation began.
    """
    began = time.time()
    SUMMARY.unlink(missing_ok=True)
    if suite.note:
        display.line(suite.note)
    runner = Runner(display, verbose=verbose)
    results = [
        result for stage in suite.stages for result in runner.run(stage, jobs=min(len(stage), os.cpu_count() or 1))
    ]
    setup_seconds = began - (began if started is None else started)
    lines = list(summary(suite, results, time.time() - began + setup_seconds, setup_seconds))
    SUMMARY.write_text("\n".join(lines) + "\n", "utf-8")
    for line in ("", *lines):
        display.line(line)
    return all(result.ok for result in results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--verbose", action="store_true", help="show the output of all programs, and run one at a time")
    parser.add_argument("--started", type=float, help="start of the installation, in seconds since 1970")
    parser.add_argument("--tests", default="", help="run only the tests of these paths, separated by spaces")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="the seed of a soak")
    options = parser.parse_args()
    suite = suite_of(options.name, options.tests.split(), options.seed)
    if not suite.stages:
        parser.error(f"{options.name} has no part with the tests {options.tests}")
    try:
        ok = run(suite, Display(sys.stdout), verbose=options.verbose, started=options.started)
    except Interrupted as interrupted:
        return interrupted.exit_code
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
