"""Processes started through `tools.processes` do not outlive the program that started them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.processes import Child

STEP = sys.executable, "-m", "tools.run_step", "Step"
STUBBORN = "trap '' TERM HUP; echo ready; while :; do sleep 1; done"


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe: its reader receives the end of the file when no process has the pipe open."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def in_background(script: str, pipe: Path) -> tuple[str, ...]:
    """Returns a command that runs a script in a separate process, with the pipe as its output, and waits for it."""
    return "sh", "-c", 'sh -c "$1" >"$2" & wait', "sh", script, str(pipe)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_signal_to_a_step_ends_all_its_processes(number: signal.Signals, pipe: Path) -> None:
    command = *STEP, *in_background("echo ready; sleep 600", pipe)
    with subprocess.Popen(command, cwd=pipe.parent, stdout=subprocess.DEVNULL) as step:
        with pipe.open() as output:
            assert output.readline() == "ready\n"
            step.send_signal(number)
            assert output.read() == ""
        assert step.wait() == (-number if number is signal.SIGKILL else 128 + number)


def test_step_ends_with_its_parent(pipe: Path) -> None:
    script = '"$@"; exit'  # the shell waits for the step instead of becoming it
    command = "sh", "-c", script, "sh", *STEP, *in_background("echo ready; sleep 600", pipe)
    with subprocess.Popen(command, cwd=pipe.parent, stdout=subprocess.DEVNULL) as parent, pipe.open() as output:
        assert output.readline() == "ready\n"
        parent.kill()
        assert output.read() == ""


def test_step_ends_processes_that_its_command_leaves_behind(pipe: Path) -> None:
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    command = *STEP, "sh", "-c", 'exec 3>"$1"; sleep 600 >&3 & echo done', "sh", str(pipe)
    subprocess.run(command, cwd=pipe.parent, check=True, capture_output=True)
    os.set_blocking(reader, True)
    with open(reader) as output:
        assert output.read() == ""


def test_process_that_ignores_sigterm_is_killed(pipe: Path) -> None:
    child = Child(in_background(STUBBORN, pipe), grace_seconds=0)
    with pipe.open() as output:
        assert output.readline() == "ready\n"
        child.end()
        assert output.read() == ""


def test_guard_kills_a_process_that_ignores_sigterm(pipe: Path) -> None:
    script = "import sys; from tools.processes import Child; Child(sys.argv[1:], grace_seconds=0); sys.stdin.read()"
    command = sys.executable, "-c", script, *in_background(STUBBORN, pipe)
    with subprocess.Popen(command, stdin=subprocess.PIPE) as parent, pipe.open() as output:
        assert output.readline() == "ready\n"
        parent.kill()
        assert output.read() == ""
