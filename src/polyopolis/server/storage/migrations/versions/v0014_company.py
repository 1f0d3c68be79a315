"""Open tables, people turned away, chat, ignore lists, reports"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

Time = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("invites", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("talk", sa.Boolean(), nullable=False, server_default="1"))
        batch_op.create_index(batch_op.f("ix_tables_invites"), ["invites"], unique=False)
    op.create_table(
        "turned_away",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_table(
        "remarks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("time", Time, nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "ignored",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("other", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("person", "other"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("remark", sa.String(), nullable=False),
        sa.Column("reporter", sa.String(), nullable=True),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("time", Time, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for table, columns in INDEXED.items():
        with op.batch_alter_table(table, schema=None) as batch_op:
            for column in columns:
                batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)


INDEXED = {
    "turned_away": ("person",),
    "remarks": ("table", "person"),
    "ignored": ("other",),
    "reports": ("remark", "reporter", "person"),
}


def downgrade() -> None:
    for table in ("reports", "ignored", "remarks", "turned_away"):
        op.drop_table(table)
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tables_invites"))
        batch_op.drop_column("talk")
        batch_op.drop_column("invites")
