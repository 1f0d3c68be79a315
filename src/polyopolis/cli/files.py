"""Files that people name."""

from pathlib import Path

from polyopolis.engine import PolyopolisError
from polyopolis.records import CampaignRecord, Record, write


class CannotKeep(PolyopolisError):
    """A record cannot be written where it should be."""


def keep(record: Record | CampaignRecord, path: Path) -> None:
    if path.is_dir():
        raise CannotKeep(f"cannot write {path}: it is a folder")
    try:
        write(record, path)
    except OSError as error:
        raise CannotKeep(f"cannot write {path}: {reason(error)}") from error


def reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
