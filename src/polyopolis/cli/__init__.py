"""The command line. `main` turns every expected error into one sentence on stderr and exit code 2."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

EXIT_ERROR, EXIT_INTERRUPTED = 2, 130


def main(args: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    # Deferred imports: each process that a server or an arena spawns imports this module and needs none of these.
    # They take 0.9 of the 1.9 s of CPU time until such a process can decide (2026-11-19).
    import typer  # noqa: PLC0415
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

    from polyopolis.cli.app import app  # noqa: PLC0415
    from polyopolis.cli.output_files import os_error_reason  # noqa: PLC0415
    from polyopolis.engine import PolyopolisError  # noqa: PLC0415
    from polyopolis.play.errors import Unwritable  # noqa: PLC0415
    from polyopolis.server.storage.databases import is_unwritable  # noqa: PLC0415

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(args=args, prog_name="polyopolis", standalone_mode=False)
        sys.stdout.flush()
    except (PolyopolisError, Unwritable) as error:
        return _fail(error)
    except DBAPIError as error:
        if not is_unwritable(error):
            raise
        return _fail(f"cannot write to the database: {error.orig}")
    except typer.TyperException as error:
        message = error.format_message()
        return _fail(message[:1].lower() + message[1:])
    except typer.Abort:
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _fail(f"{error.filename}: {os_error_reason(error)}" if error.filename else error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return code if isinstance(code, int) else 0


def _fail(message: object) -> int:
    from polyopolis.cli.console import print_error  # noqa: PLC0415

    print_error(message)
    return EXIT_ERROR


__all__ = ["main"]
