"""Files that people name."""

from os.path import realpath
from pathlib import Path

from polyopolis.engine import PolyopolisError
from polyopolis.records import CampaignRecord, Record, write


class CannotKeep(PolyopolisError):
    """A record cannot be written where it should be."""


def place_of(path: Path) -> Path:
    """Where a file goes that takes its name once it is whole: what a link leads to, and nothing that is no file."""
    found = Path(realpath(path))
    if found.is_dir():
        raise CannotKeep(f"cannot write {path}: it is a folder")
    if found.exists() and not found.is_file():
        raise CannotKeep(f"cannot write {path}: it is no file")
    return found


def keep(record: Record | CampaignRecord, path: Path) -> None:
    place = place_of(path)
    try:
        write(record, place)
    except OSError as error:
        raise CannotKeep(f"cannot write {path}: {reason(error)}") from error


def reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
