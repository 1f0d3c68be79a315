"""Which database it is: a file of this server alone, or a PostgreSQL that several servers share."""

from pathlib import Path
from sqlite3 import SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from polyopolis.engine import PolyopolisError

MIGRATIONS = Path(__file__).parent / "migrations"
POSTGRES = "postgresql"
MIGRATING = 0x706F6C79
"""The number of the lock under which a shared database is changed for a new version."""
SECONDS_TO_CONNECT = 5
TIMEOUTS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
"""Settings of PostgreSQL."""
WRITES = "polyopolis_writes"
"""The option of a connection that is there to write."""
SQLITE_UNWRITABLE = frozenset([SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN])
POSTGRES_UNWRITABLE = frozenset(["53100", "58030", "25006"])
"""SQLSTATEs: the disk is full, input or output fails, the database is read-only."""


class DatabaseProblem(PolyopolisError):
    """It cannot be worked with; says why."""


def url_of(database: Path | str) -> URL:
    """A path is a file; everything else is the address of a PostgreSQL."""
    if isinstance(database, Path):
        return URL.create("sqlite", database=str(database))
    try:
        url = make_url(database)
    except ArgumentError:
        raise DatabaseProblem("the address of a database is postgresql://NAME:PASSWORD@HOST/DATABASE") from None
    if url.get_backend_name() not in (POSTGRES, "postgres"):
        raise DatabaseProblem(f"a database is a PostgreSQL or a file, not {url.get_backend_name()!r}")
    return url.set(drivername="postgresql+psycopg")


def engine_of(database: Path | str) -> Engine:
    url = url_of(database)
    quiet = {"hide_parameters": True}  # seeds and staged decisions are among them, and errors are logged
    if url.get_backend_name() == POSTGRES:
        return _postgres(url, quiet)
    engine = create_engine(url, connect_args={"check_same_thread": False}, **quiet)
    event.listen(engine, "connect", _durable)
    event.listen(engine, "begin", _begin)
    return engine


def _postgres(url: URL, quiet: dict[str, bool]) -> Engine:
    try:
        return create_engine(url, connect_args={"connect_timeout": SECONDS_TO_CONNECT}, **quiet)
    except (ImportError, NoSuchModuleError):
        raise DatabaseProblem("for PostgreSQL install it with its driver: pip install 'polyopolis[postgres]'") from None


def _durable(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where they are said to begin, also for who only reads
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Who will write says so at once: in a file nobody who has read can write once somebody else has, as a command."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITES) else "BEGIN")


def set_limits(connection: Connection, statement_seconds: float, lock_seconds: float, idle_seconds: float) -> None:
    """Limit on PostgreSQL how long a statement, its wait for a lock and the pause after it may take from now on."""
    _set_timeouts(connection, statement_seconds, lock_seconds, idle_seconds, local=False)
    connection.commit()


def without_limits(db: Connection) -> None:
    """Lift the limits for the current transaction. For maintenance, which takes as long as there are rows."""
    _set_timeouts(db, 0, 0, 0, local=True)


def _set_timeouts(db: Connection, statement: float, lock: float, idle: float, *, local: bool) -> None:
    if db.dialect.name == POSTGRES:
        seconds = zip(TIMEOUTS, (statement, lock, idle), strict=True)
        db.execute(select(*(func.set_config(name, f"{round(1000 * each)}ms", local) for name, each in seconds)))


def is_unwritable(error: DBAPIError) -> bool:
    """Whether an error of a transaction that writes means that nothing can be written at the moment."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in SQLITE_UNWRITABLE  # the primary code, of which there are several variants
    return getattr(error.orig, "sqlstate", None) in POSTGRES_UNWRITABLE


def is_shared(database: Path | str) -> bool:
    """Whether several servers can work on it."""
    return url_of(database).get_backend_name() == POSTGRES


def named(database: Path | str) -> str:
    """As it may be said aloud."""
    return str(database) if isinstance(database, Path) else url_of(database).render_as_string(hide_password=True)


# Versions


def migrate(db: Connection) -> None:
    """To the newest schema; one server at a time where several may start together."""
    without_limits(db)
    if db.dialect.name == POSTGRES:
        db.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = db
    command.upgrade(config, "head")


def check(database: str, *, whole: bool = False) -> None:
    """One sentence if a shared database is not there, or not ours, or from a newer version. A new one is empty, unless
    it has to be whole: of this version."""
    engine = engine_of(database)
    try:
        with engine.connect() as db:
            names = set(inspect(db).get_table_names())
            found = db.execute(text("SELECT version_num FROM alembic_version")).scalar() if _is_ours(names) else None
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()
        raise DatabaseProblem(f"{named(database)} cannot be reached ({reason[-1] if reason else error})") from None
    finally:
        engine.dispose()
    if names and not _is_ours(names):
        raise DatabaseProblem(f"{named(database)} is no database of Polyopolis: there is something else in it")
    if found is not None and found not in known():
        raise DatabaseProblem(f"{named(database)} was written by a newer version of Polyopolis ({found})")
    if whole and found != newest():
        raise DatabaseProblem(f"{named(database)} is of an older version: start a server on it once")


def _is_ours(names: set[str]) -> bool:
    return {"alembic_version", "tables", "matches", "log"} <= names


def known() -> frozenset[str]:
    return frozenset(script.revision for script in _scripts().walk_revisions())


def newest() -> str:
    return str(_scripts().get_current_head())


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))
