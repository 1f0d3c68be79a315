"""The hands of a Ray cluster. Ray is an extra, so nothing here asks for it before somebody wants a cluster."""

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
from polyopolis.bots.net_files import PATTERNED, SUFFIX
from polyopolis.bots.tournaments.executors import TRIES, Done, ParallelExecutor, Task, WorkersLost, do
from polyopolis.kernels.runtime.jit import FAST, PLAIN

LOCAL = "local"
"""The address of a cluster of one's own, for as long as it is held."""
STORE = 256 * 2**20
"""Bytes for what comes back to us: it is taken at once, and Ray would take a third of the memory for it."""
LONGEST_FOLDER = 24
"""Characters in the path of a folder for Ray: paths of its sockets are 80 longer, and the system allows about 105."""
SHORT = "/tmp" if len(gettempdir()) > LONGEST_FOLDER and Path("/tmp").is_dir() else gettempdir()
"""The folder for temporary files, or /tmp if that is shorter."""
RECOUNT = 2.0
"""Seconds after which workers are counted again."""
PATIENCE = 10.0
"""Seconds until a machine is not there."""
SILENT = {"RAY_USAGE_STATS_ENABLED": "0"}
"""Nobody is told who uses it."""
TOLD = ("POLYOPOLIS_GAMES", PLAIN)
"""What of our environment workers elsewhere need, too."""
DECIDING = ("engine", "geometry", "games", "records", "kernels", "bots")
"""The folders that decide how games between bots go."""

EVERYWHERE = "install the same version with the same extras on all machines"


class RayExecutor(ParallelExecutor[Any]):
    """A cluster by its address. Ray replaces workers that die and does again what they held."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._held = ExitStack()
        self._ray: Any = None
        self._errand: Any = None
        self._counted, self._count = -RECOUNT, 1

    def __enter__(self) -> Self:
        with ExitStack() as held:
            try:
                _knock(self._address)
                self._ray = _ray(self._address)
                folder = held.enter_context(TemporaryDirectory(prefix="ray-", dir=SHORT, ignore_cleanup_errors=True))
                held.callback(self._ray.shutdown)  # all that still runs for us ends with it
                self._ray.init(**_options(self._address, folder))
            except (OSError, RuntimeError, ValueError) as error:
                raise WorkersLost(f"the Ray cluster at {self._address} cannot be joined: {error}") from error
            self._held = held.pop_all()
        self._errand = self._ray.remote(num_cpus=1, max_retries=TRIES)(run)
        return self

    def __exit__(self, *error: object) -> None:
        self._held.close()

    def count(self) -> int:
        """Clusters grow and shrink, but asking takes longer than a quick game."""
        if monotonic() - self._counted >= RECOUNT:
            self._counted, self._count = monotonic(), max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self._count

    def send(self, work: Callable[[Task], Done], tasks: list[Task], weighed: bool) -> Any:
        return self._errand.remote(behaviour_digest(weighed), work, tasks, weighed)

    def first_back(self, out: deque[Any]) -> Sequence[Any]:
        errors = self._ray.exceptions
        try:
            found: Sequence[Any] = self._ray.get(out.popleft())
        except errors.RayError as error:
            if "No module named 'polyopolis" in str(error):
                raise WorkersLost(f"a Ray worker has no Polyopolis, or an older one; {EVERYWHERE}") from error
            if isinstance(error, errors.RayTaskError):
                raise error.cause from error
            raise WorkersLost(f"work came back from Ray undone: {error}") from error
        return found


def _ray(address: str) -> Any:
    """Ray, which looks at its environment as soon as it is imported."""
    for name, value in {**SILENT, **(_locked() if address == LOCAL else {})}.items():
        os.environ.setdefault(name, value)
    try:
        import ray  # noqa: PLC0415 an extra: asked for, not required
        import ray.exceptions  # noqa: PLC0415
    except ImportError as error:
        raise WorkersLost("--ray needs Ray, which is not installed; install polyopolis[ray]") from error
    return ray


def _locked() -> dict[str, str]:
    """Nobody else on the machine gets in. Ray would keep a key in the home, and lock all later clusters with it."""
    return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)}


def _knock(address: str) -> None:
    """At a machine that does not answer Ray would knock for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        create_connection((host, int(port)), PATIENCE).close()


def _options(address: str, folder: str) -> dict[str, Any]:
    """Without a dashboard, without a word but ours, and without a trace: what is our own is kept in this folder."""
    quiet = {"address": address, "log_to_driver": False, "logging_level": logging.CRITICAL}
    if address == LOCAL:
        return {**quiet, "include_dashboard": False, "object_store_memory": STORE, "_temp_dir": folder}
    told = {name: os.environ[name] for name in TOLD if name in os.environ}
    return {**quiet, "runtime_env": {"env_vars": told}} if told else quiet


def run(expected: str, work: Callable[[Task], Done], tasks: Iterable[Task], weighed: bool) -> list[Done]:
    """An errand, by a worker that may be far away: only where games go as they do here."""
    if behaviour_digest(weighed) != expected:
        raise WorkersLost(
            f"the Ray worker on {node()} has another Polyopolis than this one, with which games may go otherwise; "
            f"{EVERYWHERE}"
        )
    return do(work, tasks)


@cache
def behaviour_digest(weighed: bool) -> str:
    """A digest of what decides how games go: sources, content, Python, machine code or not; weights, nets and patterns
    if wanted."""
    root = Path(str(polyopolis.__path__[0]))
    digest = sha256(f"{sys.version_info[:2]} {FAST}".encode())
    for path in sorted(path for folder in DECIDING for path in (root / folder).rglob("*.*")):
        if _decides(path, weighed):
            digest.update(b"%s\0%s\0" % (path.relative_to(root).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


def _decides(path: Path, weighed: bool) -> bool:
    if path.suffix in {SUFFIX, PATTERNED} or path.parent.name == "weights":
        return weighed
    return path.suffix in {".py", ".toml"}
