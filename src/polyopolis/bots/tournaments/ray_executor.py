"""Runs tasks on a Ray cluster. Ray is an optional dependency, so it is imported when a cluster is used."""

import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from hashlib import sha256
from pathlib import Path
from platform import node
from secrets import token_hex
from socket import create_connection
from tempfile import TemporaryDirectory, gettempdir
from time import monotonic
from typing import Any, Self

import polyopolis
from polyopolis.bots.net_files import NET_SUFFIX, PATTERNS_SUFFIX
from polyopolis.bots.tournaments.executors import MAX_RETRIES, Done, ParallelExecutor, Task, WorkersLost, run_batch
from polyopolis.kernels.runtime.jit import FAST, PLAIN_ENV_VAR

LOCAL = "local"
"""Address of a private cluster on this machine, for the lifetime of the executor."""
OBJECT_STORE_BYTES = 256 * 2**20
"""Size of the object store for results, which are fetched at once. Ray would reserve a third of the memory."""
MAX_FOLDER_CHARACTERS = 24
"""Longest path of a folder for Ray: its socket paths are 80 characters longer, and the system allows about 105."""
TEMPORARY_FOLDER = "/tmp" if len(gettempdir()) > MAX_FOLDER_CHARACTERS and Path("/tmp").is_dir() else gettempdir()
"""Folder for temporary files: the default one, or /tmp if the default path is too long."""
COUNT_INTERVAL_SECONDS = 2.0
"""Interval at which workers are counted."""
CONNECT_TIMEOUT_SECONDS = 10.0
NO_USAGE_STATISTICS = {"RAY_USAGE_STATS_ENABLED": "0"}
"""Disables usage reports."""
FORWARDED_VARIABLES = ("POLYOPOLIS_GAMES", PLAIN_ENV_VAR)
"""Environment variables that are passed to workers."""
DIGEST_FOLDERS = ("engine", "geometry", "games", "records", "kernels", "bots")
"""Packages that determine how games between bots go."""

SAME_VERSION_HINT = "install the same version with the same extras on all machines"


class RayExecutor(ParallelExecutor[Any]):
    """Executor on the cluster at an address. Ray replaces workers that die and repeats their batches."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._held = ExitStack()
        self._ray: Any = None
        self._remote_batch: Any = None
        self._counted, self._count = -COUNT_INTERVAL_SECONDS, 1

    def __enter__(self) -> Self:
        with ExitStack() as held:
            try:
                _check_reachable(self._address)
                self._ray = _import_ray(self._address)
                folder = held.enter_context(
                    TemporaryDirectory(prefix="ray-", dir=TEMPORARY_FOLDER, ignore_cleanup_errors=True)
                )
                held.callback(self._ray.shutdown)  # also cancels our running batches
                self._ray.init(**_options(self._address, folder))
            except (OSError, RuntimeError, ValueError) as error:
                raise WorkersLost(f"the Ray cluster at {self._address} cannot be joined: {error}") from error
            self._held = held.pop_all()
        self._remote_batch = self._ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run_checked_batch)
        return self

    def __exit__(self, *error: object) -> None:
        self._held.close()

    def worker_count(self) -> int:
        """Number of CPUs of the cluster, which may change. Cached, because the query takes longer than a fast game."""
        if monotonic() - self._counted >= COUNT_INTERVAL_SECONDS:
            self._counted, self._count = monotonic(), max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self._count

    def submit(self, work: Callable[[Task], Done], tasks: list[Task], uses_weights: bool) -> Any:
        return self._remote_batch.remote(behaviour_digest(uses_weights), work, tasks, uses_weights)

    def take_first(self, out: deque[Any]) -> Sequence[Any]:
        errors = self._ray.exceptions
        try:
            found: Sequence[Any] = self._ray.get(out.popleft())
        except errors.RayError as error:
            if "No module named 'polyopolis" in str(error):
                raise WorkersLost(f"Polyopolis is missing or outdated on a Ray worker; {SAME_VERSION_HINT}") from error
            if isinstance(error, errors.RayTaskError):
                raise error.cause from error
            raise WorkersLost(f"Ray could not finish a batch: {error}") from error
        return found


def _import_ray(address: str) -> Any:
    """Imports Ray after setting the environment variables that it reads on import."""
    for name, value in {**NO_USAGE_STATISTICS, **(_token_settings() if address == LOCAL else {})}.items():
        os.environ.setdefault(name, value)
    try:
        import ray  # noqa: PLC0415 - optional dependency
        import ray.exceptions  # noqa: PLC0415
    except ImportError as error:
        raise WorkersLost("--ray needs Ray, which is not installed; install polyopolis[ray]") from error
    return ray


def _token_settings() -> dict[str, str]:
    """Protects a private cluster from other users by a random token. Ray itself would store a token in the home folder
    and use it for all later clusters."""
    return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)}


def _check_reachable(address: str) -> None:
    """Raises `OSError` if the cluster does not accept connections. Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        create_connection((host, int(port)), CONNECT_TIMEOUT_SECONDS).close()


def _options(address: str, folder: str) -> dict[str, Any]:
    """Options of `ray.init`: no log output, no dashboard, and files of a private cluster in `folder`."""
    quiet = {"address": address, "log_to_driver": False, "logging_level": logging.CRITICAL}
    if address == LOCAL:
        return {**quiet, "include_dashboard": False, "object_store_memory": OBJECT_STORE_BYTES, "_temp_dir": folder}
    variables = {name: os.environ[name] for name in FORWARDED_VARIABLES if name in os.environ}
    return {**quiet, "runtime_env": {"env_vars": variables}} if variables else quiet


def run_checked_batch(
    expected: str, work: Callable[[Task], Done], tasks: Iterable[Task], uses_weights: bool
) -> list[Done]:
    """Runs a batch on a Ray worker. Raises `WorkersLost` if its sources, weights or Python version differ."""
    if behaviour_digest(uses_weights) != expected:
        raise WorkersLost(
            f"the Ray worker on {node()} has a different version of Polyopolis, so games may differ; "
            f"{SAME_VERSION_HINT}"
        )
    return run_batch(work, tasks)


@cache
def behaviour_digest(uses_weights: bool) -> str:
    """Digest of all inputs that determine how games go: sources, content, Python version, compiled or not, and with
    `uses_weights` also weights, nets and patterns."""
    root = Path(str(polyopolis.__path__[0]))
    digest = sha256(f"{sys.version_info[:2]} {FAST}".encode())
    for path in sorted(path for folder in DIGEST_FOLDERS for path in (root / folder).rglob("*.*")):
        if _is_digested(path, uses_weights):
            digest.update(b"%s\0%s\0" % (path.relative_to(root).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


def _is_digested(path: Path, uses_weights: bool) -> bool:
    if path.suffix in {NET_SUFFIX, PATTERNS_SUFFIX} or path.parent.name == "weights":
        return uses_weights
    return path.suffix in {".py", ".toml"}
