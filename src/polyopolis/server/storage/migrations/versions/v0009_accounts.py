"""Accounts: credentials, devices, muted and removed people"""

import sqlalchemy as sa
from alembic import op

from polyopolis.server.storage.schema import Time

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.add_column(sa.Column("joined", Time, nullable=True))
        batch_op.add_column(sa.Column("muted", sa.Boolean(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("removed", Time, nullable=True))
    op.create_table(
        "devices",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made", Time, nullable=False),
        sa.Column("seen", Time, nullable=False),
        sa.Column("issued", Time, nullable=False),
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("since", Time, nullable=False),
        sa.Column("since_key", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("count", Time, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made", Time, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "mails",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("made", Time, nullable=False),
        sa.PrimaryKeyConstraint("address"),
    )
    op.create_table(
        "own_codes",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("made", Time, nullable=False),
        sa.PrimaryKeyConstraint("person", "kind"),
    )
    op.create_table(
        "asks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=True),
        sa.Column("mail", sa.String(), nullable=True),
        sa.Column("expires", Time, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    for table, column in INDEXED:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=table == "own_codes")


def downgrade() -> None:
    for table in ("counters", "asks", "own_codes", "mails", "passkeys", "devices"):
        op.drop_table(table)
    with op.batch_alter_table("people", schema=None) as batch_op:
        for column in ("removed", "muted", "joined"):
            batch_op.drop_column(column)


INDEXED = (("devices", "person"), ("passkeys", "person"), ("mails", "person"), ("own_codes", "digest"))
