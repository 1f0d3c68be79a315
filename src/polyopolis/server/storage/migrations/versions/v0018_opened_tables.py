"""The last day on which a table was opened"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "opened",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table"),
    )
    with op.batch_alter_table("unlisted", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_unlisted_table"), ["table"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("unlisted", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_unlisted_table"))
    op.drop_table("opened")
