"""Output files that users name."""

from os.path import realpath
from pathlib import Path

from polyopolis.engine import PolyopolisError
from polyopolis.records import CampaignRecord, Record, write


class CannotWrite(PolyopolisError):
    """An output file cannot be written."""


def writable_path(path: Path) -> Path:
    """Returns the file to write, with links resolved.

    Raises `CannotWrite` for a folder, pipe or device: files are written under a temporary name and then renamed, which
    would replace a device by a file.
    """
    found = Path(realpath(path))
    if found.is_dir():
        raise CannotWrite(f"cannot write {path}: it is a folder")
    if found.exists() and not found.is_file():
        raise CannotWrite(f"cannot write {path}: it is not a regular file")
    return found


def write_record(record: Record | CampaignRecord, path: Path) -> None:
    """Writes a record, or raises `CannotWrite`."""
    target = writable_path(path)
    try:
        write(record, target)
    except OSError as error:
        raise CannotWrite(f"cannot write {path}: {os_error_reason(error)}") from error


def os_error_reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
