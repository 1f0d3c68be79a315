"""Stores finished parts of long measurements in `out/measured/`, so that an interrupted run continues.

The stored results are used until a source changes.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct

import polyopolis
from polyopolis.bots.tournaments.executors import Executor

Task = TypeVar("Task")
Result = TypeVar("Result")

FOLDER = Path(__file__).parents[1] / "out" / "measured"
SOURCE_PACKAGES = ("engine", "geometry", "games", "kernels", "bots", "analysis")
"""Packages that results depend on. The calibration files in them are excluded, because they are results."""


class StoredResult(Struct, frozen=True):
    """The stored result of a task."""

    task: str
    found: Raw


def run_resumable(
    name: str, work: Callable[[Task], Result], tasks: Sequence[Task], kind: type[Result], executor: Executor
) -> Iterator[Result]:
    """Yields the result of each task in order. Runs only tasks without a stored result. Tasks must differ as JSON."""
    path = FOLDER / f"{name}-{source_digest()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = _read_stored(path)
    names = [msgspec.json.encode(task).decode() for task in tasks]
    new = executor.map(work, [task for task, name in zip(tasks, names, strict=True) if name not in stored])
    with path.open("ab") as file:
        for task in names:
            if task in stored:
                yield msgspec.json.decode(stored[task], type=kind)
                continue
            result = next(new)
            file.write(msgspec.json.encode(StoredResult(task, Raw(msgspec.json.encode(result)))) + b"\n")
            file.flush()
            yield result


def _read_stored(path: Path) -> dict[str, Raw]:
    """Returns stored results by task. Ignores an incomplete last line, so its task runs again."""
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    lines = [msgspec.json.decode(line, type=StoredResult) for line in whole.splitlines()]
    return {line.task: line.found for line in lines}


def source_digest() -> str:
    """Returns a digest of all sources that results depend on."""
    digest, root = sha256(), Path(polyopolis.__file__).parent
    for package in SOURCE_PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".toml", ".json") and path.parent.name != "calibration":
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
