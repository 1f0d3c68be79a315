"""Long measurements go on where they were broken off: what is done lies in `out/measured/` until a source changes."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct

import polyopolis
from polyopolis.bots.tournaments.executors import Hands

Task = TypeVar("Task")
Done = TypeVar("Done")

FOLDER = Path(__file__).parents[1] / "out" / "measured"
MEASURED = ("engine", "geometry", "games", "kernels", "bots", "analysis")
"""Whatever is in these packages may change what comes out; not the yardstick, which is what comes out."""


class Line(Struct, frozen=True):
    """What came of a task."""

    task: str
    found: Raw


def resumed(
    name: str, work: Callable[[Task], Done], tasks: Sequence[Task], kind: type[Done], hands: Hands
) -> Iterator[Done]:
    """What comes of each task, in their order. A task is a value that can be told from the others as JSON."""
    path = FOLDER / f"{name}-{sources()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = _known(path)
    names = [msgspec.json.encode(task).decode() for task in tasks]
    new = hands.each(work, [task for task, name in zip(tasks, names, strict=True) if name not in known])
    with path.open("ab") as file:
        for task in names:
            if task in known:
                yield msgspec.json.decode(known[task], type=kind)
                continue
            found = next(new)
            file.write(msgspec.json.encode(Line(task, Raw(msgspec.json.encode(found)))) + b"\n")
            file.flush()
            yield found


def _known(path: Path) -> dict[str, Raw]:
    """A last line that was broken off is done again."""
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    lines = [msgspec.json.decode(line, type=Line) for line in whole.splitlines()]
    return {line.task: line.found for line in lines}


def sources() -> str:
    """A digest of all that decides on what is measured."""
    digest, root = sha256(), Path(polyopolis.__file__).parent
    for package in MEASURED:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".toml", ".json") and path.parent.name != "calibration":
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
