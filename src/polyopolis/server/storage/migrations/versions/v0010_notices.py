"""Notifications: receivers, preferences, outbox"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

Time = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "receivers",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("made", Time, nullable=False),
    )
    op.create_index("ix_receivers_person", "receivers", ["person"])
    op.create_table(
        "manners",
        sa.Column("person", sa.String(), primary_key=True),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_to", sa.Integer()),
        sa.Column("daily", sa.Integer()),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("receiver", sa.String(), primary_key=True),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("again", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("look", Time, nullable=False),
        sa.Column("node", sa.String()),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
    )
    op.create_index("ix_outbox_table", "outbox", ["table"])
    op.create_index("ix_outbox_look", "outbox", ["look"])
    with op.batch_alter_table("presence", schema=None) as batch_op:
        batch_op.add_column(sa.Column("watching", sa.String(), server_default="[]", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("presence", schema=None) as batch_op:
        batch_op.drop_column("watching")
    op.drop_table("outbox")
    op.drop_table("manners")
    op.drop_table("receivers")
