"""Counts the work of a database: statements, and for SQLite the steps of its virtual machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

INSTRUCTIONS_PER_STEP = 20
"""SQLite instructions per counted step."""


@dataclass
class DatabaseCost:
    statements: list[str] = field(default_factory=list)
    steps: int = 0

    def of(self, *names: str) -> list[str]:
        """Returns the statements that contain all of these words."""
        return [statement for statement in self.statements if all(name in statement for name in names)]


@contextmanager
def count_cost() -> Iterator[DatabaseCost]:
    """Counts the statements of all SQLAlchemy connections, and the steps of connections that are made meanwhile."""
    cost = DatabaseCost()

    def count_steps(connection: Any, _: Any) -> None:
        def step() -> int:
            cost.steps += 1
            return 0

        if hasattr(connection, "set_progress_handler"):
            connection.set_progress_handler(step, INSTRUCTIONS_PER_STEP)

    def keep_statement(*about: Any) -> None:
        cost.statements.append(" ".join(about[2].split()))

    event.listen(Engine, "connect", count_steps)
    event.listen(Engine, "before_cursor_execute", keep_statement)
    try:
        yield cost
    finally:
        event.remove(Engine, "before_cursor_execute", keep_statement)
        event.remove(Engine, "connect", count_steps)
