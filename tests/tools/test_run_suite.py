"""A suite runs all its parts, counts all tests, names the logs of failed parts, and ends with one summary."""

import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.reports import Counts, VitestReport
from tools.run_suite import SUMMARY, Suite, suite_of, summary
from tools.steps import Display, Result, Step

ENVIRONMENT = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist.plugin"}
MODULES = {
    "pytest.ini": "[pytest]\n",
    "test_results.py": """
import os
import pytest

@pytest.fixture
def broken_teardown():
    yield
    raise OSError("teardown failed")

@pytest.mark.parametrize("number", range(3))
def test_pass(number): pass

def test_fail():
    print("seen before")
    assert "left" == "right"

def test_teardown(broken_teardown): pass

def test_crash(): os._exit(1)

@pytest.mark.skip("no database")
def test_skip(): pass

def test_skip_inside(): pytest.skip("no database")

@pytest.mark.xfail(reason="a known defect")
def test_expected_failure(): assert False
""",
    "test_skipped_module.py": "import pytest\npytest.importorskip('missing_module', reason='no module')\n",
}
SCRIPT = """
import sys
from tools.run_suite import Suite, pytest_step, run
from tools.steps import Display, Step

static = Step("Style", ("true",)), Step("Types", ("sh", "-c", "seq 41; exit 3"))
tests = pytest_step("Quick tests", "-n", sys.argv[1])
suite = Suite([static, [tests], [Step("End", ("true",))]], 2, note="Repeat with 7")
sys.exit(0 if run(suite, Display(sys.stdout), verbose="--verbose" in sys.argv) else 1)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run_script(folder: Path, workers: int, *options: str) -> str:
    command = sys.executable, "-c", SCRIPT, str(workers), *options
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert not done.stderr
    return re.sub(r" +(\d+ min )?\d+ s\b", " 0 s", done.stdout)


def test_suite_reports_every_result_and_ends_with_the_counts(folder: Path) -> None:
    progress, _, end = run_script(folder, 1).partition("\nSummary\n")
    tail = "".join(f"    {number}\n" for number in range(2, 42))
    assert f"Types ... FAILED with code 3, 0 s\n{tail}    Log: out/logs/types.log\n" in progress
    assert progress.startswith("Repeat with 7\n")
    assert "\nFAILED test_results.py::test_fail\n" in progress
    assert "    E       AssertionError: assert 'left' == 'right'\n" in progress
    assert "    seen before\n" in progress
    assert "    E       OSError: teardown failed\n" in progress
    assert "crashed while running 'test_results.py::test_crash'\n" in progress
    assert "    Log: out/logs/quick-tests.log\nEnd ... 0 s\n" in progress
    assert end == (
        "  Style 0 s  ok\n"
        "  Types 0 s  FAILED, see out/logs/types.log\n"
        "  Quick tests 0 s  FAILED, see out/logs/quick-tests.log\n"
        "  End 0 s  ok\n"
        "  Total 0 s\n"
        "  Budget on two cores, without installation: 0 s of 2 min\n"
        "Skipped\n"
        "     2  no database\n"
        "     1  expected failure: a known defect\n"
        "     1  no module\n"
        "Failed\n"
        "  test_results.py::test_fail\n"
        "  test_results.py::test_teardown\n"
        "  test_results.py::test_crash\n"
        "Repeat with 7\n"
        "\n"
        "3 passed, 3 failed, 4 skipped\n"
    )
    assert (folder / SUMMARY).read_text().endswith("\n3 passed, 3 failed, 4 skipped\n")


def test_verbose_suite_shows_the_output_of_its_programs(folder: Path) -> None:
    (folder / "test_results.py").write_text("def test_one(): pass\n")
    shown = run_script(folder, 0, "--verbose")
    assert "Types: sh -c 'seq 41; exit 3'\n1\n2\n" in shown
    assert "1 passed, 1 skipped in " in shown
    assert shown.endswith("\n1 passed, 0 failed, 1 skipped\n")


def test_crash_of_pytest_fails_the_suite(folder: Path) -> None:
    (folder / "conftest.py").write_text("import missing_module\n")
    shown = run_script(folder, 0)
    assert "    E   ModuleNotFoundError: No module named 'missing_module'\n" in shown
    assert "Quick tests 0 s  FAILED, see out/logs/quick-tests.log\n" in shown


def test_skip_of_a_module_in_several_parts_counts_once() -> None:
    quick = Counts(passed=2, skipped={"test_gpu.py": "no GPU"})
    slow = Counts(passed=1, failed={"test_slow.py::test": "text"}, skipped={"test_gpu.py": "no GPU"})
    results = [Result(Step("Quick tests", ()), 0, 61.4, quick), Result(Step("Slow tests", ()), 1, 3599.0, slow)]
    assert list(summary(Suite([], budget_minutes=60), results, 3725.0, 60.0)) == [
        "Summary",
        "  Installation     1 min 0 s",
        "  Quick tests      1 min 1 s  2 passed, 0 failed, 1 skipped",
        "  Slow tests     59 min 59 s  FAILED, see out/logs/slow-tests.log",
        "  Total           62 min 5 s",
        "  Budget on two cores, without installation: 61 min 5 s of 60 min, EXCEEDED",
        "Skipped",
        "     1  no GPU",
        "Failed",
        "  test_slow.py::test",
        "",
        "3 passed, 1 failed, 1 skipped",
    ]


def test_vitest_report_counts_once_the_run_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "client-tests.json"
    report = VitestReport(path)
    tests = [
        {"fullName": "adds", "status": "passed", "failureMessages": []},
        {"fullName": "subtracts", "status": "failed", "failureMessages": ["1 is not 2"]},
        {"fullName": "divides", "status": "skipped", "failureMessages": []},
    ]
    path.write_text(json.dumps({"testResults": [{"name": "/home/src/sums.test.ts", "assertionResults": tests}]}))
    report.update(ended=False)
    assert report.counts == Counts()
    report.update(ended=True)
    failed, skipped = {"sums.test.ts: subtracts": "1 is not 2"}, {"sums.test.ts: divides": "marked as skipped"}
    assert report.counts == Counts(3, 1, failed, skipped)


def test_paths_select_only_the_parts_that_contain_them() -> None:
    paths = "tests/engine", "tests/e2e/site/test_pages.py", "tests/test_docs.py"
    (python,), (browser,) = suite_of("test", paths).stages
    assert [*python.command][-2:] == ["tests/engine", "tests/test_docs.py"]
    assert [*browser.command][-1:] == ["tests/e2e/site/test_pages.py"]
    assert 5 in python.accepted_codes
    assert not suite_of("check", ["tests/e2e"]).stages


def test_soak_passes_its_seed_to_pytest_and_says_how_to_repeat_the_run() -> None:
    soak = suite_of("soak", seed=42)
    assert "--hypothesis-seed=42" in soak.stages[0][0].command
    assert soak.note == "Repeat this run with: make soak SEED=42"


def test_display_without_a_terminal_prints_the_state_every_30_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("tools.steps.time", SimpleNamespace(monotonic=lambda: now[0]))
    out = StringIO()
    display = Display(out)
    for now[0] in (110.0, 129.0, 130.0, 159.0, 160.0):
        display.status(f"{now[0]:.0f}")
    assert out.getvalue() == "130\n160\n"


def test_display_on_a_terminal_rewrites_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "11")
    out = StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    display = Display(out)
    display.status("a long state of a step")
    display.status("a long state of a step")
    display.line("done")
    assert out.getvalue() == "a long sta\r\x1b[Kdone\n"
