"""Processes started by a test run end with it, even if the run is killed and none of its handlers can run."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from tests.support.postgres_server import MISSING

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

MARKER = "POLYOPOLIS_TEST_MARKER"
"""An environment variable that every process of one run inherits."""
END_SECONDS = 60.0
PARENT = """
import json, sys
from contextlib import ExitStack
from pathlib import Path
import psycopg
from tests.support.postgres_server import MISSING, postgres
from tests.server.support.server_process import running_server

with ExitStack() as stack:
    options, cluster = [], None
    if not MISSING:
        server = stack.enter_context(postgres())
        with psycopg.connect(server.url()) as db:
            cluster = db.execute("SHOW data_directory").fetchone()[0]
        options = ["--database", server.database(), "--workers", "2"]
    stack.enter_context(running_server(Path(sys.argv[1]), *options))
    print(json.dumps(cluster), flush=True)
    sys.stdin.read()
"""

TESTS = """
import os, subprocess, pytest

@pytest.mark.parametrize("number", range(2))
def test_command_without_end(number):
    with open(os.environ["FIFO"], "w") as fifo:
        subprocess.run(["sh", "-c", "echo started; exec sleep 600"], stdout=fifo)
"""


def test_servers_and_clusters_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    marker = uuid4().hex
    command = [sys.executable, "-c", PARENT, str(tmp_path / "data")]
    with subprocess.Popen(
        command, env={**os.environ, MARKER: marker}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        data_directory = json.loads(parent.stdout.readline())
        cluster = Path(data_directory).parent if data_directory else None
        assert bool(MISSING) == (cluster is None)
        started = set(_processes(marker, cluster))
        assert len(started) > (3 if MISSING else 8), "a server with its workers, and a database server"
        parent.kill()
        parent.wait()
        end = time.monotonic() + END_SECONDS
        while (left := set(_processes(marker, cluster))) or (cluster and cluster.exists()):
            assert time.monotonic() < end, f"processes {left} and the folder {cluster} have outlived their parent"
            time.sleep(0.05)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_commands_of_tests_end_with_the_test_run(how: signal.Signals, tmp_path: Path) -> None:
    fifo, tests = tmp_path / "fifo", tmp_path / "test_without_end.py"
    os.mkfifo(fifo)
    tests.write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-n", "2", "-c", os.devnull, str(tests)]
    environment = {**os.environ, "FIFO": str(fifo)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as run, fifo.open() as output:
        assert [output.readline(), output.readline()] == ["started\n"] * 2
        run.send_signal(how)
        assert output.read() == "", "the commands hold the pipe open"


def _processes(marker: str, folder: Path | None) -> Iterator[int]:
    """Yields ids of running processes with the marker in their environment or with a working folder inside `folder`.

    PostgreSQL processes overwrite their environment, so they are found by their folder.
    """
    variable = f"{MARKER}={marker}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if variable in (process / "environ").read_bytes().split(b"\0") or (
                folder and Path(os.readlink(process / "cwd")).is_relative_to(folder)
            ):
                yield int(process.name)
