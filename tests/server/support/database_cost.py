"""Counts the work of databases: statements, and for files the steps of SQLite, which grow with the rows it reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

STEPS_AT_ONCE = 20
"""Instructions of SQLite after which a step is counted."""


@dataclass
class Cost:
    statements: list[str] = field(default_factory=list)
    steps: int = 0

    def of(self, *names: str) -> list[str]:
        """The statements that contain all of these words."""
        return [statement for statement in self.statements if all(name in statement for name in names)]


@contextmanager
def counted_cost() -> Iterator[Cost]:
    """Counts the statements of all connections of SQLAlchemy, and the steps of connections that are made meanwhile."""
    cost = Cost()

    def count_steps(connection: Any, _: Any) -> None:
        def step() -> int:
            cost.steps += 1
            return 0

        if hasattr(connection, "set_progress_handler"):
            connection.set_progress_handler(step, STEPS_AT_ONCE)

    def keep_statement(*about: Any) -> None:
        cost.statements.append(" ".join(about[2].split()))

    event.listen(Engine, "connect", count_steps)
    event.listen(Engine, "before_cursor_execute", keep_statement)
    try:
        yield cost
    finally:
        event.remove(Engine, "before_cursor_execute", keep_statement)
        event.remove(Engine, "connect", count_steps)
