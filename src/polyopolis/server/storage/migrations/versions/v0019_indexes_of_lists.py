"""Indexes for the start and for lists; deletes verdicts of tries that became practice"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

NO_VERDICT_ON_PRACTICE = """
UPDATE tries SET verdict = NULL WHERE verdict IS NOT NULL AND EXISTS (
    SELECT 1 FROM matches
    WHERE matches."table" = tries."table" AND matches.number = 0 AND (matches.practice OR matches.ended)
)
"""


def upgrade() -> None:
    matches = sa.table("matches", sa.column("rules"), sa.column("over", sa.Boolean), sa.column("deadlines"))
    tables = sa.table("tables", sa.column("invites"))
    _create("ix_matches_unstamped", "matches", ["table", "number"], matches.c.rules.is_(None))
    _create("ix_matches_clocked", "matches", ["table"], matches.c.over.is_(False) & matches.c.deadlines.is_not(None))
    op.drop_index("ix_tables_invites", "tables")
    _create("ix_tables_inviting", "tables", ["changed"], tables.c.invites.is_not(None))
    op.create_index("ix_seats_of_person", "seats", ["person", "table"])
    op.drop_index("ix_seats_person", "seats")
    op.create_index("ix_remarks_of_person", "remarks", ["person", "time", "id"])
    op.drop_index("ix_remarks_person", "remarks")
    op.create_index("ix_remarks_at_table", "remarks", ["table", "time", "id"])
    op.drop_index("ix_remarks_table", "remarks")
    op.create_index("ix_results_of_person", "results", ["person", "counts", "game", "kind", "score"])
    op.drop_index("ix_results_person", "results")
    op.create_index("ix_tries_board", "tries", ["day", "game", "verdict", "score"])
    op.execute(NO_VERDICT_ON_PRACTICE)


def downgrade() -> None:
    op.drop_index("ix_tries_board", "tries")
    op.create_index("ix_results_person", "results", ["person"])
    op.drop_index("ix_results_of_person", "results")
    op.create_index("ix_remarks_table", "remarks", ["table"])
    op.drop_index("ix_remarks_at_table", "remarks")
    op.create_index("ix_remarks_person", "remarks", ["person"])
    op.drop_index("ix_remarks_of_person", "remarks")
    op.create_index("ix_seats_person", "seats", ["person"])
    op.drop_index("ix_seats_of_person", "seats")
    op.drop_index("ix_tables_inviting", "tables")
    op.create_index("ix_tables_invites", "tables", ["invites"])
    op.drop_index("ix_matches_clocked", "matches")
    op.drop_index("ix_matches_unstamped", "matches")


def _create(name: str, table: str, columns: list[str], where: sa.ColumnElement[bool]) -> None:
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
