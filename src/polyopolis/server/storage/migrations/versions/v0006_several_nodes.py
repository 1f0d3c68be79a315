"""Several nodes on one database: versions of tables, presence, bot assignments"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("version", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(sa.Column("takeback", sa.String(), nullable=True))
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(sa.Column("by", sa.String(), nullable=True))
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("beats", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "presence",
        sa.Column("node", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("people", sa.String(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("node", "table"),
    )
    with op.batch_alter_table("presence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_presence_table"), ["table"], unique=False)
    op.create_table(
        "errands",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("node", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table"),
    )
    with op.batch_alter_table("errands", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_errands_node"), ["node"], unique=False)
    matches = sa.table("matches", sa.column("table", sa.String()), sa.column("over", sa.Boolean()))
    seats = sa.table("seats", sa.column("table", sa.String()), sa.column("bot", sa.String()))
    errands = sa.table("errands", sa.column("table", sa.String()), sa.column("node", sa.String()))
    with_bots = sa.select(seats.c.table).where(seats.c.bot.is_not(None))
    running = sa.select(matches.c.table, sa.literal("")).where(
        matches.c.over.is_(False), matches.c.table.in_(with_bots)
    )
    op.execute(sa.insert(errands).from_select(["table", "node"], running.distinct()))


def downgrade() -> None:
    op.drop_table("errands")
    op.drop_table("presence")
    op.drop_table("nodes")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_column("by")
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.drop_column("takeback")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("version")
