"""Time control: pace of tables, thinking times, deadlines, outages"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("pace", sa.String(), nullable=True))
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rest", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("entrusted", sa.Boolean(), nullable=False, server_default="0"))
    op.execute("ALTER TABLE matches RENAME COLUMN takeback TO asked")
    op.execute("UPDATE matches SET asked = NULL")  # open takeback requests are dropped
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(sa.Column("timing", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("deadlines", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("ended", sa.Boolean(), nullable=False, server_default="0"))
    with op.batch_alter_table("log", schema=None) as batch_op:
        batch_op.add_column(sa.Column("thought", sa.String(), nullable=True))
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(sa.Column("thought", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("prepared", sa.String(), nullable=True))
    op.create_table(
        "alive",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("time", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outages",
        sa.Column("began", TIME, nullable=False),
        sa.Column("ended", TIME, nullable=False),
        sa.PrimaryKeyConstraint("began"),
    )


def downgrade() -> None:
    op.drop_table("outages")
    op.drop_table("alive")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_column("prepared")
        batch_op.drop_column("thought")
    with op.batch_alter_table("log", schema=None) as batch_op:
        batch_op.drop_column("thought")
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.drop_column("ended")
        batch_op.drop_column("deadlines")
        batch_op.drop_column("timing")
    op.execute("ALTER TABLE matches RENAME COLUMN asked TO takeback")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_column("entrusted")
        batch_op.drop_column("rest")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("pace")
