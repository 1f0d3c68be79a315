"""Tables that people have removed from their lists"""

import sqlalchemy as sa
from alembic import op

from polyopolis.server.storage.schema import Time

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unlisted",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("time", Time, nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("person", "table"),
    )


def downgrade() -> None:
    op.drop_table("unlisted")
