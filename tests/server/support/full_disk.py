"""Simulates a full disk for a database."""

import sqlite3
from contextlib import closing

from sqlalchemy import Connection, event

from polyopolis.server.storage.databases import WRITE_OPTION
from polyopolis.server.storage.match_repository import DatabaseMatchRepository


def full_disk_error() -> sqlite3.Error:
    """Returns the error of SQLite when a page cannot be added."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("PRAGMA max_page_count = 1")
        try:
            db.execute("CREATE TABLE t (a)")
        except sqlite3.Error as error:
            return error
    raise AssertionError("there was room")


class SimulatedDisk:
    """The disk of a repository: while `full` is set, every commit of the writer thread fails."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self.full = False
        self.commits = 0
        """The number of attempted commits."""
        event.listen(store._engine, "commit", self._commit)

    def _commit(self, connection: Connection) -> None:
        if connection.get_execution_options().get(WRITE_OPTION):
            self.commits += 1
            if self.full:
                connection.connection.rollback()  # as SQLite does by itself
                raise full_disk_error()
