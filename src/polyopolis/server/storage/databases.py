"""Creates engines for SQLite and PostgreSQL and migrates their schema.

A SQLite file belongs to one server; several nodes can share a PostgreSQL database.
"""

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
MIGRATION_LOCK_ID = 0x706F6C79
"""Key of the PostgreSQL advisory lock that is held during a migration."""
CONNECT_TIMEOUT_SECONDS = 5
TIMEOUT_SETTINGS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
"""Settings of a PostgreSQL session."""
WRITE_OPTION = "polyopolis_writes"
"""Execution option that marks the connection of the writer."""
SQLITE_UNWRITABLE = frozenset([SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN])
POSTGRES_UNWRITABLE = frozenset(["53100", "58030", "25006"])
"""SQLSTATEs: disk full, I/O error, read-only transaction."""


class DatabaseProblem(PolyopolisError):
    """The database cannot be used; the message says why."""


def url_of(database: Path | str) -> URL:
    """Returns the SQLAlchemy URL of a SQLite file (a path) or of a PostgreSQL database (an address)."""
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
    quiet = {"hide_parameters": True}  # errors are logged, and parameters contain seeds and staged decisions
    if url.get_backend_name() == POSTGRES:
        return _postgres_engine(url, quiet)
    engine = create_engine(url, connect_args={"check_same_thread": False}, **quiet)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_transaction)
    return engine


def _postgres_engine(url: URL, quiet: dict[str, bool]) -> Engine:
    try:
        return create_engine(url, connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS}, **quiet)
    except (ImportError, NoSuchModuleError):
        raise DatabaseProblem("for PostgreSQL install it with its driver: pip install 'polyopolis[postgres]'") from None


def _set_pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # `_begin_transaction` begins transactions, also those that only read
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_transaction(connection: Connection) -> None:
    """Writers use BEGIN IMMEDIATE: SQLite cannot upgrade a read transaction after another process has written."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITE_OPTION) else "BEGIN")


def set_timeouts(connection: Connection, statement_seconds: float, lock_seconds: float, idle_seconds: float) -> None:
    """Sets the PostgreSQL timeouts of a connection: statement, wait for a lock, idle in transaction."""
    _set_timeouts(connection, statement_seconds, lock_seconds, idle_seconds, local=False)
    connection.commit()


def lift_timeouts(db: Connection) -> None:
    """Disables the timeouts for the current transaction: maintenance takes time in proportion to the number of rows."""
    _set_timeouts(db, 0, 0, 0, local=True)


def _set_timeouts(db: Connection, statement: float, lock: float, idle: float, *, local: bool) -> None:
    if db.dialect.name == POSTGRES:
        seconds = zip(TIMEOUT_SETTINGS, (statement, lock, idle), strict=True)
        db.execute(select(*(func.set_config(name, f"{round(1000 * each)}ms", local) for name, each in seconds)))


def is_unwritable(error: DBAPIError) -> bool:
    """Whether an error of a write transaction means that the database cannot be written at the moment."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in SQLITE_UNWRITABLE  # the primary result code
    return getattr(error.orig, "sqlstate", None) in POSTGRES_UNWRITABLE


def is_shared(database: Path | str) -> bool:
    """Whether several nodes can share the database."""
    return url_of(database).get_backend_name() == POSTGRES


def display_name(database: Path | str) -> str:
    """Returns the path or address for messages, without the password."""
    return str(database) if isinstance(database, Path) else url_of(database).render_as_string(hide_password=True)


# Versions


def migrate(db: Connection) -> None:
    """Migrates to the newest schema. On PostgreSQL an advisory lock lets one node at a time do so."""
    lift_timeouts(db)
    if db.dialect.name == POSTGRES:
        db.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK_ID})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = db
    command.upgrade(config, "head")


def check_database(database: str, *, whole: bool = False) -> None:
    """Raises `DatabaseProblem` if a shared database cannot be reached, has other contents or was written by a newer
    version. An empty database is accepted, unless `whole` requires the schema of this version."""
    engine = engine_of(database)
    try:
        with engine.connect() as db:
            names = set(inspect(db).get_table_names())
            found = (
                db.execute(text("SELECT version_num FROM alembic_version")).scalar() if _is_polyopolis(names) else None
            )
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()
        raise DatabaseProblem(
            f"{display_name(database)} cannot be reached ({reason[-1] if reason else error})"
        ) from None
    finally:
        engine.dispose()
    if names and not _is_polyopolis(names):
        raise DatabaseProblem(f"{display_name(database)} is no database of Polyopolis: it has other contents")
    if found is not None and found not in known_revisions():
        raise DatabaseProblem(f"{display_name(database)} was written by a newer version of Polyopolis ({found})")
    if whole and found != newest_revision():
        raise DatabaseProblem(f"{display_name(database)} is of an older version: start a server on it once")


def _is_polyopolis(names: set[str]) -> bool:
    return {"alembic_version", "tables", "matches", "log"} <= names


def known_revisions() -> frozenset[str]:
    return frozenset(script.revision for script in _scripts().walk_revisions())


def newest_revision() -> str:
    return str(_scripts().get_current_head())


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))
