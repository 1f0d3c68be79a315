"""The command line. Whatever goes wrong is told in one sentence, and the exit code is 2."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

WRONG, INTERRUPTED = 2, 130


def main(args: Sequence[str] | None = None) -> int:
    # Imported here, because each process that a server or an arena spawns imports this module and needs none of these.
    # They take 0.9 of 1.9 s of a core until such a process can decide (2026-11-19).
    import typer  # noqa: PLC0415
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

    from polyopolis.cli.commands import app  # noqa: PLC0415
    from polyopolis.cli.output_files import reason  # noqa: PLC0415
    from polyopolis.engine import PolyopolisError  # noqa: PLC0415
    from polyopolis.play.errors import Unwritable  # noqa: PLC0415
    from polyopolis.server.storage.databases import is_unwritable  # noqa: PLC0415

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(args=args, prog_name="polyopolis", standalone_mode=False)
        sys.stdout.flush()
    except PolyopolisError as error:
        return _wrong(error)
    except DBAPIError as error:
        if not is_unwritable(error):
            raise
        return _wrong(f"nothing can be written to the database: {error.orig}")
    except Unwritable as error:
        return _wrong(error)
    except typer.TyperException as error:
        return _wrong(_lowered(error.format_message()))
    except typer.Abort:
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _wrong(f"{error.filename}: {reason(error)}" if error.filename else error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _wrong(what: object) -> int:
    from polyopolis.cli.commands import complain  # noqa: PLC0415

    complain(what)
    return WRONG


__all__ = ["main"]
