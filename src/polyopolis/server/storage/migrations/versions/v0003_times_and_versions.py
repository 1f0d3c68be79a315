"""Times of changes and moves, versions of rules and content, derived columns of matches"""

import sqlalchemy as sa
from alembic import op

from polyopolis.server.storage.schema import Time

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("changed", Time, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET changed = created")
    with op.batch_alter_table("log", schema=None) as batch_op:
        batch_op.add_column(sa.Column("time", Time, nullable=True))
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rules", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("content", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("over", sa.Boolean(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("due", sa.String(), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("result", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("standings", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("matches", schema=None) as batch_op:
        for column in ("standings", "result", "due", "over", "content", "rules"):
            batch_op.drop_column(column)
    with op.batch_alter_table("log", schema=None) as batch_op:
        batch_op.drop_column("time")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("changed")
